import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { adjustments } from './adjustments.table.ts'

/** Names a correction of the client's wallet that waits for its second person, if there is one. */
export const openAdjustments: OpenMoney = (db, traderId) =>
  db.list(adjustments, { traderId, status: 'requested' }, { limit: 1 }).map(() => say('client.open.adjustment'))
