import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { COUNTS_FOR } from '../../firm/independence/independence.service.ts'
import { CLIENT_TIES, clientActs } from '../../firm/independence/independence.table.ts'
import { type ImportLineRow, importLines, type LineError } from './imports.table.ts'

const TO_POST = ` AND import_lines.import_id = ? AND import_lines.status IN ('done', 'known') AND import_lines.posted = 'no'
  AND import_lines.balance > 0 AND import_lines.line > ? ORDER BY import_lines.line LIMIT ?`
/** Returns the next lines whose opening balance has not been posted yet. */
export const linesToPost = (db: Reader, importId: string, after: number, most: number): ImportLineRow[] =>
  db.select(importLines, TO_POST, [importId, after, most])

const POSTED = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.posted)} = ?3 WHERE ${importLines.tenantId} = ?1 AND ${importLines.id} = ?2`,
)
/** Stores whether a line's balance is posted. */
export const keepPosted = (tx: Tx, id: string, isPosted: boolean): void =>
  void tx.execute(POSTED, [id, isPosted ? 'here' : 'no'])

const FAULTY = statement(
  sql`UPDATE ${importLines} SET ${bare(importLines.errors)} = ?3
    WHERE ${importLines.tenantId} = ?1 AND ${importLines.id} = ?2`,
)
/** Stores why a line's balance was not posted. */
export const keepFault = (tx: Tx, id: string, error: LineError): void =>
  void tx.execute(FAULTY, [id, JSON.stringify([error])])

const UNPOSTED = statement(
  sql`SELECT count(*) AS n FROM ${importLines} WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?2
    AND ${importLines.status} IN ('done', 'known') AND ${importLines.posted} = 'no' AND ${importLines.balance} > 0`,
)
/** Returns how many balances of an import are not posted yet. */
export const unpostedLines = (db: Reader, importId: string): number =>
  db.query<{ n: number }>(UNPOSTED, [importId])[0]?.n ?? 0

const TIED = statement(
  sql`SELECT DISTINCT ${clientActs.userId} AS "userId" FROM ${clientActs} WHERE ${clientActs.tenantId} = ?1
    AND ${clientActs.createdAt} > ?3 AND ${clientActs.userId} <> ?4
    AND ${clientActs.act} IN (SELECT value FROM json_each(?5))
    AND EXISTS (SELECT 1 FROM ${importLines} WHERE ${importLines.tenantId} = ?1
      AND ${importLines.traderId} = ${clientActs.traderId} AND ${importLines.importId} = ?2
      AND ${importLines.balance} > 0 AND ${importLines.posted} = 'no')`,
)
/** Returns staff, apart from the uploader, who could have acted as one of the clients with waiting balances. */
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
/** Returns the next lines that have an opening balance, each with its client. */
export const balanceLines = (db: Reader, importId: string, after: number, most: number): BalanceLine[] =>
  db.query<BalanceLine>(BALANCES, [importId, after, most])
