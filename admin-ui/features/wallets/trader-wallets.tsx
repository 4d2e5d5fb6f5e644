import { useState } from 'react'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import type { ClientTab } from '../traders/client-tab.ts'
import { EntriesDrawer } from './entries-drawer.tsx'
import { WALLET_COLUMNS } from './wallet-columns.tsx'
import { fetchWallets, type Wallet } from './wallets.api.ts'

/** The wallets of one client, one for each currency. */
const TraderWallets = ({ traderId }: { traderId: string }) => {
  const [shown, setShown] = useState<Wallet | null>(null)
  return (
    <>
      <DataList
        id="wallets"
        label="Wallets"
        fetch={fetchWallets}
        columns={WALLET_COLUMNS}
        fixed={{ traderId }}
        onOpen={setShown}
        plain
        empty={<EmptyState title="No wallets yet">The first settled deposit in a currency opens one.</EmptyState>}
      />
      <EntriesDrawer wallet={shown} onClose={() => setShown(null)} />
    </>
  )
}

/** Wallets on the page of a client. */
export const walletsTab: ClientTab = {
  key: 'wallets',
  label: 'Wallets',
  records: 'wallets',
  panel: ({ id }) => <TraderWallets traderId={id} />,
}
