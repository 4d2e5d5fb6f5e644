import { accountsTab } from '../accounts/trader-accounts.tsx'
import { depositsTab } from '../deposits/trader-deposits.tsx'
import { kycTab } from '../kyc/trader-kyc.tsx'
import { positionsTab } from '../positions/trader-positions.tsx'
import { ticketsTab } from '../support/trader-tickets.tsx'
import { transfersTab } from '../transfers/trader-transfers.tsx'
import { walletsTab } from '../wallets/trader-wallets.tsx'
import { withdrawalsTab } from '../withdrawals/trader-withdrawals.tsx'
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
