import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import {
  commissionLines as lines,
  commissionRuns as runs,
  SOURCE_TYPES,
} from '../../growth/commissions/commissions.table.ts'
import type { Stretch } from './reporting.period.ts'

export { SOURCE_TYPES }
export type SourceType = (typeof SOURCE_TYPES)[number]

/** `count` commission lines of one day with the same amount, in minor units of the currency. */
type Revenue = { sourceType: SourceType; day: string; currency: string; amount: bigint; count: number }

const OF_DAY = statement(
  sql`SELECT ${listed({ sourceType: lines.sourceType, currency: lines.currency, amount: lines.amount, n: sql`count(*)` })}
  FROM ${lines} JOIN ${runs} ON ${runs.tenantId} = ?1 AND ${runs.id} = ${lines.runId} AND ${runs.status} = 'closed'
  WHERE ${lines.tenantId} = ?1 AND ${lines.occurredAt} >= ?2 AND ${lines.occurredAt} < ?3 AND ${lines.amount} <> 0
  GROUP BY ${lines.sourceType}, ${lines.currency}, ${lines.amount}`,
)

/** Yields commission by type of source, day by day, from lines of closed runs. RULES “Commissions”. */
export function* commissionRevenue(db: Reader, days: readonly Stretch[]): Generator<Revenue> {
  type Row = { sourceType: SourceType; currency: string; amount: number; n: number }
  for (const { name: day, start, end } of days)
    for (const { n, amount, ...row } of db.query<Row>(OF_DAY, [start, end]))
      yield { ...row, day, amount: BigInt(amount), count: n }
}
