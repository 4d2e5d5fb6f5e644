import { type Column, sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'

const within = (of: typeof deposits | typeof withdrawals | typeof positions, at: Column) =>
  sql`SELECT ${of.traderId} FROM ${of}
  WHERE ${of.tenantId} = ?1 AND ${at} >= ?2 AND ${at} < ?3 AND ${of.traderId} IS NOT NULL`
const ACTIVE = statement(
  sql`SELECT count(*) AS n FROM (${within(deposits, deposits.settledAt)}
  UNION ${within(withdrawals, withdrawals.paidAt)}
  UNION ${within(positions, positions.openedAt)}
  UNION ${within(positions, positions.closedAt)})`,
)

/** Counts the clients who paid in, were paid, or opened or closed a position between two moments. RULES “Reports”. */
export const countActive = (db: Reader, from: number, to: number): number =>
  db.query<{ n: number }>(ACTIVE, [from, to])[0]?.n ?? 0
