import { IconPlus } from '@tabler/icons-react'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import type { ClientAct, ClientTab } from '../../clients/traders/client-tab.ts'
import { TraderRecords } from '../../clients/traders/trader-records.tsx'
import type { Trader } from '../../clients/traders/traders.api.ts'
import { ACCOUNT_COLUMNS } from './account-columns.tsx'
import { AccountForm } from './account-form.tsx'
import { AccountTable } from './account-table.tsx'
import { fetchAccounts } from './accounts.api.ts'
import { say } from './words.ts'

const NEW_ACCOUNT: ClientAct = {
  label: say('accounts.new.title'),
  icon: <IconPlus size={16} />,
  form: (client, close) => <AccountForm trader={client} onClose={close} />,
}

const TraderAccounts = ({ trader }: { trader: Trader }) => (
  <TraderRecords trader={trader} act={NEW_ACCOUNT}>
    <AccountTable
      fetch={fetchAccounts}
      columns={ACCOUNT_COLUMNS}
      fixed={{ traderId: trader.id }}
      plain
      empty={<EmptyState title={say('accounts.empty.title')}>{say('accounts.empty.about_client')}</EmptyState>}
    />
  </TraderRecords>
)

export const accountsTab: ClientTab = {
  key: 'accounts',
  label: say('accounts.accounts'),
  records: 'accounts',
  act: NEW_ACCOUNT,
  panel: (trader) => <TraderAccounts trader={trader} />,
}
