import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { AMOUNT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { AccountLink } from '../../books/accounts/account-link.tsx'
import { LoginDrawer } from './login-drawer.tsx'
import { LOGIN_STATES, LOGIN_TYPES, LoginState } from './login-words.tsx'
import { fetchLogins, type Login } from './records.api.ts'
import { say } from './words.ts'

const COLUMNS: readonly Column<Login>[] = [
  { key: 'login', title: say('terminals.record.login'), render: ({ login }) => login },
  {
    key: 'accountId',
    title: say('common.account'),
    wide: true,
    render: ({ accountId }) =>
      orDash(accountId && <AccountLink id={accountId}>{say('terminals.login.to_account')}</AccountLink>),
  },
  {
    key: 'state',
    file: nameCell(LOGIN_STATES),
    title: say('common.state'),
    render: ({ state }) => <LoginState state={state} />,
  },
  { key: 'group', title: say('terminals.login.group'), wide: true, card: true, render: ({ group }) => group },
  {
    key: 'accountType',
    file: nameCell(LOGIN_TYPES),
    title: say('terminals.login.type'),
    wide: true,
    render: ({ accountType }) => LOGIN_TYPES[accountType],
  },
  {
    key: 'balance',
    file: AMOUNT_CELL,
    title: say('terminals.login.balance'),
    align: 'right',
    render: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
  },
  {
    key: 'credit',
    file: AMOUNT_CELL,
    title: say('terminals.login.credit'),
    align: 'right',
    wide: true,
    optional: true,
    render: ({ credit, currency }) => <Money amount={credit} currency={currency} />,
  },
  {
    key: 'equity',
    file: AMOUNT_CELL,
    title: say('terminals.login.equity'),
    align: 'right',
    wide: true,
    render: ({ equity, currency }) => orDash(equity && <Money amount={equity} currency={currency} />),
  },
  {
    key: 'readAt',
    title: say('terminals.login.read'),
    wide: true,
    render: ({ readAt }) => <When at={readAt} as="ago" />,
  },
]

const FILTERS: readonly FilterOf<'platforms.logins.list'>[] = [
  { key: 'state', label: say('common.state'), options: choices(LOGIN_STATES) },
  { key: 'group', label: say('terminals.login.group'), kind: 'text' },
]

/** Lists the logins of a trading server as they were read last. */
export const LoginTable = ({ connectionId }: { connectionId: string }) => (
  <DataList
    id="platforms"
    within={['logins', connectionId]}
    file="platforms.logins.export"
    label={say('terminals.page.tab.logins')}
    fetch={fetchLogins}
    fixed={{ connectionId }}
    columns={COLUMNS}
    filters={FILTERS}
    searchPlaceholder={say('terminals.login.search')}
    counted="count"
    beside={(login, close) => <LoginDrawer login={login} onClose={close} />}
    empty={<EmptyState title={say('terminals.login.none')}>{say('terminals.login.none_text')}</EmptyState>}
  />
)
