import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { isCentCurrency } from '../../../platform/money.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { positionClosings as closings, positions } from '../../books/positions/positions.table.ts'

/**
 * A closing for commissions, with what its position says. Amounts are minor units of `currency`, lots are units of
 * 0.00000001 lot.
 */
export type Trade = {
  id: string
  traderId: string | null
  /** The client whom the account belonged to before a merge, else its client. */
  owner: string | null
  symbol: string
  lots: bigint
  currency: string | null
  spread: bigint | null
  commission: bigint
  swap: bigint
  openedAt: number
  closedAt: number
  isDemo: number | null
  liveSince: number | null
  assumed: number
  void: number
}

type TradeRow = Omit<Trade, 'lots' | 'spread' | 'commission' | 'swap'> & {
  lots: number
  spread: number | null
  commission: number
  swap: number
}
/** The client of a trade as it was before merges, by the account. */
export const OWNER = sql`coalesce(${accounts.firstTraderId}, ${positions.traderId})`
const FIELDS = listed({
  id: closings.id,
  traderId: positions.traderId,
  owner: OWNER,
  symbol: positions.symbol,
  lots: closings.lots,
  currency: closings.currency,
  spread: closings.spread,
  commission: closings.commission,
  swap: closings.swap,
  openedAt: closings.openedAt,
  closedAt: closings.closedAt,
  isDemo: accounts.isDemo,
  liveSince: accounts.liveSince,
  assumed: closings.assumed,
  void: closings.void,
})
const JOINED = sql`${closings} CROSS JOIN ${positions} ON ${positions.tenantId} = ?1
    AND ${positions.id} = ${closings.positionId}
  LEFT JOIN ${accounts} ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${positions.accountId}`
const OWN = sql`${closings.tenantId} = ?1`
const IN_PERIOD = statement(
  sql`SELECT ${FIELDS} FROM ${JOINED} WHERE ${OWN} AND ${closings.closedAt} < ?4
  AND (${closings.closedAt}, ${closings.id}) > (?2, ?3) ORDER BY ${closings.closedAt}, ${closings.id} LIMIT ?5`,
)
const CHANGED = statement(
  sql`SELECT ${FIELDS}, ${closings.updatedAt} AS changedAt FROM ${JOINED} WHERE ${OWN}
  AND (${closings.updatedAt}, ${closings.id}) > (?2, ?3) ORDER BY ${closings.updatedAt}, ${closings.id} LIMIT ?4`,
)
const FIRST_CHANGED = statement(
  sql`SELECT min(${closings.closedAt}) AS first FROM ${closings} WHERE ${OWN} AND ${closings.updatedAt} >= ?2
  AND ${closings.closedAt} < ?3`,
)
const ONE = statement(sql`SELECT ${FIELDS} FROM ${JOINED} WHERE ${OWN} AND ${closings.id} = ?2`)

/** A lot on an account in cents is this part of the lot that plans pay for. */
const CENTS = 100n
export const readLots = (lots: number, currency: string | null): bigint =>
  currency !== null && isCentCurrency(currency) ? BigInt(lots) / CENTS : BigInt(lots)

const toTrade = (row: TradeRow): Trade => ({
  ...row,
  lots: readLots(row.lots, row.currency),
  spread: row.spread === null ? null : BigInt(row.spread),
  commission: BigInt(row.commission),
  swap: BigInt(row.swap),
})

/** Returns what closed before `until`, in order, starting behind a place (`closedAt`, `id`). */
export const tradesFrom = (db: Reader, after: [number, string], until: number, limit: number): Trade[] =>
  db.query<TradeRow>(IN_PERIOD, [...after, until, limit]).map(toTrade)
/** Returns closings that changed after a moment, in order, starting behind a place (`updatedAt`, `id`). */
export const changedTrades = (db: Reader, after: [number, string], limit: number): (Trade & { changedAt: number })[] =>
  db
    .query<TradeRow & { changedAt: number }>(CHANGED, [...after, limit])
    .map((row) => ({ ...toTrade(row), changedAt: row.changedAt }))
/** Returns the earliest closing time of closings that changed since a moment and closed before another one. */
export const firstChanged = (db: Reader, since: number, before: number): number | null =>
  db.query<{ first: number | null }>(FIRST_CHANGED, [since, before])[0]?.first ?? null
export const findTrade = (db: Reader, id: string): Trade | undefined => db.query<TradeRow>(ONE, [id]).map(toTrade)[0]
