import { useState } from 'react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import type { ClientTab } from '../../clients/traders/client-tab.ts'
import { EntriesDrawer } from './entries-drawer.tsx'
import { WALLET_COLUMNS } from './wallet-columns.tsx'
import { fetchWallets, type Wallet } from './wallets.api.ts'
import { say } from './words.ts'

/** Lists the wallets of one client, one for each currency. */
const TraderWallets = ({ traderId }: { traderId: string }) => {
  const [shown, setShown] = useState<Wallet | null>(null)
  return (
    <>
      <DataList
        id="wallets"
        label={say('common.wallets')}
        fetch={fetchWallets}
        columns={WALLET_COLUMNS}
        fixed={{ traderId }}
        onOpen={setShown}
        plain
        empty={<EmptyState title={say('wallets.empty.title')}>{say('wallets.empty.about_client')}</EmptyState>}
      />
      <EntriesDrawer wallet={shown} onClose={() => setShown(null)} />
    </>
  )
}

export const walletsTab: ClientTab = {
  key: 'wallets',
  label: say('common.wallets'),
  records: 'wallets',
  panel: ({ id }) => <TraderWallets traderId={id} />,
}
