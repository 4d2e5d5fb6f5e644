import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { withdrawals } from './withdrawals.table.ts'

/** Names a withdrawal of the client that is not paid yet, if there is one. */
export const openWithdrawals: OpenMoney = (db, traderId) =>
  db
    .list(withdrawals, { traderId, status: ['requested', 'approved'] }, { limit: 1 })
    .map(() => say('client.open.withdrawal'))
