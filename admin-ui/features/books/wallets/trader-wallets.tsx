import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import type { ClientTab } from '../../clients/traders/client-tab.ts'
import { EntriesDrawer } from './entries-drawer.tsx'
import { WALLET_COLUMNS } from './wallet-columns.tsx'
import { fetchWallets } from './wallets.api.ts'
import { say } from './words.ts'

/** Lists the wallets of one client, one for each currency. */
const TraderWallets = ({ traderId }: { traderId: string }) => {
  return (
    <DataList
      id="wallets"
      label={say('common.wallets')}
      fetch={fetchWallets}
      columns={WALLET_COLUMNS}
      fixed={{ traderId }}
      beside={(wallet, close) => <EntriesDrawer wallet={wallet} onClose={close} />}
      plain
      empty={<EmptyState title={say('wallets.empty.title')}>{say('wallets.empty.about_client')}</EmptyState>}
    />
  )
}

export const walletsTab: ClientTab = {
  key: 'wallets',
  label: say('common.wallets'),
  records: 'wallets',
  panel: ({ id }) => <TraderWallets traderId={id} />,
}
