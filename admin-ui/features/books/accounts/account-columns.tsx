import type { Column } from '../../../components/lists/data-list.tsx'
import { Money } from '../../../components/show/money.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { AMOUNT_CELL, STATE_CELL } from '../../../lib/csv/list-csv.ts'
import { accountName, platformName } from './account-words.ts'
import type { Account } from './accounts.api.ts'
import { say } from './words.ts'

export const ACCOUNT_COLUMNS: readonly Column<Account>[] = [
  {
    key: 'number',
    file: (row) => row.accountNumber || row.externalId || row.id || '',
    title: say('common.account'),
    sort: 'accountNumber',
    upFirst: true,
    render: accountName,
  },
  {
    key: 'status',
    file: STATE_CELL,
    title: say('field.status'),
    render: ({ status }) => <StatusBadge status={status} />,
  },
  {
    key: 'balance',
    file: AMOUNT_CELL,
    sort: 'amount',
    title: say('accounts.balance'),
    align: 'right',
    render: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
  },
  {
    key: 'equity',
    file: AMOUNT_CELL,
    title: say('accounts.equity'),
    align: 'right',
    wide: true,
    render: ({ equity, currency }) => <Money amount={equity} currency={currency} />,
  },
  {
    key: 'platform',
    file: ({ platform = '', server }) => [platformName(platform), server].filter(Boolean).join(' · '),
    title: say('common.platform'),
    wide: true,
    render: ({ platform, server }) => [platformName(platform), server].filter(Boolean).join(' · '),
  },
  {
    key: 'kind',
    file: ({ isDemo }) => (isDemo === 'true' ? say('accounts.demo') : say('accounts.real')),
    title: say('common.kind'),
    wide: true,
    render: ({ isDemo }) => (isDemo ? say('accounts.demo') : say('accounts.real')),
  },
  {
    key: 'leverage',
    title: say('accounts.leverage'),
    align: 'right',
    wide: true,
    render: ({ leverage }) => `1:${leverage}`,
  },
]
