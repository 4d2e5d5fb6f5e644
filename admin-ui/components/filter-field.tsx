import { Button, Popover, Select, Stack, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { ALL, type Filter } from '../lib/filters.ts'
import { useSearchParams } from '../lib/search-params.ts'

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
  return (
    <TextInput
      {...naming}
      placeholder={labelled ? 'Any' : label}
      type={isDay ? 'date' : 'text'}
      {...(isDay &&
        !labelled && {
          leftSection: <span className="toolbar-day">{label}</span>,
          leftSectionWidth: 48,
        })}
      value={value}
      onChange={(event) => setSearch({ [key]: event.currentTarget.value })}
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
