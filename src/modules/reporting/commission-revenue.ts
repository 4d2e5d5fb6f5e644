import { sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { positions } from '../positions/positions.table.ts'
import type { Stretch } from './reporting.period.ts'

/** What brings commission. rules.md “Commissions”. */
export const SOURCE_TYPES = ['trade', 'deposit', 'revenue', 'override', 'correction'] as const
export type SourceType = (typeof SOURCE_TYPES)[number]

/** So many sources of one day that brought the same: minor units of the currency, for each. */
export type Revenue = { sourceType: SourceType; day: string; currency: string; amount: bigint; count: number }

// A platform reports commission as what it does to the account: what a client paid is below zero there.
const TRADES = statement(
  sql`SELECT ${listed({ currency: positions.currency, amount: sql`-${positions.commission}`, n: sql`count(*)` })}
  FROM ${positions} JOIN ${accounts} ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${positions.accountId}
    AND ${accounts.isDemo} = 0
  WHERE ${positions.tenantId} = ?1 AND ${positions.closedAt} >= ?2 AND ${positions.closedAt} < ?3
    AND ${positions.status} = 'closed' AND ${positions.assumedClosed} = 0 AND ${positions.commission} <> 0
    AND ${positions.currency} IS NOT NULL
  GROUP BY ${positions.currency}, ${positions.commission}`,
)

/**
 * The commission of a period, day by day: of trades what live accounts paid on positions that their platform closed.
 * Never of a demo account, nor of a position that only a snapshot closed.
 */
export function* commissionRevenue(db: Reader, days: readonly Stretch[]): Generator<Revenue> {
  for (const { name: day, start, end } of days)
    for (const row of db.query<{ currency: string; amount: number; n: number }>(TRADES, [start, end]))
      yield { sourceType: 'trade', day, currency: row.currency, amount: BigInt(row.amount), count: row.n }
}
