import { accountsTab } from './features/accounts/trader-accounts.tsx'
import { depositsTab } from './features/deposits/trader-deposits.tsx'
import { kycTab } from './features/kyc/trader-kyc.tsx'
import { positionsTab } from './features/positions/trader-positions.tsx'
import { ticketsTab } from './features/support/trader-tickets.tsx'
import { TraderPage } from './features/traders/trader-page.tsx'
import { transfersTab } from './features/transfers/trader-transfers.tsx'
import { walletsTab } from './features/wallets/trader-wallets.tsx'
import { withdrawalsTab } from './features/withdrawals/trader-withdrawals.tsx'

/** What the features add to the page of a client, in the order of the tabs. */
const TABS = [
  depositsTab,
  withdrawalsTab,
  walletsTab,
  accountsTab,
  positionsTab,
  transfersTab,
  kycTab,
  ticketsTab,
] as const

/** The page of a client with all its tabs. It is put together here, so that no feature knows of all others. */
export const ClientPage = () => <TraderPage tabs={TABS} />
