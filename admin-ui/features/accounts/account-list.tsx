import { useDisclosure } from '@mantine/hooks'
import type { Column } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { Page } from '../../components/page.tsx'
import type { Choice } from '../../lib/choices.ts'
import { CURRENCY_OPTIONS } from '../../lib/currencies.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { useCan } from '../../lib/session.ts'
import { TraderLink } from '../traders/trader-link.tsx'
import { ACCOUNT_COLUMNS } from './account-columns.tsx'
import { AccountForm } from './account-form.tsx'
import { AccountTable } from './account-table.tsx'
import { ACCOUNT_STATES, usePlatformOptions } from './account-words.ts'
import { fetchAccounts, type NamedAccount } from './accounts.api.ts'

const [name, ...rest] = ACCOUNT_COLUMNS
const COLUMNS: readonly Column<NamedAccount>[] = [
  ...(name ? [name] : []),
  {
    key: 'trader',
    title: 'Client',
    wide: true,
    render: ({ traderId, traderName }) => <TraderLink id={traderId} name={traderName} />,
  },
  ...rest,
]

const filtersOf = (platforms: readonly Choice[]): readonly FilterOf<'accounts.list'>[] => [
  { key: 'status', label: 'Status', options: ACCOUNT_STATES },
  { key: 'platform', label: 'Platform', options: platforms },
  {
    key: 'isDemo',
    label: 'Kind',
    options: [
      { value: 'false', label: 'Real' },
      { value: 'true', label: 'Demo' },
    ],
  },
  { key: 'currency', label: 'Currency', options: CURRENCY_OPTIONS, several: true },
]

/** Every trading account. */
export const AccountList = () => {
  const can = useCan()
  const platforms = usePlatformOptions()
  const [opened, { open, close }] = useDisclosure()
  const create = can('operator') && <NewButton onClick={open}>New account</NewButton>
  return (
    <Page
      title="Accounts"
      subtitle="Trading accounts, with balance and equity as the platform reported them."
      actions={create}
    >
      <AccountTable
        fetch={fetchAccounts}
        columns={COLUMNS}
        filters={filtersOf(platforms)}
        empty={
          <EmptyState title="No accounts yet" action={create}>
            Link the accounts that your trading platform made.
          </EmptyState>
        }
      />
      {opened && <AccountForm onClose={close} />}
    </Page>
  )
}
