import { IconPlus } from '@tabler/icons-react'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { When } from '../../components/when.tsx'
import type { ClientAct, ClientTab } from '../traders/client-tab.ts'
import { TraderRecords } from '../traders/trader-records.tsx'
import type { Trader } from '../traders/traders.api.ts'
import { CreateWithdrawal } from './create-withdrawal.tsx'
import { WITHDRAWAL_COLUMNS } from './withdrawal-columns.tsx'
import { fetchWithdrawals, type NamedWithdrawal } from './withdrawals.api.ts'

const COLUMNS = [
  { key: 'asked', title: 'Asked for', render: ({ createdAt }: NamedWithdrawal) => <When at={createdAt} /> },
  ...WITHDRAWAL_COLUMNS.filter(({ key }) => !['trader', 'createdAt', 'policy', 'flags'].includes(key)),
]

const NEW_WITHDRAWAL: ClientAct = {
  label: 'New withdrawal',
  icon: <IconPlus size={16} />,
  form: (client, close) => <CreateWithdrawal trader={client} onClose={close} />,
  first: true,
}

/** The withdrawals of one client. */
const TraderWithdrawals = ({ trader }: { trader: Trader }) => (
  <TraderRecords trader={trader} act={NEW_WITHDRAWAL}>
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

/** Withdrawals on the page of a client. */
export const withdrawalsTab: ClientTab = {
  key: 'withdrawals',
  label: 'Withdrawals',
  records: 'withdrawals',
  act: NEW_WITHDRAWAL,
  panel: (trader) => <TraderWithdrawals trader={trader} />,
}
