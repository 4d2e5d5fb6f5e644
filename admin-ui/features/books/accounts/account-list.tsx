import { useDisclosure } from '@mantine/hooks'
import type { Column } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { CLIENT_CELL } from '../../../lib/csv/list-csv.ts'
import { AMOUNTS, type FilterOf } from '../../../lib/lists/filters.ts'
import type { Choice } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { TraderLink } from '../../clients/traders/trader-link.tsx'
import { ACCOUNT_COLUMNS } from './account-columns.tsx'
import { AccountForm } from './account-form.tsx'
import { AccountTable } from './account-table.tsx'
import { ACCOUNT_STATES, usePlatformOptions } from './account-words.ts'
import { fetchAccounts, type NamedAccount } from './accounts.api.ts'
import { say } from './words.ts'

const [name, ...rest] = ACCOUNT_COLUMNS
const COLUMNS: readonly Column<NamedAccount>[] = [
  ...(name ? [name] : []),
  {
    key: 'trader',
    file: CLIENT_CELL,
    title: say('common.client'),
    wide: true,
    card: true,
    render: ({ traderId, traderName }) => <TraderLink id={traderId} name={traderName} />,
  },
  ...rest,
]

const buildFilters = (platforms: readonly Choice[]): readonly FilterOf<'accounts.list'>[] => [
  { key: 'status', label: say('field.status'), options: ACCOUNT_STATES },
  { key: 'platform', label: say('common.platform'), options: platforms },
  { key: 'server', label: say('accounts.server.label'), kind: 'text' },
  {
    key: 'isDemo',
    label: say('common.kind'),
    options: [
      { value: 'false', label: say('accounts.real') },
      { value: 'true', label: say('accounts.demo') },
    ],
  },
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  { ...AMOUNTS, label: say('accounts.balance') },
]

export const AccountList = () => {
  const can = useCan()
  const platforms = usePlatformOptions()
  const [opened, { open, close }] = useDisclosure()
  const create = can('operator') && <NewButton onClick={open}>{say('accounts.new.title')}</NewButton>
  return (
    <Page title={say('accounts.accounts')} subtitle={say('accounts.about')} actions={create}>
      <AccountTable
        fetch={fetchAccounts}
        file="accounts.export"
        columns={COLUMNS}
        filters={buildFilters(platforms)}
        empty={
          <EmptyState title={say('accounts.empty.title')} action={create}>
            {say('accounts.empty.about')}
          </EmptyState>
        }
      />
      {opened && <AccountForm onClose={close} />}
    </Page>
  )
}
