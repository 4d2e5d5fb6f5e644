import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { deposits } from './deposits.table.ts'

/** A deposit of a client that is still to come. */
export const openDeposits: OpenMoney = (db, traderId) =>
  db.list(deposits, { traderId, status: 'pending' }, { limit: 1 }).map(() => say('client.open.deposit'))
