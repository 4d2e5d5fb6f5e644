import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { traders } from './traders.table.ts'

const MERGED = statement(
  sql`SELECT ${listed({ id: traders.id })} FROM ${traders} WHERE ${traders.tenantId} = ?1 AND ${traders.mergedInto} = ?2`,
)

/** Returns a client's row and every row that was merged into it, since books and audit still name those. */
export const listPersonRows = (db: Reader, traderId: string): string[] => [
  traderId,
  ...db.query<{ id: string }>(MERGED, [traderId]).map(({ id }) => id),
]
