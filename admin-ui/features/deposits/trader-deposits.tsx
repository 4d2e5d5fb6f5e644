import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { When } from '../../components/when.tsx'
import { TraderRecords } from '../traders/trader-records.tsx'
import type { Trader } from '../traders/traders.api.ts'
import { CreateDeposit } from './create-deposit.tsx'
import { DEPOSIT_COLUMNS } from './deposit-columns.tsx'
import { fetchDeposits, type NamedDeposit } from './deposits.api.ts'

const ELSEWHERE = ['trader', 'firstWord', 'createdAt']
const COLUMNS = [
  { key: 'announced', title: 'Announced', render: ({ createdAt }: NamedDeposit) => <When at={createdAt} /> },
  ...DEPOSIT_COLUMNS.filter(({ key }) => !ELSEWHERE.includes(key)),
]

/** The deposits of one client. */
export const TraderDeposits = ({ trader }: { trader: Trader }) => (
  <TraderRecords
    trader={trader}
    add="New deposit"
    form={(client, close) => <CreateDeposit trader={client} onClose={close} />}
  >
    <DataList
      id="deposits"
      label="Deposits"
      fetch={fetchDeposits}
      columns={COLUMNS}
      fixed={{ traderId: trader.id }}
      href={({ id }) => `/deposits/${id}`}
      plain
      empty={
        <EmptyState title="No deposits yet">Record a bank wire here, or wait for a gateway to report one.</EmptyState>
      }
    />
  </TraderRecords>
)
