import { Group, Text } from '@mantine/core'
import type { Query } from '../../api.ts'
import { usePrinting } from '../../lib/screen/use-printing.ts'
import { say } from '../../lib/text/words.ts'
import { Money } from '../show/money.tsx'
import { LoadMore, type Pages } from './list-rest.tsx'

/** The count and sums over all rows of a list, if its operation has them. */
export type Totals = {
  total?: number
  /** Set if there may be more than `total` rows, which were not counted. */
  totalIsMinimum?: boolean
  /** Null if there are too many rows to add up. */
  sums?: { currency: string; count: number; amount: string }[] | null
}

export type Counted = 'count' | 'sums'

/** Returns the parameters with which the first page of a list also asks for totals. */
export const askedTotals = (counted: Counted | undefined): Query =>
  counted === undefined ? {} : { count: 'true', ...(counted === 'sums' && { sums: 'true' }) }

function shownText(shown: number, more: boolean, { total, totalIsMinimum = false }: Totals): string {
  if (!more) return say(totalIsMinimum ? 'lists.shown_of_search' : 'lists.shown', { count: shown })
  if (total === undefined) return say('lists.shown_some', { count: shown })
  return say(totalIsMinimum ? 'lists.shown_of_more' : 'lists.shown_of', { count: shown, total })
}

type ListFootProps = {
  shown: number
  totals: Totals | undefined
  /** Names the column that is added up, in a list with several columns of money. */
  sumOf: string | undefined
  list: Pages
}

/** Shows below the rows their number, their sums in each currency, and the button for the next ones. */
export const ListFoot = ({ shown, totals = {}, sumOf, list }: ListFootProps) => (
  <Group className="list-foot" gap="sm" justify="space-between">
    {!(usePrinting() && list.hasNextPage) && (
      <Text size="xs" c="dimmed" aria-live="polite">
        {shownText(shown, list.hasNextPage, totals)}
      </Text>
    )}
    <Group gap="md" className="list-sums">
      {sumOf && (totals.sums ?? []).length > 0 && (
        <Text size="xs" c="dimmed">
          {sumOf}
        </Text>
      )}
      {(totals.sums ?? []).map(({ currency, amount }) => (
        <Money key={currency} amount={amount} currency={currency} size="xs" />
      ))}
    </Group>
    <LoadMore list={list} size="compact-xs" />
  </Group>
)
