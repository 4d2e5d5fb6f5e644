import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { When } from '../../components/when.tsx'
import { TraderRecords } from '../traders/trader-records.tsx'
import type { Trader } from '../traders/traders.api.ts'
import { CreateWithdrawal } from './create-withdrawal.tsx'
import { WITHDRAWAL_COLUMNS } from './withdrawal-columns.tsx'
import { fetchWithdrawals, type NamedWithdrawal } from './withdrawals.api.ts'

const COLUMNS = [
  { key: 'asked', title: 'Asked for', render: ({ createdAt }: NamedWithdrawal) => <When at={createdAt} /> },
  ...WITHDRAWAL_COLUMNS.filter(({ key }) => !['trader', 'createdAt', 'policy', 'flags'].includes(key)),
]

/** The withdrawals of one client. */
export const TraderWithdrawals = ({ trader }: { trader: Trader }) => (
  <TraderRecords
    trader={trader}
    add="New withdrawal"
    form={(client, close) => <CreateWithdrawal trader={client} onClose={close} />}
  >
    <DataList
      id="withdrawals"
      label="Withdrawals"
      fetch={fetchWithdrawals}
      columns={COLUMNS}
      fixed={{ traderId: trader.id }}
      href={({ id }) => `/withdrawals/${id}`}
      plain
      empty={<EmptyState title="No withdrawals yet">This client has not asked for money.</EmptyState>}
    />
  </TraderRecords>
)
