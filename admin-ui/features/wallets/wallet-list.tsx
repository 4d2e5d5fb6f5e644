import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Page } from '../../components/page.tsx'
import { CURRENCY_OPTIONS } from '../../lib/currencies.ts'
import type { Named } from '../traders/trader-names.ts'
import { shownName } from '../traders/trader-names.ts'
import { EntriesDrawer } from './entries-drawer.tsx'
import { WALLET_COLUMNS } from './wallet-columns.tsx'
import { fetchWallets, type Wallet } from './wallets.api.ts'

const COLUMNS: readonly Column<Named<Wallet>>[] = [
  {
    key: 'trader',
    title: 'Client',
    render: ({ traderName }) => shownName(traderName),
  },
  ...WALLET_COLUMNS,
]

/** What every client has with the firm, currency by currency. */
export const WalletList = () => {
  const [shown, setShown] = useState<Named<Wallet> | null>(null)
  return (
    <Page title="Wallets" subtitle="What each client has with you: available, and held for payments under way.">
      <DataList
        id="wallets"
        label="Wallets"
        searchPlaceholder={say('lists.search_client')}
        counted="count"
        rowName={(row) => `${row.traderName ?? ''} ${row.currency}`}
        fetch={fetchWallets}
        columns={COLUMNS}
        filters={[{ key: 'currency', label: 'Currency', options: CURRENCY_OPTIONS, several: true }]}
        onOpen={setShown}
        empty={<EmptyState title="No wallets yet">The first settled deposit of a client opens one.</EmptyState>}
      />
      <EntriesDrawer wallet={shown} owner={shown?.traderName ?? null} onClose={() => setShown(null)} />
    </Page>
  )
}
