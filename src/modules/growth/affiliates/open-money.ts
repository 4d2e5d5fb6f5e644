import { formatAmount } from '../../../platform/money.ts'
import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { affiliates } from './affiliates.table.ts'
import { affiliateBalances } from './balances.table.ts'

/** Names unpaid commission that the client earned as an introducing broker, if there is any. */
export const openCommissions: OpenMoney = (db, traderId) =>
  db
    .list(affiliates, { traderId })
    .flatMap(({ id: affiliateId }) => db.list(affiliateBalances, { affiliateId }))
    .filter(({ earned, paid }) => earned > paid)
    .map(({ currency, earned, paid }) =>
      say('client.open.commission', { amount: formatAmount(earned - paid, currency), currency }),
    )
