import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { TRANSFER_COLUMNS } from './transfer-columns.tsx'
import { TransferDrawer } from './transfer-drawer.tsx'
import { fetchTransfers } from './transfers.api.ts'
import { say } from './words.ts'

// The client is known here, so a narrow screen shows the reference instead of the client's name.
const COLUMNS = TRANSFER_COLUMNS.filter(({ key }) => key !== 'trader').map((column) =>
  column.key === 'reference' ? { ...column, wide: false } : column,
)

/** Lists the transfers of one client or account. */
export const TransfersOf = ({ of }: { of: { traderId: string } | { accountId: string } }) => (
  <DataList
    id="transfers"
    label={say('transfers.transfers')}
    fetch={fetchTransfers}
    columns={COLUMNS}
    fixed={of}
    beside={(transfer, close) => <TransferDrawer transfer={transfer} onClose={close} />}
    plain
    empty={<EmptyState title={say('transfers.empty.title')}>{say('transfers.empty.about')}</EmptyState>}
  />
)
