import { formatAmount } from '../../../platform/money.ts'
import { say } from '../../../words/say.ts'
import type { OpenMoney } from '../../clients/traders/open-money.ts'
import { wallets } from './wallets.table.ts'

/** Names the client's wallets with money, free or held. */
export const openInWallets: OpenMoney = (db, traderId) =>
  db
    .list(wallets, { traderId })
    .filter(({ available, held }) => available !== 0n || held !== 0n)
    .map(({ currency, available, held }) =>
      say('client.open.wallet', { amount: formatAmount(available + held, currency), currency }),
    )
