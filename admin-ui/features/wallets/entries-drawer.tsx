import { Drawer, Stack } from '@mantine/core'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Money } from '../../components/money.tsx'
import { Facts } from '../../components/record-page.tsx'
import { WIDE_DRAWER } from '../../lib/drawer-widths.ts'
import { ENTRY_COLUMNS } from './wallet-columns.tsx'
import { fetchEntries, type Wallet } from './wallets.api.ts'

type EntriesDrawerProps = { wallet: Wallet | null; owner?: string | null; onClose: () => void }

/** Every movement of one wallet, newest first. */
export const EntriesDrawer = ({ wallet, owner, onClose }: EntriesDrawerProps) => (
  <Drawer
    opened={wallet !== null}
    onClose={onClose}
    title={wallet ? `${wallet.currency} wallet${owner ? ` of ${owner}` : ''}` : ''}
    size={WIDE_DRAWER}
  >
    {wallet && (
      <Stack gap="lg">
        <Facts
          items={[
            ['Available', <Money key="available" amount={wallet.available} currency={wallet.currency} />],
            ['Held', <Money key="held" amount={wallet.held} currency={wallet.currency} />],
          ]}
        />
        <DataList
          id="wallets"
          within={['entries', wallet.id]}
          label="Entries"
          fetch={(query) => fetchEntries(wallet.id, query)}
          columns={ENTRY_COLUMNS}
          plain
          empty={<EmptyState title="No movements yet" />}
        />
      </Stack>
    )}
  </Drawer>
)
