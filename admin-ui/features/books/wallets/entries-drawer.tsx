import { Stack } from '@mantine/core'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { RecordDrawer } from '../../../components/page/record-drawer.tsx'
import { Facts } from '../../../components/page/record-page.tsx'
import { Money } from '../../../components/show/money.tsx'
import { WIDE_DRAWER } from '../../../lib/screen/drawer-widths.ts'
import { ENTRY_COLUMNS } from './wallet-columns.tsx'
import { fetchEntries, type Wallet } from './wallets.api.ts'
import { say } from './words.ts'

type EntriesDrawerProps = { wallet: Wallet; owner?: string | null; onClose: () => void }

const formatTitle = (currency: string, owner: string | null | undefined): string =>
  owner ? say('wallets.wallet', { currency, owner }) : say('wallets.wallet_in', { currency })

/** Lists every movement of one wallet, the newest first. */
export const EntriesDrawer = ({ wallet, owner, onClose }: EntriesDrawerProps) => (
  <RecordDrawer opened onClose={onClose} title={formatTitle(wallet.currency, owner)} size={WIDE_DRAWER}>
    <Stack gap="lg">
      <Facts
        items={[
          [say('wallets.available'), <Money key="available" amount={wallet.available} currency={wallet.currency} />],
          [say('wallets.held'), <Money key="held" amount={wallet.held} currency={wallet.currency} />],
        ]}
      />
      <DataList
        id="wallets"
        within={['entries', wallet.id]}
        label={say('wallets.entries')}
        fetch={(query) => fetchEntries(wallet.id, query)}
        columns={ENTRY_COLUMNS}
        plain
        empty={<EmptyState title={say('wallets.entries.empty')}>{say('wallets.entries.empty.about')}</EmptyState>}
      />
    </Stack>
  </RecordDrawer>
)
