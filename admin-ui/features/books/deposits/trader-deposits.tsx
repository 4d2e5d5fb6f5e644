import { IconPlus } from '@tabler/icons-react'
import { DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import type { ClientAct, ClientTab } from '../../clients/traders/client-tab.ts'
import { TraderRecords } from '../../clients/traders/trader-records.tsx'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { CreateDeposit } from './create-deposit.tsx'
import { DEPOSIT_COLUMNS } from './deposit-columns.tsx'
import { fetchDeposits, type NamedDeposit } from './deposits.api.ts'
import { say } from './words.ts'

const ELSEWHERE = ['trader', 'firstWord', 'createdAt']
const COLUMNS = [
  {
    key: 'announced',
    title: say('deposits.announced'),
    render: ({ createdAt }: NamedDeposit) => <When at={createdAt} />,
  },
  ...DEPOSIT_COLUMNS.filter(({ key }) => !ELSEWHERE.includes(key)),
]

const NEW_DEPOSIT: ClientAct = {
  label: say('deposits.new.title'),
  icon: <IconPlus size={16} />,
  form: (client, close) => <CreateDeposit trader={client} onClose={close} />,
  first: true,
}

const TraderDeposits = ({ trader }: { trader: Trader }) => (
  <TraderRecords trader={trader} act={NEW_DEPOSIT}>
    <DataList
      id="deposits"
      label={say('deposits.deposits')}
      fetch={fetchDeposits}
      columns={COLUMNS}
      fixed={{ traderId: trader.id }}
      href={({ id }) => `/deposits/${id}`}
      plain
      empty={<EmptyState title={say('deposits.empty.title')}>{say('deposits.empty.about_client')}</EmptyState>}
    />
  </TraderRecords>
)

export const depositsTab: ClientTab = {
  key: 'deposits',
  label: say('deposits.deposits'),
  records: 'deposits',
  act: NEW_DEPOSIT,
  panel: (trader) => <TraderDeposits trader={trader} />,
}
