import type { Tx } from '../../../platform/db/tx.ts'
import { asReported, inCurrency, sameAmount, toWireAmounts } from './positions.amounts.ts'
import { emit, save } from './positions.reported.ts'
import { isListened } from './positions.sync.ts'
import { positions } from './positions.table.ts'

/** The price of an open position now, with what it brought so far; amounts are decimals. */
export type Price = { ticket: string; currentPrice: string; profit: string; swap: string }

/**
 * Writes prices of open positions that moved, each position at most once in `every` milliseconds. Returns the tickets
 * that are not open here.
 */
export function takePrices(
  tx: Tx,
  { platform, server }: { platform: string; server: string },
  prices: readonly Price[],
  every: number,
): string[] {
  const listened = isListened(tx)
  const tickets = prices.map(({ ticket }) => ticket)
  const known = new Map(tx.list(positions, { platform, server, ticket: tickets }).map((row) => [row.ticket, row]))
  const unknown: string[] = []
  for (const { ticket, currentPrice, profit, swap } of prices) {
    const before = known.get(ticket)
    if (before?.status !== 'open') unknown.push(ticket)
    if (before?.status !== 'open' || tx.now - before.updatedAt < every) continue
    const { commission, spread } = toWireAmounts(before)
    const said = { profit, swap, commission, ...(spread === null ? {} : { spread }) }
    const amounts = before.currency === null ? asReported(said) : inCurrency(said, before.currency)
    if (amounts === null) continue
    const after = { ...before, ...amounts }
    if (
      before.currentPrice === currentPrice &&
      sameAmount(before, after, 'profit') &&
      sameAmount(before, after, 'swap')
    )
      continue
    const row = save(tx, before, { ...amounts, currentPrice })
    if (listened) emit(tx, 'position.updated', row)
  }
  return unknown
}
