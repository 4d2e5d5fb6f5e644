import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { say } from '../../lib/text/words.ts'
import { holdsButtons } from './list-column.ts'

type Sorted = { title: string; sort?: string; unsorted?: string; upFirst?: boolean }
export type Direction = 'ascending' | 'descending'

/** The order of a list, and the functions that change it. */
export type Sorting = {
  of(column: Sorted): Direction | 'none' | undefined
  /** Sorts by a column, or reverses the order if the list is sorted by it. */
  by(column: Sorted): void
  to(column: Sorted, direction: Direction): void
}

/** Returns the order of a list: `asked` is the order in the address, `usual` applies if the address has none. */
export function toSorting(asked: string | undefined, usual: string, set: (sort: string) => void): Sorting {
  const now = asked || usual
  const of: Sorting['of'] = ({ sort }) => {
    if (sort === undefined) return undefined
    if (now === sort) return 'ascending'
    return now === `-${sort}` ? 'descending' : 'none'
  }
  const to: Sorting['to'] = ({ sort = '' }, direction) => set(direction === 'ascending' ? sort : `-${sort}`)
  return {
    of,
    to,
    by: (column) => {
      // The newest and the largest come first, since they are looked for most; names begin with A.
      const isUp = of(column) === 'none' ? column.upFirst === true : of(column) === 'descending'
      to(column, isUp ? 'ascending' : 'descending')
    },
  }
}

const ICONS = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }

/** The title of a column; it is a button if the list can be sorted by it. */
export const SortHead = ({ column, sorting }: { column: Sorted; sorting: Sorting | null }) => {
  // A column of buttons has no visible title, only one for screen readers.
  if (holdsButtons(column)) return <span className="sr-only">{say('lists.actions')}</span>
  const state = sorting?.of(column)
  if (!state)
    return (
      <span className="rows-title" title={sorting ? column.unsorted : undefined}>
        {column.title}
      </span>
    )
  const Icon = ICONS[state]
  return (
    <UnstyledButton
      className="rows-title"
      data-sorted={state !== 'none' || undefined}
      onClick={() => sorting?.by(column)}
    >
      {column.title} <Icon size={13} aria-hidden />
    </UnstyledButton>
  )
}
