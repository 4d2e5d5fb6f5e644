import { Button, Group, Select } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { DateField } from '../../../components/forms/date-field.tsx'
import { PrintButton } from '../../../components/page/print-button.tsx'
import { savesShown } from '../../../lib/csv/save-shown.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { HALF_DAY, shiftDay } from '../../../lib/text/day-text.ts'
import type { Asked } from './reports.api.ts'
import { say } from './words.ts'

/** Returns whether a day is fully typed: a half-typed year has fewer digits, or begins with a zero. */
const isDay = (day: string | undefined): day is string => day !== undefined && /^[12]\d{3}-\d\d-\d\d$/.test(day)

/** Returns the period in the address. In the address `to` is the last day; for the server it is the day after. */
export function useAskedPeriod(): Asked {
  const [search] = useSearchParams()
  return {
    ...(isDay(search.from) && { from: search.from }),
    ...(isDay(search.to) && { to: shiftDay(search.to, 1) }),
    ...(search.currency && { currency: search.currency }),
  }
}

type ReportBarProps = {
  /** What downloads the report as a file. */
  csv: Omit<ReportFile, 'shown'>
  /** The period that the server reported, which is shown if the address has none. */
  shown: { from: string; to: string; currency?: string } | undefined
  hasCurrency?: boolean
}

/** Asks for the period and the currency of a report, and downloads its file. */
export const ReportBar = ({ csv, shown, hasCurrency = false }: ReportBarProps) => {
  const [search, setSearch] = useSearchParams()
  const set = (key: 'from' | 'to') => (day: string) => {
    if (day !== HALF_DAY) setSearch({ [key]: day || undefined })
  }
  return (
    <Group gap="xs" align="flex-end" mb="md" className="report-bar">
      <DateField label={say('reports.bar.from')} value={search.from ?? shown?.from ?? ''} onChange={set('from')} />
      <DateField
        label={say('reports.bar.to')}
        value={search.to ?? (shown ? shiftDay(shown.to, -1) : '')}
        onChange={set('to')}
      />
      {hasCurrency && (
        <Select
          label={say('reports.bar.currency')}
          data={CURRENCY_OPTIONS}
          value={search.currency ?? shown?.currency ?? null}
          onChange={(next) => setSearch({ currency: next ?? undefined })}
          searchable
          w={120}
        />
      )}
      <CsvButton {...csv} shown={shown} />
      <PrintButton />
    </Group>
  )
}

type ReportFile = {
  /** The address of the API's file, which is audited. */
  href: string
  /** The name of the report in the name of the file. */
  name: string
  /** Returns the file as the report shows it, of the API's file. */
  make: (text: string) => string
  /** The period of the report, with the day after its last one. */
  shown: { from: string; to: string } | undefined
}

/** Downloads a report as it is on the screen, once it is there; the days in it are in the name of the file. */
export const CsvButton = ({ href, name, make, shown }: ReportFile) => {
  const look = { variant: 'default', leftSection: <IconDownload size={16} /> } as const
  return shown ? (
    <Button component="a" {...savesShown(href, `${name}-${shown.from}-${shiftDay(shown.to, -1)}`, make)} {...look}>
      {say('reports.bar.export')}
    </Button>
  ) : (
    <Button disabled {...look}>
      {say('reports.bar.export')}
    </Button>
  )
}
