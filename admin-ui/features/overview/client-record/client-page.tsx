import { accountsTab } from '../../books/accounts/trader-accounts.tsx'
import { depositsTab } from '../../books/deposits/trader-deposits.tsx'
import { positionsTab } from '../../books/positions/trader-positions.tsx'
import { transfersTab } from '../../books/transfers/trader-transfers.tsx'
import { walletsTab } from '../../books/wallets/trader-wallets.tsx'
import { withdrawalsTab } from '../../books/withdrawals/trader-withdrawals.tsx'
import { kycTab } from '../../clients/kyc/trader-kyc.tsx'
import { ticketsTab } from '../../clients/support/trader-tickets.tsx'
import { TraderPage } from './trader-page.tsx'

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

/** The page of a client with all its tabs. It is put together here, above the features that it shows. */
export const ClientPage = () => <TraderPage tabs={TABS} />
