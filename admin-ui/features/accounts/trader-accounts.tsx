import { EmptyState } from '../../components/empty-state.tsx'
import { TraderRecords } from '../traders/trader-records.tsx'
import type { Trader } from '../traders/traders.api.ts'
import { ACCOUNT_COLUMNS } from './account-columns.tsx'
import { AccountForm } from './account-form.tsx'
import { AccountTable } from './account-table.tsx'
import { fetchAccounts } from './accounts.api.ts'

/** The trading accounts of one client. */
export const TraderAccounts = ({ trader }: { trader: Trader }) => (
  <TraderRecords
    trader={trader}
    add="New account"
    form={(client, close) => <AccountForm trader={client} onClose={close} />}
  >
    <AccountTable
      fetch={fetchAccounts}
      columns={ACCOUNT_COLUMNS}
      fixed={{ traderId: trader.id }}
      plain
      empty={<EmptyState title="No accounts yet">Link the account that the trading platform made.</EmptyState>}
    />
  </TraderRecords>
)
