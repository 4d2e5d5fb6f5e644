import type { Reader } from '../../platform/db/reader.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import type { AccountRow } from '../accounts/accounts.table.ts'
import { transfers } from './transfers.table.ts'

const MOVED = `SELECT ${sumOf("iif(kind = 'wallet_to_account', to_amount, -from_amount)")} AS net
  FROM transfers WHERE tenant_id = ?1 AND account_id = ?2 AND state <> 'refused' AND iif(kind = 'wallet_to_account', to_currency, from_currency) = ?3
  AND iif(kind = 'wallet_to_account', created_at > ?4, created_at >= ?4)`

/** What transfers moved to an account since a moment, less what they took from it; minor units of its currency. */
export const movedSince = (db: Reader, { id, currency }: AccountRow, at: number): bigint =>
  readSum(db.query<{ net: string }>(MOVED, [id, currency, at])[0]?.net ?? '0 0')

/** Whether money was ever moved to or from an account. */
export const hasTransfers = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId }, { limit: 1 }).length > 0
