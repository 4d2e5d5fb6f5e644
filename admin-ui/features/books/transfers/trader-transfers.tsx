import { IconPlus } from '@tabler/icons-react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import type { ClientAct, ClientTab } from '../../clients/traders/client-tab.ts'
import { TraderRecords } from '../../clients/traders/trader-records.tsx'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { CreateTransfer } from './create-transfer.tsx'
import { TRANSFER_COLUMNS } from './transfer-columns.tsx'
import { TransferDrawer } from './transfer-drawer.tsx'
import { fetchTransfers } from './transfers.api.ts'
import { say } from './words.ts'

// The client is known here, so a narrow screen shows the reference instead of the client's name.
const COLUMNS = TRANSFER_COLUMNS.filter(({ key }) => key !== 'trader').map((column) =>
  column.key === 'reference' ? { ...column, wide: false } : column,
)

const NEW_TRANSFER: ClientAct = {
  label: say('transfers.new.title'),
  icon: <IconPlus size={16} />,
  form: (client, close) => <CreateTransfer trader={client} onClose={close} />,
}

const TraderTransfers = ({ trader }: { trader: Trader }) => {
  return (
    <TraderRecords trader={trader} act={NEW_TRANSFER}>
      <DataList
        id="transfers"
        label={say('transfers.transfers')}
        fetch={fetchTransfers}
        columns={COLUMNS}
        fixed={{ traderId: trader.id }}
        beside={(transfer, close) => <TransferDrawer transfer={transfer} onClose={close} />}
        plain
        empty={<EmptyState title={say('transfers.empty.title')}>{say('transfers.empty.about')}</EmptyState>}
      />
    </TraderRecords>
  )
}

export const transfersTab: ClientTab = {
  key: 'transfers',
  label: say('transfers.transfers'),
  records: 'transfers',
  act: NEW_TRANSFER,
  panel: (trader) => <TraderTransfers trader={trader} />,
}
