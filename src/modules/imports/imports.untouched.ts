import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../platform/db/reader.ts'
import { statement } from '../../platform/db/statement.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { adjustments } from '../adjustments/adjustments.table.ts'
import { affiliates } from '../affiliates/affiliates.table.ts'
import { credentials, oneTimeLinks } from '../auth/auth.table.ts'
import { deposits } from '../deposits/deposits.table.ts'
import { files } from '../files/files.table.ts'
import { kycSubmissions } from '../kyc/kyc.table.ts'
import { leads } from '../leads/leads.table.ts'
import { positions } from '../positions/positions.table.ts'
import { sanctionsHits } from '../sanctions/sanctions.table.ts'
import { tickets } from '../support/support.table.ts'
import { traderAliases } from '../traders/merged.table.ts'
import { traderNotes, traders } from '../traders/traders.table.ts'
import { transfers } from '../transfers/transfers.table.ts'
import { ledgerEntries, ledgerTransactions } from '../wallets/wallets.table.ts'
import { withdrawals } from '../withdrawals/withdrawals.table.ts'
import { importLines } from './imports.table.ts'

type OfClients = SQLiteTable & { tenantId: SQLiteColumn; traderId: SQLiteColumn }

/** What happens to a client: a row in one of these says that somebody works with them. */
export const HAPPENINGS: readonly OfClients[] = [
  ...[deposits, withdrawals, transfers, adjustments, positions, tickets, kycSubmissions, traderNotes],
  ...[credentials, oneTimeLinks, files, leads, affiliates, sanctionsHits, traderAliases],
]

const rowOf = (table: OfClients): SQL =>
  sql`SELECT 1 FROM ${table} WHERE ${table.tenantId} = ?1 AND ${table.traderId} = ?2`
/** Accounts that the file did not link, or that were changed or reported since. */
const OTHER_ACCOUNT = sql`SELECT 1 FROM ${accounts} WHERE ${accounts.tenantId} = ?1 AND ${accounts.traderId} = ?2
  AND ${accounts.deletedAt} IS NULL AND (${accounts.version} <> 1 OR ${accounts.balanceAt} IS NOT NULL
    OR ${accounts.id} NOT IN (SELECT ${importLines.accountId} FROM ${importLines} WHERE ${importLines.tenantId} = ?1
      AND ${importLines.importId} = ?3 AND ${importLines.traderId} = ?2 AND ${importLines.accountId} IS NOT NULL))`
/** Money that moved other than by the opening balances of the file. */
const MOVED = sql`SELECT 1 FROM ${ledgerEntries} CROSS JOIN ${ledgerTransactions}
    ON ${ledgerTransactions.tenantId} = ?1 AND ${ledgerTransactions.id} = ${ledgerEntries.transactionId}
  WHERE ${ledgerEntries.tenantId} = ?1 AND ${ledgerEntries.traderId} = ?2
    AND NOT (${ledgerTransactions.kind} = 'opening' AND substr(${ledgerTransactions.reference}, 1, length(?3) + 1) = ?3 || '_')`
const CHANGED = sql`SELECT 1 FROM ${traders} WHERE ${traders.tenantId} = ?1 AND ${traders.id} = ?2
  AND (${traders.version} <> 1 OR ${traders.deletedAt} IS NOT NULL)`
const TOUCHED = statement(
  sql.join(
    [...HAPPENINGS.map(rowOf), OTHER_ACCOUNT, MOVED, CHANGED].map((one) => sql`SELECT * FROM (${one} LIMIT 1)`),
    sql` UNION ALL `,
  ),
)

/** Whether anything happened to a client since a file made them, beside what the same file did. */
export const isTouched = (db: Reader, importId: string, traderId: string): boolean =>
  db.query(`${TOUCHED} LIMIT 1`, [traderId, importId]).length > 0

const ACCOUNT_USED = statement(
  sql`SELECT 1 FROM ${accounts} WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} = ?2
    AND (${accounts.version} <> 1 OR ${accounts.balanceAt} IS NOT NULL OR ${accounts.deletedAt} IS NOT NULL)
  UNION ALL SELECT * FROM (SELECT 1 FROM ${positions} WHERE ${positions.tenantId} = ?1 AND ${positions.accountId} = ?2 LIMIT 1)
  UNION ALL SELECT * FROM (SELECT 1 FROM ${transfers} WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?2 LIMIT 1)`,
)
/** Whether an account was used, changed or reported since a file linked it. */
export const isAccountUsed = (db: Reader, accountId: string): boolean => db.query(ACCOUNT_USED, [accountId]).length > 0
