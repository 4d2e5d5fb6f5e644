import { ActionIcon, Group, Indicator, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedCallback, useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconFilter, IconRefresh, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { filterText } from '../../lib/lists/filter-text.ts'
import { type Filter, isSet } from '../../lib/lists/filters.ts'
import type { ListLook } from '../../lib/lists/list-look.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { useScreenKeys } from '../../lib/screen/screen-keys.ts'
import { usePhone } from '../../lib/screen/use-phone.ts'
import { usePrinting } from '../../lib/screen/use-printing.ts'
import { say } from '../../lib/text/words.ts'
import { FilterChips } from './filter-chips.tsx'
import { ListDisplay } from './list-display.tsx'

type ListToolbarProps = {
  filters: readonly Filter[]
  columns: readonly { key: string; title: string }[]
  look: ListLook
  fetching: boolean
  searchPlaceholder: string | undefined
  onRefresh: () => void
  /** Called when the reader presses the down arrow in the search field. */
  onLeave: () => void
  /** Drawn before the buttons on the right, such as the saved views. */
  children?: ReactNode
}

/** Draws one line above a list with its search, filters and columns; a phone shows the filters below on demand. */
export const ListToolbar = (props: ListToolbarProps) => {
  const { filters, columns, look, fetching, searchPlaceholder, onRefresh, onLeave, children } = props
  const isPhone = usePhone()
  const [opened, { toggle }] = useDisclosure()
  if (usePrinting()) return <PrintedFilters filters={filters} />
  return (
    <Group gap="xs" className="toolbar" align="flex-start" wrap="nowrap">
      <Group gap={6} className="toolbar-narrow">
        {searchPlaceholder && <SearchField placeholder={searchPlaceholder} onLeave={onLeave} />}
        {!isPhone && <FilterChips filters={filters} />}
      </Group>
      <Group gap={2} wrap="nowrap" className="toolbar-look">
        {isPhone && filters.length > 0 && <FilterButton {...{ filters, opened, toggle }} />}
        {children}
        <ListDisplay columns={columns} look={look} />
        <Tooltip label={say('lists.refresh')}>
          <ActionIcon size="lg" aria-label={say('lists.refresh')} loading={fetching} onClick={onRefresh}>
            <IconRefresh size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
      {isPhone && opened && (
        <Group gap={6} className="toolbar-filters">
          <FilterChips filters={filters} />
        </Group>
      )}
    </Group>
  )
}

/** Says on paper which rows these are. */
const PrintedFilters = ({ filters }: { filters: readonly Filter[] }) => {
  const [search] = useSearchParams()
  const texts = filters
    .filter((filter) => isSet(search, filter))
    .map((filter) => say('lists.filter_chip', { label: filter.label, value: filterText(filter, search) }))
  const all = [...(search.q ? [say('lists.print.search', { text: search.q })] : []), ...texts]
  return all.length > 0 && <p className="print-filters">{all.join(' · ')}</p>
}

type FilterButtonProps = { filters: readonly Filter[]; opened: boolean; toggle: () => void }

/** Shows or hides the filters, with the number of those that are set. */
const FilterButton = ({ filters, opened, toggle }: FilterButtonProps) => {
  const [search] = useSearchParams()
  const count = filters.filter((filter) => isSet(search, filter)).length
  return (
    <Indicator label={count} size={15} offset={7} zIndex={1} disabled={count === 0}>
      <ActionIcon size="lg" aria-label={say('lists.filters', { count })} aria-expanded={opened} onClick={toggle}>
        <IconFilter size={18} />
      </ActionIcon>
    </Indicator>
  )
}

const SearchField = ({ placeholder, onLeave }: { placeholder: string; onLeave: () => void }) => {
  const [search, setSearch] = useSearchParams()
  const [text, setText] = useState(search.q ?? '')
  const input = useRef<HTMLInputElement>(null)
  // A touch screen has no key for the search, and a narrow field no room for the hint.
  const keyboard = useMediaQuery('(hover: hover) and (min-width: 48em)', true)
  const apply = useDebouncedCallback((q: string) => setSearch({ q: q.trim() }), 250)
  useScreenKeys([{ key: '/', does: say('lists.keys.search'), act: () => input.current?.focus() }])
  // The address can change without this field: by Back, or "clear filters".
  useEffect(() => setText((shown) => (shown.trim() === (search.q ?? '') ? shown : (search.q ?? ''))), [search.q])
  return (
    <TextInput
      ref={input}
      className="toolbar-search"
      aria-label={placeholder}
      placeholder={keyboard ? say('lists.search_key', { placeholder }) : placeholder}
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
