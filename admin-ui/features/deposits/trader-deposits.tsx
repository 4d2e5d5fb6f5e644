import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { namedAs } from '../traders/trader-names.ts'
import { TraderRecords } from '../traders/trader-records.tsx'
import type { Trader } from '../traders/traders.api.ts'
import { CreateDeposit } from './create-deposit.tsx'
import { DEPOSIT_COLUMNS } from './deposit-columns.tsx'
import { fetchDeposits } from './deposits.api.ts'

const COLUMNS = DEPOSIT_COLUMNS.filter(({ key }) => key !== 'trader' && key !== 'firstWord')

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
      fetch={namedAs(trader, fetchDeposits)}
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
