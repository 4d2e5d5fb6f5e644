import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { isOwnZero } from '../accounts/self-reported-zero.ts'
import { hasMoney } from './account-funding.ts'
import { transfers } from './transfers.table.ts'

/** Names a transfer of the client that the platform has not booked yet, if there is one. */
export const openTransfers: OpenMoney = (db, traderId) =>
  db.list(transfers, { traderId, state: 'sent' }, { limit: 1 }).map(() => say('client.open.transfer'))

/** Names live accounts of the client with money, and accounts that only `me` reported empty. */
export const openOnAccounts: OpenMoney = (db, traderId, me, now) =>
  db.list(accounts, { traderId }).flatMap((account) => {
    const name = account.accountNumber ?? account.id
    if (hasMoney(db, account)) return [say('client.open.account', { name })]
    return !account.isDemo && isOwnZero(db, me, account, now) ? [say('client.open.own_zero', { name })] : []
  })
