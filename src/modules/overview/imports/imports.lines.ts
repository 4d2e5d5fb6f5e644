import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import type { Reading } from './imports.fields.ts'
import { type ImportLineRow, importLines, KEPT, type LineError } from './imports.table.ts'

/** Returns mistakes of a line; those of a trading server name the login, since nobody has a file to look into. */
export const nameLogin = (
  { cells }: Pick<ImportLineRow, 'cells'>,
  { terminal }: Reading,
  errors: readonly LineError[],
): LineError[] =>
  errors.map((error) => ({
    ...error,
    message: terminal
      ? say('imports.line.of_login', { login: cells.accountNumber ?? '', message: error.message })
      : error.message,
  }))

const NEXT = ` AND import_lines.import_id = ? AND import_lines.status = ? AND import_lines.line > ?
  ORDER BY import_lines.line LIMIT ?`
/** Returns the next lines of an import in this state, after a line. */
export const nextLines = (
  db: Reader,
  importId: string,
  status: ImportLineRow['status'],
  after: number,
  most: number,
): ImportLineRow[] => db.select(importLines, NEXT, [importId, status, after, most])

const WITH_ERRORS = ` AND import_lines.import_id = ? AND import_lines.errors <> '[]' AND import_lines.line > ?
  ORDER BY import_lines.line LIMIT ?`
/** Returns the next lines that have mistakes. */
export const wrongLines = (db: Reader, importId: string, after: number, most: number): ImportLineRow[] =>
  db.select(importLines, WITH_ERRORS, [importId, after, most])

const isKept = `errors LIKE '%"code":"${KEPT}"%'`
const WITH_MISTAKES = ` AND import_lines.import_id = ? AND import_lines.errors <> '[]'
  AND NOT (status <> 'refused' AND ${isKept}) ORDER BY import_lines.line LIMIT ?`
const WITH_NOTES = ` AND import_lines.import_id = ? AND status <> 'refused' AND ${isKept}
  ORDER BY import_lines.line LIMIT ?`
/** Returns the first lines that have mistakes, or from which something was kept as text. */
export const firstLines = (db: Reader, importId: string, which: 'mistakes' | 'notes', most: number): ImportLineRow[] =>
  db.select(importLines, which === 'mistakes' ? WITH_MISTAKES : WITH_NOTES, [importId, most])

/** What the check found about one line. */
export type Finding = {
  line: number
  status: ImportLineRow['status']
  errors: LineError[]
  currency: string | null
  balance: bigint | null
  /** The client; null if they do not exist yet. */
  traderId: string | null
  posted: ImportLineRow['posted']
}

const FOUND = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.status)} = ?4, ${bare(importLines.errors)} = ?5,
    ${bare(importLines.currency)} = ?6, ${bare(importLines.balance)} = ?7, ${bare(importLines.traderId)} = ?8,
    ${bare(importLines.posted)} = ?9
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2 AND ${importLines.line} = ?3`,
)

export function keepFindings(tx: Tx, importId: string, findings: readonly Finding[]): void {
  for (const { line, status, errors, currency, balance, traderId, posted } of findings)
    tx.execute(FOUND, [importId, line, status, JSON.stringify(errors), currency, balance, traderId, posted])
}

const DONE = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.status)} = ?3, ${bare(importLines.traderId)} = ?4,
    ${bare(importLines.accountId)} = ?5, ${bare(importLines.isMaker)} = ?6, ${bare(importLines.errors)} = ?7,
    ${bare(importLines.cells)} = '{}', ${bare(importLines.emailKey)} = NULL
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.id} = ?2`,
)
/** Stores the result of a line; its text is removed, since it is no longer needed. */
export const keepLine = (
  tx: Tx,
  id: string,
  made: Pick<ImportLineRow, 'status' | 'traderId' | 'accountId' | 'isMaker' | 'errors'>,
): void => {
  const { status, traderId, accountId, isMaker, errors } = made
  tx.execute(DONE, [id, status, traderId, accountId, isMaker ? 1 : 0, JSON.stringify(errors)])
}

const TO_UNDO = ` AND import_lines.import_id = ? AND import_lines.status IN ('done', 'known') AND import_lines.line > ?
  ORDER BY import_lines.line LIMIT ?`
/** Returns the next lines that made something. */
export const linesToUndo = (db: Reader, importId: string, after: number, most: number): ImportLineRow[] =>
  db.select(importLines, TO_UNDO, [importId, after, most])

const OF_CLIENT = ` AND import_lines.import_id = ? AND import_lines.trader_id = ?
  AND import_lines.status IN ('done', 'known') ORDER BY import_lines.line`
/** Returns the lines of a file that made something for one client. */
export const listClientLines = (db: Reader, importId: string, traderId: string): ImportLineRow[] =>
  db.select(importLines, OF_CLIENT, [importId, traderId])
