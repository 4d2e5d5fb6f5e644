import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { isCentCurrency } from '../../../platform/money.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { positions } from '../../books/positions/positions.table.ts'

/** A closed position for commissions. Amounts are minor units of `currency`, lots are units of 0.00000001 lot. */
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
  assumedClosed: number
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
  id: positions.id,
  traderId: positions.traderId,
  owner: OWNER,
  symbol: positions.symbol,
  lots: positions.openedVolume,
  currency: positions.currency,
  spread: positions.spread,
  commission: positions.commission,
  swap: positions.swap,
  openedAt: positions.openedAt,
  closedAt: positions.closedAt,
  isDemo: accounts.isDemo,
  liveSince: accounts.liveSince,
  assumedClosed: positions.assumedClosed,
})
const WITH_ACCOUNT = sql`${positions} LEFT JOIN ${accounts} ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${positions.accountId}`
const CLOSED = sql`${positions.tenantId} = ?1 AND ${positions.status} = 'closed'`
const IN_PERIOD = statement(
  sql`SELECT ${FIELDS} FROM ${WITH_ACCOUNT} WHERE ${CLOSED} AND ${positions.closedAt} < ?4
  AND (${positions.closedAt}, ${positions.id}) > (?2, ?3) ORDER BY ${positions.closedAt}, ${positions.id} LIMIT ?5`,
)
const CHANGED = statement(
  sql`SELECT ${FIELDS}, ${positions.updatedAt} AS changedAt FROM ${WITH_ACCOUNT} WHERE ${CLOSED}
  AND (${positions.updatedAt}, ${positions.id}) > (?2, ?3) ORDER BY ${positions.updatedAt}, ${positions.id} LIMIT ?4`,
)
const FIRST_CHANGED = statement(
  sql`SELECT min(${positions.closedAt}) AS first FROM ${positions} WHERE ${CLOSED} AND ${positions.updatedAt} >= ?2
  AND ${positions.closedAt} < ?3`,
)
const ONE = statement(sql`SELECT ${FIELDS} FROM ${WITH_ACCOUNT} WHERE ${CLOSED} AND ${positions.id} = ?2`)

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

/** Returns positions closed before `until`, in order, starting behind a place (`closedAt`, `id`). */
export const tradesFrom = (db: Reader, after: [number, string], until: number, limit: number): Trade[] =>
  db.query<TradeRow>(IN_PERIOD, [...after, until, limit]).map(toTrade)
/** Returns closed positions that changed after a moment, in order, starting behind a place (`updatedAt`, `id`). */
export const changedTrades = (db: Reader, after: [number, string], limit: number): (Trade & { changedAt: number })[] =>
  db
    .query<TradeRow & { changedAt: number }>(CHANGED, [...after, limit])
    .map((row) => ({ ...toTrade(row), changedAt: row.changedAt }))
/** Returns the earliest closing time of positions that changed since a moment and closed before another one. */
export const firstChanged = (db: Reader, since: number, before: number): number | null =>
  db.query<{ first: number | null }>(FIRST_CHANGED, [since, before])[0]?.first ?? null
export const findTrade = (db: Reader, id: string): Trade | undefined => db.query<TradeRow>(ONE, [id]).map(toTrade)[0]
