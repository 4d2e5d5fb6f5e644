import { ActionIcon, Button, Checkbox, Group, Popover, Stack, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useHotkeys, useMediaQuery } from '@mantine/hooks'
import { IconColumns3, IconFilter, IconRefresh, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Filter } from '../lib/filters.ts'
import { useSearchParams } from '../lib/search-params.ts'
import type { HiddenColumns } from '../lib/use-hidden-columns.ts'
import { FilterField, MoreFilters } from './filter-field.tsx'

type ListToolbarProps = {
  filters: readonly Filter[]
  columns: readonly { key: string; title: string }[]
  hidden: HiddenColumns
  fetching: boolean
  searchPlaceholder?: string
  onRefresh: () => void
  /** The reader pressed the down arrow in the search field. */
  onLeave: () => void
}

/** Search, filters, columns and refresh above a list. */
export const ListToolbar = (props: ListToolbarProps) => {
  const { filters, columns, hidden, fetching, searchPlaceholder, onRefresh, onLeave } = props
  const [search, setSearch] = useSearchParams()
  const active = filters.some(({ key }) => search[key])
  // On a phone the filters stay folded away until asked for.
  const [showFilters, setShowFilters] = useState(false)
  return (
    <Group gap="xs" className="toolbar" data-filters={showFilters || undefined}>
      {searchPlaceholder && <SearchField placeholder={searchPlaceholder} onLeave={onLeave} />}
      {filters.length > 0 && (
        <ActionIcon
          size="lg"
          hiddenFrom="sm"
          aria-label="Filters"
          aria-expanded={showFilters}
          variant={active || showFilters ? 'light' : 'subtle'}
          {...((active || showFilters) && { color: 'accent' })}
          onClick={() => setShowFilters(!showFilters)}
        >
          <IconFilter size={18} />
        </ActionIcon>
      )}
      {filters
        .filter(({ more }) => !more)
        .map((filter) => (
          <FilterField key={filter.key} filter={filter} />
        ))}
      <MoreFilters filters={filters.filter(({ more }) => more)} />
      {active && (
        <Button
          variant="subtle"
          color="gray"
          className="toolbar-clear"
          onClick={() => setSearch(Object.fromEntries(filters.map(({ key }) => [key, undefined])))}
        >
          Clear
        </Button>
      )}
      <Group gap={4} ml="auto" wrap="nowrap">
        <ColumnChooser columns={columns.slice(1)} hidden={hidden} />
        <Tooltip label="Refresh">
          <ActionIcon size="lg" aria-label="Refresh" loading={fetching} onClick={onRefresh}>
            <IconRefresh size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  )
}

type ColumnChooserProps = Pick<ListToolbarProps, 'columns' | 'hidden'>

const ColumnChooser = ({ columns, hidden }: ColumnChooserProps) => (
  <Popover position="bottom-end" shadow="md" withinPortal trapFocus returnFocus>
    <Popover.Target>
      <ActionIcon size="lg" aria-label="Choose columns" title="Columns">
        <IconColumns3 size={18} />
      </ActionIcon>
    </Popover.Target>
    <Popover.Dropdown>
      <Stack gap="xs">
        {columns.map(({ key, title }) => (
          <Checkbox key={key} size="xs" label={title} checked={!hidden.has(key)} onChange={() => hidden.toggle(key)} />
        ))}
      </Stack>
    </Popover.Dropdown>
  </Popover>
)

const SearchField = ({ placeholder, onLeave }: { placeholder: string; onLeave: () => void }) => {
  const [search, setSearch] = useSearchParams()
  const [text, setText] = useState(search.q ?? '')
  const input = useRef<HTMLInputElement>(null)
  // A finger has no key to press, and a narrow field no room to tell of one.
  const keyboard = useMediaQuery('(hover: hover) and (min-width: 48em)', true)
  const apply = useDebouncedCallback((q: string) => setSearch({ q: q.trim() }), 250)
  useHotkeys([['/', () => input.current?.focus()]])
  // The address can change without this field: Back, or "clear filters".
  useEffect(() => setText((shown) => (shown.trim() === (search.q ?? '') ? shown : (search.q ?? ''))), [search.q])
  return (
    <TextInput
      ref={input}
      className="toolbar-search"
      aria-label={placeholder}
      placeholder={keyboard ? `${placeholder}  ( / )` : placeholder}
      leftSection={<IconSearch size={16} />}
      type="search"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        apply(event.currentTarget.value)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        event.currentTarget.blur()
        onLeave()
      }}
    />
  )
}
