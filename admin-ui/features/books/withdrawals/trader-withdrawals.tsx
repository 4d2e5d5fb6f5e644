import { IconPlus } from '@tabler/icons-react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import type { ClientAct, ClientTab } from '../../clients/traders/client-tab.ts'
import { TraderRecords } from '../../clients/traders/trader-records.tsx'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { CreateWithdrawal } from './create-withdrawal.tsx'
import { WITHDRAWAL_COLUMNS } from './withdrawal-columns.tsx'
import { fetchWithdrawals, type NamedWithdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

const COLUMNS = [
  {
    key: 'asked',
    title: say('withdrawals.column.requested'),
    render: ({ createdAt }: NamedWithdrawal) => <When at={createdAt} />,
  },
  ...WITHDRAWAL_COLUMNS.filter(({ key }) => !['trader', 'createdAt', 'policy', 'flags'].includes(key)),
]

const NEW_WITHDRAWAL: ClientAct = {
  label: say('withdrawals.new.title'),
  icon: <IconPlus size={16} />,
  form: (client, close) => <CreateWithdrawal trader={client} onClose={close} />,
  first: true,
}

const TraderWithdrawals = ({ trader }: { trader: Trader }) => (
  <TraderRecords trader={trader} act={NEW_WITHDRAWAL}>
    <DataList
      id="withdrawals"
      label={say('withdrawals.withdrawals')}
      fetch={fetchWithdrawals}
      columns={COLUMNS}
      fixed={{ traderId: trader.id }}
      href={({ id }) => `/withdrawals/${id}`}
      plain
      empty={<EmptyState title={say('withdrawals.empty.title')}>{say('withdrawals.empty.about_client')}</EmptyState>}
    />
  </TraderRecords>
)

export const withdrawalsTab: ClientTab = {
  key: 'withdrawals',
  label: say('withdrawals.withdrawals'),
  records: 'withdrawals',
  act: NEW_WITHDRAWAL,
  panel: (trader) => <TraderWithdrawals trader={trader} />,
}
