import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { type ImportLineRow, importLines } from './imports.table.ts'

/** A client may have this many lines: each is compared with the others, and one write undoes all of them. */
export const MOST_OF_CLIENT = 100

const OTHER = sql`${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2
  AND +${importLines.line} < ?3`
const EARLIER = statement(
  sql`SELECT ${listed({
    line: importLines.line,
    status: importLines.status,
    emailKey: importLines.emailKey,
    currency: importLines.currency,
    balance: importLines.balance,
    accountKey: importLines.accountKey,
    cells: importLines.cells,
  })} FROM ${importLines} INDEXED BY import_lines_client WHERE ${importLines.tenantId} = ?1
    AND ${importLines.externalId} = ?4 AND ${importLines.importId} = ?2 AND ${importLines.line} < ?3
  ORDER BY ${importLines.line} LIMIT ${sql.raw(String(MOST_OF_CLIENT))}`,
)
type Earlier = {
  line: number
  status: ImportLineRow['status']
  emailKey: string | null
  currency: string | null
  balance: number | bigint | null
  accountKey: string | null
  /** The values of the line, as JSON text. */
  cells: string
}
/** Returns earlier lines of the same file about the same client, oldest first, up to the limit. */
export const listEarlier = (db: Reader, { importId, line, externalId }: ImportLineRow): Earlier[] =>
  db.query<Earlier>(EARLIER, [importId, line, externalId])

const SAME_EMAIL = statement(
  sql`SELECT ${importLines.line} AS line FROM ${importLines} WHERE ${OTHER} AND ${importLines.emailKey} = ?4
    AND ${importLines.externalId} <> ?5 LIMIT 1`,
)
const SAME_ACCOUNT = statement(
  sql`SELECT ${importLines.line} AS line FROM ${importLines} WHERE ${OTHER} AND ${importLines.accountKey} = ?4 LIMIT 1`,
)
const findLine = (db: Reader, text: string, params: readonly SqlValue[]): number | null =>
  db.query<{ line: number }>(text, params)[0]?.line ?? null
/** Returns the earlier line that gives the same address to another client. */
export const sameEmail = (db: Reader, { importId, line, emailKey, externalId }: ImportLineRow): number | null =>
  emailKey === null ? null : findLine(db, SAME_EMAIL, [importId, line, emailKey, externalId])
/** Returns the earlier line that names the same account. */
export const sameAccount = (db: Reader, { importId, line, accountKey }: ImportLineRow): number | null =>
  accountKey === null ? null : findLine(db, SAME_ACCOUNT, [importId, line, accountKey])

const MADE = statement(
  sql`SELECT ${listed({
    traderId: importLines.traderId,
    deletedAt: traders.deletedAt,
    currency: importLines.currency,
    balance: importLines.balance,
    accountKey: importLines.accountKey,
    posted: importLines.posted,
  })} FROM ${importLines} CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${importLines.traderId}
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.externalId} = ?2 AND ${importLines.importId} <> ?3
    AND ${importLines.status} IN ('done', 'known', 'left')`,
)
type Made = {
  traderId: string
  deletedAt: number | null
  currency: string | null
  balance: number | null
  accountKey: string | null
  posted: ImportLineRow['posted']
}
/** Returns what earlier files made of the client with this id of the other system, even if deleted since. */
export const madeBefore = (db: Reader, { externalId, importId }: ImportLineRow): Made[] =>
  externalId === '' ? [] : db.query<Made>(MADE, [externalId, importId])

const MADE_HERE = statement(
  sql`SELECT ${importLines.traderId} AS "traderId" FROM ${importLines}
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2 AND ${importLines.externalId} = ?3
    AND ${importLines.traderId} IS NOT NULL LIMIT 1`,
)
/** Returns the client whom an earlier line of this file made or found. */
export const madeHere = (db: Reader, { importId, externalId }: ImportLineRow): string | null =>
  db.query<{ traderId: string }>(MADE_HERE, [importId, externalId])[0]?.traderId ?? null
