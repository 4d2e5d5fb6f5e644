import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { isOwnZero } from '../accounts/self-reported-zero.ts'
import { hasMoney } from './account-funding.ts'
import { transfers } from './transfers.table.ts'

/** A transfer of a client that the platform has not booked yet. */
export const openTransfers: OpenMoney = (db, traderId) =>
  db.list(transfers, { traderId, state: 'sent' }, { limit: 1 }).map(() => say('client.open.transfer'))

/** Money of a client on a live account, and an account of which only `me` says that it is empty. */
export const openOnAccounts: OpenMoney = (db, traderId, me, now) =>
  db.list(accounts, { traderId }).flatMap((account) => {
    const name = account.accountNumber ?? account.id
    if (hasMoney(db, account)) return [say('client.open.account', { name })]
    return !account.isDemo && isOwnZero(db, me, account, now) ? [say('client.open.own_zero', { name })] : []
  })
