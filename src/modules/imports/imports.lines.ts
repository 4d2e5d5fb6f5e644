import { sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db/reader.ts'
import { bare, listed, statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { SqlValue } from '../../platform/sqlite.ts'
import { foldEmail } from '../../platform/wire/fields.ts'
import { COUNTS_FOR } from '../independence/independence.service.ts'
import { CLIENT_TIES, clientActs } from '../independence/independence.table.ts'
import { traders } from '../traders/traders.table.ts'
import type { Cells, ImportField } from './imports.fields.ts'
import { externalIdOf } from './imports.plan.ts'
import { type ImportLineRow, importLines, imports, type LineError, type Tally } from './imports.table.ts'

const KEPT = statement(
  sql`INSERT INTO ${importLines} (tenant_id, id, import_id, line, status, cells, external_id, email_key, account_key,
    is_maker, posted, errors, created_at)
  SELECT ?1, ?2 || '_' || json_extract(value, '$[0]'), ?2, json_extract(value, '$[0]'), 'waiting',
    json_extract(value, '$[1]'), json_extract(value, '$[2]'), json_extract(value, '$[3]'), json_extract(value, '$[4]'),
    0, 'no', '[]', ?4 FROM json_each(?3)`,
)

/** A line of the file as it came: its number and what its cells fill. */
export type Arrived = { line: number; cells: Cells }

/**
 * The cells of a line by what they fill; empty ones fill nothing. `platform` is that of accounts that name none,
 * `width` how many heads there are.
 */
export function cellsOf(
  cells: readonly string[],
  { fields, platform, width }: { fields: ReadonlyMap<number, ImportField>; platform: string | null; width: number },
): Cells {
  const filled: Cells = {}
  for (const [column, field] of fields) {
    const text = cells[column]
    if (text !== undefined && text !== '') filled[field] = text
  }
  if (filled.accountNumber !== undefined && platform !== null) filled.platform ??= platform
  if (cells.slice(width).some((text) => text !== '')) filled.surplus = 'yes'
  return filled
}

/** The account that a line names, as two lines are compared. */
const accountKeyOf = ({ platform = '', accountNumber }: Cells): string | null =>
  accountNumber === undefined ? null : `${platform}\n${accountNumber}`

/** Keeps lines of a file until they are done; `hash` is a keyed one. */
export function keepLines(
  tx: Tx,
  importId: string,
  arrived: readonly Arrived[],
  hash: (externalId: string) => string,
): void {
  const hashOf = (externalId: string): string => (externalId === '' ? '' : hash(externalId))
  const rows = arrived.map(({ line, cells }) => [
    ...[line, JSON.stringify(cells), hashOf(externalIdOf(cells))],
    ...[cells.email === undefined ? null : foldEmail(cells.email), accountKeyOf(cells)],
  ])
  tx.execute(KEPT, [importId, JSON.stringify(rows), tx.now])
}

const NEXT = ` AND import_lines.import_id = ? AND import_lines.status = ? AND import_lines.line > ?
  ORDER BY import_lines.line LIMIT ?`
/** The next lines of an import in a state, behind a line. */
export const nextLines = (
  db: Reader,
  importId: string,
  status: ImportLineRow['status'],
  after: number,
  most: number,
): ImportLineRow[] => db.select(importLines, NEXT, [importId, status, after, most])

const TO_POST = ` AND import_lines.import_id = ? AND import_lines.status IN ('done', 'known') AND import_lines.posted = 'no'
  AND import_lines.balance > 0 AND import_lines.line > ? ORDER BY import_lines.line LIMIT ?`
/** The next lines whose opening balance is not in the books yet. */
export const linesToPost = (db: Reader, importId: string, after: number, most: number): ImportLineRow[] =>
  db.select(importLines, TO_POST, [importId, after, most])

const WITH_ERRORS = ` AND import_lines.import_id = ? AND import_lines.errors <> '[]' AND import_lines.line > ?
  ORDER BY import_lines.line LIMIT ?`
/** The next lines with mistakes. */
export const wrongLines = (db: Reader, importId: string, after: number, most: number): ImportLineRow[] =>
  db.select(importLines, WITH_ERRORS, [importId, after, most])

/** Lines of one client at most: each is compared with the others, and an undo takes them back in one write. */
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
  /** JSON. */
  cells: string
}
/** Earlier lines of the same file about the same client, the first one first, as many as a client may have. */
export const earlierOf = (db: Reader, { importId, line, externalId }: ImportLineRow): Earlier[] =>
  db.query<Earlier>(EARLIER, [importId, line, externalId])

const SAME_EMAIL = statement(
  sql`SELECT ${importLines.line} AS line FROM ${importLines} WHERE ${OTHER} AND ${importLines.emailKey} = ?4
    AND ${importLines.externalId} <> ?5 LIMIT 1`,
)
const SAME_ACCOUNT = statement(
  sql`SELECT ${importLines.line} AS line FROM ${importLines} WHERE ${OTHER} AND ${importLines.accountKey} = ?4 LIMIT 1`,
)
const lineOf = (db: Reader, text: string, params: readonly SqlValue[]): number | null =>
  db.query<{ line: number }>(text, params)[0]?.line ?? null
/** The line before this one that gives another client the same address. */
export const sameEmail = (db: Reader, { importId, line, emailKey, externalId }: ImportLineRow): number | null =>
  emailKey === null ? null : lineOf(db, SAME_EMAIL, [importId, line, emailKey, externalId])
/** The line before this one that names the same account. */
export const sameAccount = (db: Reader, { importId, line, accountKey }: ImportLineRow): number | null =>
  accountKey === null ? null : lineOf(db, SAME_ACCOUNT, [importId, line, accountKey])

const MADE = statement(
  sql`SELECT ${listed({
    traderId: importLines.traderId,
    deletedAt: traders.deletedAt,
    currency: importLines.currency,
    balance: importLines.balance,
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
  posted: ImportLineRow['posted']
}
/** What earlier files made of the client with this id in the other system, also of one who has been deleted since. */
export const madeBefore = (db: Reader, { externalId, importId }: ImportLineRow): Made[] =>
  externalId === '' ? [] : db.query<Made>(MADE, [externalId, importId])

const MADE_HERE = statement(
  sql`SELECT ${importLines.traderId} AS "traderId" FROM ${importLines}
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2 AND ${importLines.externalId} = ?3
    AND ${importLines.traderId} IS NOT NULL LIMIT 1`,
)
/** The client whom an earlier line of this file made or found. */
export const madeHere = (db: Reader, { importId, externalId }: ImportLineRow): string | null =>
  db.query<{ traderId: string }>(MADE_HERE, [importId, externalId])[0]?.traderId ?? null

/** What a check found of one line. */
export type Finding = {
  line: number
  status: ImportLineRow['status']
  errors: LineError[]
  currency: string | null
  balance: bigint | null
  /** Null where the client is not there yet. */
  traderId: string | null
  posted: ImportLineRow['posted']
}

const FOUND = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.status)} = ?4, ${bare(importLines.errors)} = ?5,
    ${bare(importLines.currency)} = ?6, ${bare(importLines.balance)} = ?7, ${bare(importLines.traderId)} = ?8,
    ${bare(importLines.posted)} = ?9
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2 AND ${importLines.line} = ?3`,
)

/** Keeps what a check found. */
export function keepFindings(tx: Tx, importId: string, findings: readonly Finding[]): void {
  for (const { line, status, errors, currency, balance, traderId, posted } of findings)
    tx.execute(FOUND, [importId, line, status, JSON.stringify(errors), currency, balance, traderId, posted])
}

// Progress is no change that the audit has to hold: its clients are there one by one.
const PROGRESS = statement(
  sql`UPDATE ${imports} SET ${bare(imports.cursor)} = ?3, ${bare(imports.tallies)} = ?4,
    ${bare(imports.refused)} = ${imports.refused} + ?5, ${bare(imports.created)} = ${imports.created} + ?6,
    ${bare(imports.known)} = ${imports.known} + ?7, ${bare(imports.accounts)} = ${imports.accounts} + ?8,
    ${bare(imports.undone)} = ${imports.undone} + ?9, ${bare(imports.left)} = ${imports.left} + ?10
  WHERE ${imports.tenantId} = ?1 AND ${imports.id} = ?2`,
)

type Progress = {
  cursor: number
  tallies: Readonly<Record<string, Tally>>
  refused?: number
  created?: number
  known?: number
  accounts?: number
  undone?: number
  left?: number
}
/** Keeps how far an import came, in the transaction of what it did. */
export function keepProgress(tx: Tx, importId: string, progress: Progress): void {
  const { cursor, tallies, refused = 0, created = 0, known = 0, accounts = 0, undone = 0, left = 0 } = progress
  tx.execute(PROGRESS, [
    ...[importId, cursor, JSON.stringify(tallies)],
    ...[refused, created, known, accounts, undone, left],
  ])
}

const DONE = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.status)} = ?3, ${bare(importLines.traderId)} = ?4,
    ${bare(importLines.accountId)} = ?5, ${bare(importLines.isMaker)} = ?6, ${bare(importLines.errors)} = ?7,
    ${bare(importLines.cells)} = '{}', ${bare(importLines.emailKey)} = NULL
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.id} = ?2`,
)
/** Keeps what became of a line; its text is not needed any more. */
export const keepLine = (
  tx: Tx,
  id: string,
  made: Pick<ImportLineRow, 'status' | 'traderId' | 'accountId' | 'isMaker' | 'errors'>,
): void => {
  const { status, traderId, accountId, isMaker, errors } = made
  tx.execute(DONE, [id, status, traderId, accountId, isMaker ? 1 : 0, JSON.stringify(errors)])
}

const POSTED = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.posted)} = ?3 WHERE ${importLines.tenantId} = ?1 AND ${importLines.id} = ?2`,
)
/** Keeps that the balance of a line is in the books, or not any more. */
export const keepPosted = (tx: Tx, id: string, isPosted: boolean): void =>
  void tx.execute(POSTED, [id, isPosted ? 'here' : 'no'])

const FAULTY = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.errors)} = ?3
    WHERE ${importLines.tenantId} = ?1 AND ${importLines.id} = ?2`,
)
/** Keeps why the balance of a line was not posted. */
export const keepFault = (tx: Tx, id: string, error: LineError): void =>
  void tx.execute(FAULTY, [id, JSON.stringify([error])])

const UNPOSTED = statement(
  sql`SELECT count(*) AS n FROM ${importLines} WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2
    AND ${importLines.status} IN ('done', 'known') AND ${importLines.posted} = 'no' AND ${importLines.balance} > 0`,
)
/** How many balances of an import are not in the books. */
export const unpostedLines = (db: Reader, importId: string): number =>
  db.query<{ n: number }>(UNPOSTED, [importId])[0]?.n ?? 0

// Of a client who was there already a line says so from the check on, whether anything came of it or not.
const madeNothing = sql`${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2
  AND ${importLines.status} IN ('waiting', 'ready', 'refused')`
const GONE = statement(
  sql`DELETE FROM ${importLines} WHERE ${importLines.tenantId} = ?1 AND rowid IN (SELECT rowid FROM ${importLines}
    WHERE ${madeNothing} AND (${importLines.errors} = '[]' OR ?4) LIMIT ?3)`,
)
const CLEARED = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.cells)} = '{}', ${bare(importLines.emailKey)} = NULL,
    ${bare(importLines.accountKey)} = NULL, ${bare(importLines.externalId)} = ''
  WHERE ${importLines.tenantId} = ?1 AND rowid IN (SELECT rowid FROM ${importLines}
    WHERE ${madeNothing} AND ${importLines.cells} <> '{}' LIMIT ?3)`,
)
const FORGOTTEN = statement(
  sql`UPDATE ${imports} SET ${bare(imports.forgotten)} = ?3 WHERE ${imports.tenantId} = ?1 AND ${imports.id} = ?2`,
)
/**
 * Forgets lines of an import that is over and made nothing of them, `most` at once: those without mistakes and the
 * texts of the others, or, `withErrors`, all of them. Answers how many it came to; after the last one it notes so.
 */
export function forgetLines(tx: Tx, importId: string, most: number, withErrors: boolean): number {
  const gone = tx.execute(GONE, [importId, most, withErrors ? 1 : 0])
  const count = gone > 0 ? gone : tx.execute(CLEARED, [importId, most])
  if (count === 0) tx.execute(FORGOTTEN, [importId, withErrors ? 2 : 1])
  return count
}

const TO_UNDO = ` AND import_lines.import_id = ? AND import_lines.status IN ('done', 'known') AND import_lines.line > ?
  ORDER BY import_lines.line LIMIT ?`
/** The next lines that made something. */
export const linesToUndo = (db: Reader, importId: string, after: number, most: number): ImportLineRow[] =>
  db.select(importLines, TO_UNDO, [importId, after, most])

const OF_CLIENT = ` AND import_lines.import_id = ? AND import_lines.trader_id = ?
  AND import_lines.status IN ('done', 'known') ORDER BY import_lines.line`
/** The lines of a file that made something of one client. */
export const linesOfClient = (db: Reader, importId: string, traderId: string): ImportLineRow[] =>
  db.select(importLines, OF_CLIENT, [importId, traderId])

const TIED = statement(
  sql`SELECT DISTINCT ${clientActs.userId} AS "userId" FROM ${clientActs} WHERE ${clientActs.tenantId} = ?1
    AND ${clientActs.createdAt} > ?3 AND ${clientActs.userId} <> ?4
    AND ${clientActs.act} IN (SELECT value FROM json_each(?5))
    AND EXISTS (SELECT 1 FROM ${importLines} WHERE ${importLines.tenantId} = ?1
      AND ${importLines.traderId} = ${clientActs.traderId} AND ${importLines.importId} = ?2
      AND ${importLines.balance} > 0 AND ${importLines.posted} = 'no')`,
)
/** Staff, besides who brought the file, who could have been one of the clients whose balances wait. */
export const tiedToClients = (db: Reader, importId: string, broughtBy: string, now: number): string[] =>
  db
    .query<{ userId: string }>(TIED, [importId, now - COUNTS_FOR, broughtBy, JSON.stringify(CLIENT_TIES)])
    .map(({ userId }) => userId)

const BALANCES = statement(
  sql`SELECT ${listed({
    line: importLines.line,
    status: importLines.status,
    posted: importLines.posted,
    currency: importLines.currency,
    balance: importLines.balance,
    clientId: traders.id,
    firstName: traders.firstName,
    lastName: traders.lastName,
    email: traders.email,
  })} FROM ${importLines} CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${importLines.traderId}
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2 AND ${importLines.line} > ?3
    AND ${importLines.status} IN ('done', 'known', 'left', 'undone') AND ${importLines.balance} > 0
  ORDER BY ${importLines.line} LIMIT ?4`,
)
type BalanceLine = {
  line: number
  status: ImportLineRow['status']
  posted: ImportLineRow['posted']
  currency: string
  balance: number
  clientId: string
  firstName: string | null
  lastName: string | null
  email: string | null
}
/** The next lines of an import that have an opening balance, with their clients. */
export const balanceLines = (db: Reader, importId: string, after: number, most: number): BalanceLine[] =>
  db.query<BalanceLine>(BALANCES, [importId, after, most])
