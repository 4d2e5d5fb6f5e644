import type { Column } from '../../../components/lists/data-list.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import type { LedgerEntry, Wallet } from './wallets.api.ts'
import { say } from './words.ts'

export const WALLET_COLUMNS: readonly Column<Wallet>[] = [
  { key: 'currency', title: say('common.currency'), render: ({ currency }) => currency },
  {
    key: 'available',
    title: say('wallets.available'),
    align: 'right',
    render: ({ available, currency }) => <Money amount={available} currency={currency} />,
  },
  {
    key: 'held',
    title: say('wallets.held'),
    align: 'right',
    render: ({ held, currency }) => <Money amount={held} currency={currency} />,
  },
  {
    key: 'updatedAt',
    title: say('wallets.updated'),
    wide: true,
    render: ({ updatedAt }) => <When at={updatedAt} />,
  },
]

export const LEDGER_LABELS: Record<LedgerEntry['account'], string> = {
  gateway_clearing: say('wallets.book.gateway_clearing'),
  payout_clearing: say('wallets.book.payout_clearing'),
  platform_clearing: say('wallets.book.platform_clearing'),
  fx_clearing: say('wallets.book.fx_clearing'),
  adjustments: say('wallets.book.adjustments'),
  affiliate_commissions: say('parts.commissions'),
  opening_balances: say('wallets.book.opening_balances'),
  client_available: say('wallets.book.client_available'),
  client_held: say('wallets.book.client_held'),
}

export const ENTRY_COLUMNS: readonly Column<LedgerEntry>[] = [
  { key: 'createdAt', title: say('common.when'), render: ({ createdAt }) => <When at={createdAt} /> },
  { key: 'account', title: say('common.account'), render: ({ account }) => LEDGER_LABELS[account] },
  {
    key: 'amount',
    title: say('common.amount'),
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'transactionId',
    title: say('wallets.movement'),
    wide: true,
    render: ({ transactionId }) => <span className="dim">{transactionId}</span>,
  },
]
