import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { formatAmount } from '../../platform/money.ts'
import { type AccountRow, accounts } from '../accounts/accounts.table.ts'
import { adjustments } from '../adjustments/adjustments.table.ts'
import { deposits } from '../deposits/deposits.table.ts'
import { peopleOf } from '../independence/people.ts'
import { movedSinceReport } from '../transfers/account-funding.ts'
import { transfers } from '../transfers/transfers.table.ts'
import { wallets } from '../wallets/wallets.table.ts'
import { withdrawals } from '../withdrawals/withdrawals.table.ts'

/** Whether money is on a live account: the platform reported some, or some was moved there since its last report. */
export const hasMoney = (db: Reader, account: AccountRow): boolean =>
  !account.isDemo && (account.balance !== 0n || movedSinceReport(db, account) > 0n)

/** Whether only one's own word, not the platform's, says that nothing is on an account. */
export function isOwnZero(tx: Tx, me: string | null, account: AccountRow): boolean {
  const { balance, balanceBy, byBridge } = account
  if (me === null || balance !== 0n || balanceBy === null || byBridge) return false
  return me === balanceBy || peopleOf(tx, tx.now).samePerson(me, balanceBy)
}

/**
 * What of a trader's money is open, in words: without the trader nobody could move it. Empty when nothing is; that `me`
 * said an account is empty does not count. `tx` must see all of the firm. rules.md “Traders”.
 */
export function openMoneyOf(tx: Tx, traderId: string, me: string | null): string[] {
  const open: string[] = []
  for (const { currency, available, held } of tx.list(wallets, { traderId }))
    if (available !== 0n || held !== 0n)
      open.push(`a wallet with ${formatAmount(available + held, currency)} ${currency}`)
  const first = { limit: 1 }
  if (tx.list(deposits, { traderId, status: 'pending' }, first).length > 0) open.push('a pending deposit')
  if (tx.list(withdrawals, { traderId, status: ['requested', 'approved'] }, first).length > 0)
    open.push('an open withdrawal')
  if (tx.list(transfers, { traderId, state: 'sent' }, first).length > 0)
    open.push('a transfer that the platform has not acknowledged')
  if (tx.list(adjustments, { traderId, status: 'requested' }, first).length > 0) open.push('an adjustment that waits')
  for (const account of tx.list(accounts, { traderId })) {
    const name = account.accountNumber ?? account.id
    if (hasMoney(tx, account)) open.push(`money on account ${name}`)
    else if (!account.isDemo && isOwnZero(tx, me, account)) open.push(`account ${name}, which only you say is empty`)
  }
  return open
}
