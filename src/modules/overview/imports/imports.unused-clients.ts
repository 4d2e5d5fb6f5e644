import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { files } from '../../base/files/files.table.ts'
import { accounts } from '../../books/accounts/accounts.table.ts'
import { adjustments } from '../../books/adjustments/adjustments.table.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { positions } from '../../books/positions/positions.table.ts'
import { transfers } from '../../books/transfers/transfers.table.ts'
import { ledgerEntries, ledgerTransactions } from '../../books/wallets/wallets.table.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { kycSubmissions } from '../../clients/kyc/kyc.table.ts'
import { sanctionsHits } from '../../clients/sanctions/sanctions.table.ts'
import { tickets } from '../../clients/support/support.table.ts'
import { traderAliases } from '../../clients/traders/merged.table.ts'
import { traderNotes, traders } from '../../clients/traders/traders.table.ts'
import { credentials, oneTimeLinks } from '../../firm/auth/auth.table.ts'
import { affiliates } from '../../growth/affiliates/affiliates.table.ts'
import { leads } from '../../growth/leads/leads.table.ts'
import { terminalInstructions } from '../../terminals/instructions/instructions.table.ts'
import { type ImportLineRow, importLines, imports } from './imports.table.ts'

type OfClients = SQLiteTable & { tenantId: SQLiteColumn; traderId: SQLiteColumn }

/** The tables in which a row is activity of a client. */
export const HAPPENINGS: readonly OfClients[] = [
  deposits,
  withdrawals,
  transfers,
  adjustments,
  tickets,
  kycSubmissions,
  traderNotes,
  credentials,
  oneTimeLinks,
  files,
  leads,
  affiliates,
  sanctionsHits,
  traderAliases,
  terminalInstructions,
]

const selectRow = (table: OfClients): SQL =>
  sql`SELECT 1 FROM ${table} WHERE ${table.tenantId} = ?1 AND ${table.traderId} = ?2`
/** When a file was uploaded; what a platform reported before is no later activity. */
const BROUGHT = sql`(SELECT ${imports.createdAt} FROM ${imports} WHERE ${imports.tenantId} = ?1 AND ${imports.id} = ?3)`
/** Trades that were opened or closed since the upload. */
const TRADED = sql`SELECT 1 FROM ${positions} WHERE ${positions.tenantId} = ?1 AND ${positions.traderId} = ?2
  AND (${positions.createdAt} > ${BROUGHT} OR ${positions.closedAt} > ${BROUGHT})`
/**
 * Selects accounts that were changed or reported since. What a trading server was asked for it goes on reporting, so
 * that this alone takes nothing away from an undo.
 */
const USED = sql`(CASE WHEN EXISTS (SELECT 1 FROM ${imports} WHERE ${imports.tenantId} = ?1
    AND ${imports.id} = ?3 AND ${imports.reading} ->> 'terminal') THEN ${accounts.status} <> 'active'
  ELSE ${accounts.version} <> 1 OR ${accounts.balanceAt} IS NOT NULL END)`
/** Accounts that the file did not link, or that were used since. */
const OTHER_ACCOUNT = sql`SELECT 1 FROM ${accounts} WHERE ${accounts.tenantId} = ?1 AND ${accounts.traderId} = ?2
  AND ${accounts.deletedAt} IS NULL AND (${USED}
    OR ${accounts.id} NOT IN (SELECT ${importLines.accountId} FROM ${importLines} WHERE ${importLines.tenantId} = ?1
      AND ${importLines.importId} = ?3 AND ${importLines.traderId} = ?2 AND ${importLines.accountId} IS NOT NULL))`
/** Accounts that the file linked and that were deleted or given to another client since. */
const LOST_ACCOUNT = sql`SELECT 1 FROM ${importLines} CROSS JOIN ${accounts}
    ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${importLines.accountId}
  WHERE ${importLines.tenantId} = ?1 AND ${importLines.importId} = ?3 AND ${importLines.traderId} = ?2
    AND (${accounts.deletedAt} IS NOT NULL OR ${accounts.traderId} <> ?2)`
/** Selects movements that are an opening balance of the file or its reversal. */
const OF_FILE = sql`(${ledgerTransactions.kind} IN ('opening', 'opening_undone')
  AND substr(${ledgerTransactions.reference}, 1, length(?3) + 1) = ?3 || '_')`
const MOVEMENTS = sql`SELECT 1 FROM ${ledgerEntries} CROSS JOIN ${ledgerTransactions}
    ON ${ledgerTransactions.tenantId} = ?1 AND ${ledgerTransactions.id} = ${ledgerEntries.transactionId}
  WHERE ${ledgerEntries.tenantId} = ?1 AND ${ledgerEntries.traderId} = ?2 AND NOT ${OF_FILE}`
const CHANGED = sql`SELECT 1 FROM ${traders} WHERE ${traders.tenantId} = ?1 AND ${traders.id} = ?2
  AND (${traders.version} <> 1 OR ${traders.deletedAt} IS NOT NULL)`
const TOUCHED = statement(
  sql.join(
    [...HAPPENINGS.map(selectRow), TRADED, OTHER_ACCOUNT, LOST_ACCOUNT, MOVEMENTS, CHANGED].map(
      (one) => sql`SELECT * FROM (${one} LIMIT 1)`,
    ),
    sql` UNION ALL `,
  ),
)

/** Returns whether a client had activity since a file made them, apart from what this file did. */
export const isTouched = (db: Reader, importId: string, traderId: string): boolean =>
  db.query(`${TOUCHED} LIMIT 1`, [traderId, importId]).length > 0

const ACCOUNT_USED = statement(
  sql`SELECT 1 FROM ${accounts} WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} = ?4
    AND (${USED} OR ${accounts.deletedAt} IS NOT NULL
      OR ${accounts.traderId} <> ?2)
  UNION ALL SELECT * FROM (SELECT 1 FROM ${positions} WHERE ${positions.tenantId} = ?1 AND ${positions.accountId} = ?4
    AND (${positions.createdAt} > ${BROUGHT} OR ${positions.closedAt} > ${BROUGHT}) LIMIT 1)
  UNION ALL SELECT * FROM (SELECT 1 FROM ${transfers} WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?4 LIMIT 1)`,
)
const MOVED_SINCE = statement(
  sql`${MOVEMENTS} AND ${ledgerEntries.currency} = ?4 AND ${ledgerEntries}.rowid > (
    SELECT max(opened.rowid) FROM ${ledgerTransactions} AS opening CROSS JOIN ${ledgerEntries} AS opened
      ON opened.tenant_id = ?1 AND opened.transaction_id = opening.id
    WHERE opening.tenant_id = ?1 AND opening.kind = 'opening' AND opening.reference = ?5) LIMIT 1`,
)

/**
 * Returns whether what a line added to an earlier client was used since: the account was used, changed or given away,
 * or money moved in the wallet of the opening balance.
 */
export function isLineTouched(db: Reader, line: ImportLineRow): boolean {
  const { id, importId, traderId, accountId, currency, posted } = line
  if (traderId === null) return false
  if (accountId !== null && db.query(ACCOUNT_USED, [traderId, importId, accountId]).length > 0) return true
  return posted === 'here' && db.query(MOVED_SINCE, [traderId, importId, currency, id]).length > 0
}
