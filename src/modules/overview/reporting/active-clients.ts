import { type Column, sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'

const within = (of: typeof deposits | typeof withdrawals | typeof positions, at: Column) =>
  sql`SELECT ${of.traderId} FROM ${of}
  WHERE ${of.tenantId} = ?1 AND ${at} >= ?2 AND ${at} < ?3 AND ${of.traderId} IS NOT NULL`
// demo trades count nowhere in these figures, since they are not business of the firm
const IS_LIVE = sql`EXISTS (SELECT 1 FROM ${accounts} WHERE ${accounts.tenantId} = ?1
  AND ${accounts.id} = ${positions.accountId} AND ${accounts.isDemo} = 0
  AND ${positions.openedAt} >= coalesce(${accounts.liveSince}, 0))`
const ACTIVE = statement(
  sql`SELECT count(*) AS n FROM (${within(deposits, deposits.settledAt)}
  UNION ${within(withdrawals, withdrawals.paidAt)}
  UNION ${within(positions, positions.openedAt)} AND ${IS_LIVE}
  UNION ${within(positions, positions.closedAt)} AND ${IS_LIVE})`,
)

/** Counts the clients who paid in, were paid, or opened or closed a position in a period. RULES “Reports”. */
export const countActive = (db: Reader, from: number, to: number): number =>
  db.query<{ n: number }>(ACTIVE, [from, to])[0]?.n ?? 0
