import { sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db/reader.ts'
import { statement } from '../../platform/db/statement.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import type { AccountRow } from '../accounts/accounts.table.ts'
import { transfers } from './transfers.table.ts'

const IN = sql`${transfers.kind} = 'wallet_to_account'`
const MOVED = statement(
  sql`SELECT ${sumOf(sql`iif(${IN}, ${transfers.toAmount}, -${transfers.fromAmount})`)} AS net FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?2 AND ${transfers.state} <> 'refused'
    AND iif(${IN}, ${transfers.toCurrency}, ${transfers.fromCurrency}) = ?3
    AND iif(${IN}, ${transfers.createdAt} > ?4, ${transfers.createdAt} >= ?4)`,
)

/** What transfers moved to an account since a moment, less what they took from it; minor units of its currency. */
export const movedSince = (db: Reader, { id, currency }: AccountRow, at: number): bigint =>
  readSum(db.query<{ net: string }>(MOVED, [id, currency, at])[0]?.net ?? '0 0')

/** Whether money was ever moved to or from an account. */
export const hasTransfers = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId }, { limit: 1 }).length > 0
