import {
  Button,
  CloseButton,
  createScopedKeydownHandler,
  Group,
  Popover,
  Stack,
  TextInput,
  UnstyledButton,
} from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { filterText } from '../../lib/lists/filter-text.ts'
import { cleared, type Filter, isSet } from '../../lib/lists/filters.ts'
import { useSearchParams } from '../../lib/lists/search-params.ts'
import { useScreenKeys } from '../../lib/screen/screen-keys.ts'
import { say } from '../../lib/text/words.ts'
import { FilterEditor } from './filter-editor.tsx'

/** The arrow keys move through the filters, and not through the rows of the list behind. */
const moveByArrows = createScopedKeydownHandler({
  parentSelector: '[data-filter-options]',
  siblingSelector: '.filter-option',
  activateOnFocus: false,
  loop: true,
  orientation: 'vertical',
})

const POPOVER = { position: 'bottom-start', shadow: 'md', width: 280, trapFocus: true, returnFocus: true } as const

/** Shows each filter of a list as a chip that a click changes and its cross removes, and a button for another one. */
export const FilterChips = ({ filters }: { filters: readonly Filter[] }) => {
  const [search] = useSearchParams()
  const rest = filters.filter((filter) => !isSet(search, filter))
  return (
    <>
      {filters
        .filter((filter) => isSet(search, filter))
        .map((filter) => (
          <Chip key={filter.key} filter={filter} value={filterText(filter, search)} />
        ))}
      {filters.length > 0 && <AddFilter filters={rest} />}
    </>
  )
}

const Chip = ({ filter, value }: { filter: Filter; value: string }) => {
  const [, setSearch] = useSearchParams()
  const [opened, setOpened] = useState(false)
  const { label } = filter
  return (
    <Popover {...POPOVER} opened={opened} onChange={setOpened}>
      <span className="chip">
        <Popover.Target>
          <UnstyledButton
            className="chip-value"
            aria-label={say('lists.filter_edit', { label, value })}
            title={value}
            onClick={() => setOpened(!opened)}
          >
            {say('lists.filter_chip', { label, value })}
          </UnstyledButton>
        </Popover.Target>
        <CloseButton
          size="xs"
          aria-label={say('lists.filter_clear', { label })}
          onClick={() => setSearch(cleared(filter))}
        />
      </span>
      <Popover.Dropdown>
        <FilterEditor filter={filter} onDone={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Offers the filters that are not set, and then asks for the value of the chosen one. */
const AddFilter = ({ filters }: { filters: readonly Filter[] }) => {
  const [opened, setOpened] = useState(false)
  const [chosen, setChosen] = useState<Filter | null>(null)
  const turn = (open: boolean): void => {
    setOpened(open)
    if (open) setChosen(null)
  }
  const may = filters.length > 0
  useScreenKeys(may ? [{ key: 'f', does: say('lists.keys.filter'), act: () => turn(true) }] : [])
  return (
    <Popover {...POPOVER} opened={opened} onChange={turn}>
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          className="filter-add"
          leftSection={<IconPlus size={15} />}
          aria-label={say('lists.filter_add')}
          aria-keyshortcuts="F"
          disabled={!may && !opened}
          onClick={() => turn(!opened)}
        >
          {say('lists.filter')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={chosen ? 'sm' : 4}>
        {chosen ? (
          <Stack gap="xs">
            <Group className="filter-name">{chosen.label}</Group>
            <Focused>
              <FilterEditor key={chosen.key} filter={chosen} onDone={() => setOpened(false)} />
            </Focused>
          </Stack>
        ) : (
          <FilterMenu filters={filters} onChoose={setChosen} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** Lists the filters on offer below a field that searches their names; Enter takes the first one that fits. */
const FilterMenu = ({ filters, onChoose }: { filters: readonly Filter[]; onChoose: (filter: Filter) => void }) => {
  const [wanted, setWanted] = useState('')
  const text = wanted.trim().toLowerCase()
  const shown = filters.filter(({ label }) => label.toLowerCase().includes(text))
  return (
    <Stack gap={0} data-filter-options>
      <TextInput
        size="xs"
        className="filter-search"
        aria-label={say('lists.filter_find')}
        placeholder={say('lists.filter_find')}
        value={wanted}
        data-autofocus
        onChange={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          const options = event.currentTarget.closest('[data-filter-options]')
          if (event.key === 'ArrowDown') options?.querySelector<HTMLElement>('.filter-option')?.focus()
          if (event.key !== 'Enter') return
          // Otherwise this Enter would press the button of the editor that gets the focus.
          event.preventDefault()
          if (shown[0]) onChoose(shown[0])
        }}
      />
      {shown.map((filter, at) => (
        <UnstyledButton
          key={filter.key}
          className="filter-option"
          data-first={at === 0 || undefined}
          onKeyDown={moveByArrows}
          onClick={() => onChoose(filter)}
        >
          {filter.label}
        </UnstyledButton>
      ))}
      {shown.length === 0 && <span className="filter-option dim">{say('palette.nothing')}</span>}
    </Stack>
  )
}

/** Moves the focus to the first control inside: the pressed option is gone, and the focus would otherwise be lost. */
const Focused = ({ children }: { children: ReactNode }) => {
  const area = useRef<HTMLDivElement>(null)
  useEffect(() => area.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  return <div ref={area}>{children}</div>
}
