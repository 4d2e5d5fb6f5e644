import { Button, Popover, Select, Stack, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { HALF_DAY } from '../lib/day-text.ts'
import { ALL, dayShown, type Filter } from '../lib/filters.ts'
import { useSearchParams } from '../lib/search-params.ts'
import { DateField } from './date-field.tsx'

type FilterFieldProps = { filter: Filter; labelled?: boolean }

/** One filter, bound to the address. In the toolbar its name is the placeholder; `labelled` shows it above. */
export const FilterField = ({ filter, labelled = false }: FilterFieldProps) => {
  const [search, setSearch] = useSearchParams()
  const { key, label, kind, options, fallback } = filter
  const value = search[key] ?? fallback ?? ''
  const naming = labelled ? { label } : { 'aria-label': label, className: 'toolbar-filter' }
  if (options) {
    return (
      <Select
        {...naming}
        placeholder={labelled ? 'Any' : label}
        data={[...options]}
        value={value && value !== ALL ? value : null}
        onChange={(next) => setSearch({ [key]: next ?? (fallback ? ALL : '') })}
        clearable
        searchable={options.length > 12}
        comboboxProps={{ width: 'max-content', position: 'bottom-start', withinPortal: !labelled }}
      />
    )
  }
  const isDay = kind === 'from' || kind === 'to'
  if (!isDay) return <TextFilter key={key} filter={filter} naming={naming} placeholder={labelled ? 'Any' : label} />
  return <DayFilter key={key} filter={filter} naming={naming} labelled={labelled} value={value} />
}

type DayFilterProps = { filter: Filter; naming: TextInputProps; labelled: boolean; value: string }

/** A filter by a day. Half a day filters nothing, and says so. */
const DayFilter = ({ filter: { key, label, kind }, naming, labelled, value }: DayFilterProps) => {
  const [, setSearch] = useSearchParams()
  const [half, setHalf] = useState(false)
  return (
    <DateField
      {...naming}
      {...(!labelled && {
        leftSection: <span className="toolbar-day">{label}</span>,
        leftSectionWidth: 48,
      })}
      value={half && value === '' ? HALF_DAY : dayShown(value, kind === 'to')}
      onChange={(day) => {
        setHalf(day === HALF_DAY)
        setSearch({ [key]: day === HALF_DAY ? '' : day })
      }}
    />
  )
}

type TextFilterProps = { filter: Filter; naming: TextInputProps; placeholder: string }

/** A filter by typed text; the list follows when the typing pauses. */
const TextFilter = ({ filter: { key }, naming, placeholder }: TextFilterProps) => {
  const [search, setSearch] = useSearchParams()
  const value = search[key] ?? ''
  const [text, setText] = useState(value)
  const apply = useDebouncedCallback((typed: string) => setSearch({ [key]: typed.trim() }), 400)
  // The address can change without this field: Back, or "clear filters".
  useEffect(() => setText((shown) => (shown.trim() === value ? shown : value)), [value])
  return (
    <TextInput
      {...naming}
      placeholder={placeholder}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        apply(event.currentTarget.value)
      }}
    />
  )
}

/** The filters that are not used every day, in a box of their own. */
export const MoreFilters = ({ filters }: { filters: readonly Filter[] }) => {
  const [search] = useSearchParams()
  if (filters.length === 0) return null
  const active = filters.filter(({ key }) => search[key]).length
  return (
    <Popover position="bottom-start" shadow="md" width={280} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          className="toolbar-more"
          leftSection={<IconAdjustmentsHorizontal size={16} />}
          aria-label={active > 0 ? `More filters, ${active} set` : 'More filters'}
        >
          {active > 0 ? `More · ${active}` : 'More'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          {filters.map((filter) => (
            <FilterField key={filter.key} filter={filter} labelled />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
