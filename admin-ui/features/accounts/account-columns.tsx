import type { Column } from '../../components/data-list.tsx'
import { Money } from '../../components/money.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { accountName, platformName } from './account-words.ts'
import type { Account } from './accounts.api.ts'

export const ACCOUNT_COLUMNS: readonly Column<Account>[] = [
  { key: 'number', title: 'Account', render: accountName },
  { key: 'status', title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  {
    key: 'balance',
    title: 'Balance',
    align: 'right',
    render: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
  },
  {
    key: 'equity',
    title: 'Equity',
    align: 'right',
    wide: true,
    render: ({ equity, currency }) => <Money amount={equity} currency={currency} />,
  },
  { key: 'platform', title: 'Platform', wide: true, render: ({ platform }) => platformName(platform) },
  { key: 'kind', title: 'Kind', wide: true, render: ({ isDemo }) => (isDemo ? 'Demo' : 'Real') },
  { key: 'leverage', title: 'Leverage', align: 'right', wide: true, render: ({ leverage }) => `1:${leverage}` },
]
