import { Button, Group, Select } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { DateField } from '../../../components/forms/date-field.tsx'
import { savesFile } from '../../../lib/api/save-file.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { HALF_DAY, shiftDay } from '../../../lib/text/day-text.ts'
import type { Asked } from './reports.api.ts'
import { say } from './words.ts'

/** Days that people mean, which a year of three digits, half typed, is not. */
const isDay = (day: string | undefined): day is string => day !== undefined && /^[12]\d{3}-\d\d-\d\d$/.test(day)

/** What the address asks for. The last day is in it here; the server's `to` is the day after. */
export function useAskedPeriod(): Asked {
  const [search] = useSearchParams()
  return {
    ...(isDay(search.from) && { from: search.from }),
    ...(isDay(search.to) && { to: shiftDay(search.to, 1) }),
    ...(search.currency && { currency: search.currency }),
  }
}

type ReportBarProps = {
  /** Address of the file. */
  csv: string
  /** What was reported, where nothing was asked for. */
  shown: { from: string; to: string; currency?: string } | undefined
  hasCurrency?: boolean
}

/** Period and currency of a report, and its file. */
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
      <CsvButton href={csv} />
    </Group>
  )
}

/** Downloads a report as a file. */
export const CsvButton = ({ href }: { href: string }) => (
  <Button component="a" {...savesFile(href)} variant="default" leftSection={<IconDownload size={16} />}>
    {say('reports.bar.export')}
  </Button>
)
