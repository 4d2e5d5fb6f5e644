import { Button, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { sumByCurrency } from '../../lib/text/decimal.ts'
import { say } from '../../lib/text/words.ts'
import { Money } from '../show/money.tsx'
import type { ChooseMore } from './choose-more.ts'

type ListBulkProps = {
  chosen: readonly unknown[]
  /** How many of the rows read so far cannot be chosen, and how many of the chosen ones have left the list. */
  barred: number
  gone: number
  /** The most rows that the actions take at once. */
  most: number
  /** The number of rows in all, if it is known. */
  total: number | null
  more: ChooseMore
  onClear: () => void
  children: ReactNode
}

type Amount = { amount: string; currency: string }
const hasAmount = (row: unknown): row is Amount =>
  typeof row === 'object' &&
  row !== null &&
  'amount' in row &&
  'currency' in row &&
  typeof row.amount === 'string' &&
  typeof row.currency === 'string'

/** Shows the actions on the chosen rows with their sums; it covers the foot of the list and moves nothing. */
export const ListBulk = ({ chosen, barred, gone, most, total, more, onClear, children }: ListBulkProps) => {
  const isTooMany = chosen.length > most
  const notes = [
    isTooMany && say('lists.too_many_chosen', { most }),
    barred > 0 && say('lists.not_selectable', { count: barred }),
    gone > 0 && say('lists.gone', { count: gone }),
  ].filter((note) => note !== false)
  return (
    <Paper className="bulk">
      {more.reading === null ? (
        <>
          <Text size="sm" fw={500} role="status">
            {say('lists.selected', { count: chosen.length })}
          </Text>
          <ChosenSums rows={chosen.filter(hasAmount)} />
          {notes.map((note) => (
            <Text key={note} size="xs" c="dimmed">
              {note}
            </Text>
          ))}
          {more.offer && (
            <Button size="xs" variant="light" onClick={more.start}>
              {say(more.offer.isAll ? 'lists.choose_all' : 'lists.choose_first', {
                count: more.offer.count,
                ...(!more.offer.isAll && { total: total ?? chosen.length }),
              })}
            </Button>
          )}
          {!isTooMany && children}
        </>
      ) : (
        <>
          <Text size="sm" role="status">
            {say('lists.choosing', { read: more.reading, total: total ?? most })}
          </Text>
          <Button size="xs" variant="default" onClick={more.stop}>
            {say('parts.bulk.stop')}
          </Button>
        </>
      )}
      <Button size="xs" variant="subtle" color="gray" onClick={onClear}>
        {say('lists.clear_selection')}
      </Button>
    </Paper>
  )
}

/** Adds up the chosen amounts, each currency by itself. */
const ChosenSums = ({ rows }: { rows: readonly Amount[] }) =>
  sumByCurrency(rows).map(([currency, sum]) => <Money key={currency} amount={sum} currency={currency} size="sm" />)
