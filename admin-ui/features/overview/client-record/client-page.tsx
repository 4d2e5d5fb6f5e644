import { accountsTab } from '../../books/accounts/trader-accounts.tsx'
import { depositsTab } from '../../books/deposits/trader-deposits.tsx'
import { positionsTab } from '../../books/positions/trader-positions.tsx'
import { transfersTab } from '../../books/transfers/trader-transfers.tsx'
import { walletsTab } from '../../books/wallets/trader-wallets.tsx'
import { withdrawalsTab } from '../../books/withdrawals/trader-withdrawals.tsx'
import { kycTab } from '../../clients/kyc/trader-kyc.tsx'
import { ticketsTab } from '../../clients/support/trader-tickets.tsx'
import { instructionsTab } from '../../terminals/accounts/trader-instructions.tsx'
import { TraderPage } from './trader-page.tsx'

/** The features add these tabs to the page of a client, in this order. */
const TABS = [
  depositsTab,
  withdrawalsTab,
  walletsTab,
  accountsTab,
  positionsTab,
  transfersTab,
  instructionsTab,
  kycTab,
  ticketsTab,
] as const

/** Shows a client with all tabs. The page is composed here, because no lower wing may import all these features. */
export const ClientPage = () => <TraderPage tabs={TABS} />
