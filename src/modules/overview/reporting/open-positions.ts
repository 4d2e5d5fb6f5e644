import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { positions } from '../../books/positions/positions.table.ts'
import type { DashboardFirm } from './dashboard.model.ts'
import { addConverted, amountOut } from './reporting.conversion.ts'

const ofLive = sql`${positions} JOIN ${accounts} ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${positions.accountId}
  WHERE ${positions.tenantId} = ?1 AND ${positions.status} = 'open' AND ${accounts.isDemo} = 0
  AND ${positions.openedAt} >= coalesce(${accounts.liveSince}, 0)`
const OPEN = statement(
  sql`SELECT ${listed({ currency: positions.currency, n: sql`count(*)`, profit: sumAsText(positions.profit) })}
  FROM ${ofLive} AND ${positions.currency} IS NOT NULL GROUP BY ${positions.currency}`,
)
const HOLDERS = statement(sql`SELECT count(DISTINCT ${positions.traderId}) AS n FROM ${ofLive}`)

/** Reads the open positions of live accounts, and what clients win or lose by them as platforms last reported. */
export function readOpen(
  db: Reader,
  convert: (minor: bigint, currency: string) => bigint | null,
  into: string,
): DashboardFirm['open'] {
  const rows = db.query<{ currency: string; n: number; profit: string }>(OPEN)
  const profit = rows.reduce<bigint | null>(
    (sum, row) => addConverted(sum, convert(readSum(row.profit), row.currency)),
    0n,
  )
  return {
    positions: rows.reduce((sum, { n }) => sum + n, 0),
    traders: db.query<{ n: number }>(HOLDERS)[0]?.n ?? 0,
    profit: amountOut(profit, into),
  }
}
