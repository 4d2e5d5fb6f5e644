import type { Reader } from '../../platform/db/reader.ts'
import { formatAmount } from '../../platform/money.ts'
import { type AccountRow, accounts } from '../accounts/accounts.table.ts'
import { adjustments } from '../adjustments/adjustments.table.ts'
import { deposits } from '../deposits/deposits.table.ts'
import { movedSince } from '../transfers/account-funding.ts'
import { transfers } from '../transfers/transfers.table.ts'
import { wallets } from '../wallets/wallets.table.ts'
import { withdrawals } from '../withdrawals/withdrawals.table.ts'

/** Whether money is on a live account: the platform reported some, or some was moved there since its last report. */
export const hasMoney = (db: Reader, account: AccountRow): boolean =>
  !account.isDemo && (account.balance !== 0n || movedSince(db, account, account.balanceAt ?? 0) > 0n)

/**
 * What of a trader's money is open, in words: without the trader nobody could move
 * it. Empty when nothing is. `db` must see all of the firm. rules.md “Traders”.
 */
export function openMoneyOf(db: Reader, traderId: string): string[] {
  const open: string[] = []
  for (const { currency, available, held } of db.list(wallets, { traderId }))
    if (available !== 0n || held !== 0n)
      open.push(`a wallet with ${formatAmount(available + held, currency)} ${currency}`)
  const first = { limit: 1 }
  if (db.list(deposits, { traderId, status: 'pending' }, first).length > 0) open.push('a pending deposit')
  if (db.list(withdrawals, { traderId, status: ['requested', 'approved'] }, first).length > 0)
    open.push('an open withdrawal')
  if (db.list(transfers, { traderId, state: 'sent' }, first).length > 0)
    open.push('a transfer that the platform has not acknowledged')
  if (db.list(adjustments, { traderId, status: 'requested' }, first).length > 0) open.push('an adjustment that waits')
  const funded = db.list(accounts, { traderId }).filter((account) => hasMoney(db, account))
  for (const account of funded) open.push(`money on account ${account.accountNumber ?? account.id}`)
  return open
}
