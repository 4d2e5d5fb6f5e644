import type { Reader } from '../../platform/db/reader.ts'
import { formatAmount } from '../../platform/money.ts'
import { say } from '../../words/say.ts'
import { type AccountRow, accounts } from '../accounts/accounts.table.ts'
import { adjustments } from '../adjustments/adjustments.table.ts'
import { affiliates } from '../affiliates/affiliates.table.ts'
import { affiliateBalances } from '../commissions/commissions.table.ts'
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
export function isOwnZero(db: Reader, me: string | null, account: AccountRow, now: number): boolean {
  const { balance, balanceBy, byBridge } = account
  if (me === null || balance !== 0n || balanceBy === null || byBridge) return false
  return me === balanceBy || peopleOf(db, now).samePerson(me, balanceBy)
}

/**
 * What of a trader's money is open, in words: without the trader nobody could move it. Empty when nothing is; that `me`
 * said an account is empty does not count. `db` must see all of the firm. RULES “Traders”.
 */
export function openMoneyOf(db: Reader, traderId: string, me: string | null, now: number): string[] {
  const open: string[] = []
  for (const { currency, available, held } of db.list(wallets, { traderId }))
    if (available !== 0n || held !== 0n)
      open.push(say('client.open.wallet', { amount: formatAmount(available + held, currency), currency }))
  const first = { limit: 1 }
  if (db.list(deposits, { traderId, status: 'pending' }, first).length > 0) open.push(say('client.open.deposit'))
  if (db.list(withdrawals, { traderId, status: ['requested', 'approved'] }, first).length > 0)
    open.push(say('client.open.withdrawal'))
  if (db.list(transfers, { traderId, state: 'sent' }, first).length > 0) open.push(say('client.open.transfer'))
  if (db.list(adjustments, { traderId, status: 'requested' }, first).length > 0)
    open.push(say('client.open.adjustment'))
  for (const account of db.list(accounts, { traderId })) {
    const name = account.accountNumber ?? account.id
    if (hasMoney(db, account)) open.push(say('client.open.account', { name }))
    else if (!account.isDemo && isOwnZero(db, me, account, now)) open.push(say('client.open.own_zero', { name }))
  }
  for (const { id: affiliateId } of db.list(affiliates, { traderId }))
    for (const { currency, earned, paid } of db.list(affiliateBalances, { affiliateId }))
      if (earned > paid)
        open.push(say('client.open.commission', { amount: formatAmount(earned - paid, currency), currency }))
  return open
}
