import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { deposits } from './deposits.table.ts'

/** Names a pending deposit of the client, if there is one. */
export const openDeposits: OpenMoney = (db, traderId) =>
  db.list(deposits, { traderId, status: 'pending' }, { limit: 1 }).map(() => say('client.open.deposit'))
