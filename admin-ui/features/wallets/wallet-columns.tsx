import { say } from '../../../src/words/say.ts'
import type { Column } from '../../components/data-list.tsx'
import { Money } from '../../components/money.tsx'
import { When } from '../../components/when.tsx'
import type { LedgerEntry, Wallet } from './wallets.api.ts'

export const WALLET_COLUMNS: readonly Column<Wallet>[] = [
  { key: 'currency', title: 'Currency', render: ({ currency }) => currency },
  {
    key: 'available',
    title: 'Available',
    align: 'right',
    render: ({ available, currency }) => <Money amount={available} currency={currency} />,
  },
  {
    key: 'held',
    title: 'Held',
    align: 'right',
    render: ({ held, currency }) => <Money amount={held} currency={currency} />,
  },
  { key: 'updatedAt', title: 'Last movement', wide: true, render: ({ updatedAt }) => <When at={updatedAt} /> },
]

/** What the ledger's accounts are called. */
export const LEDGER_LABELS: Record<LedgerEntry['account'], string> = {
  gateway_clearing: 'Gateways, under way',
  payout_clearing: 'Payouts, under way',
  platform_clearing: 'Trading platforms, under way',
  fx_clearing: 'Currency exchange',
  adjustments: 'Corrections',
  affiliate_commissions: say('affiliates.ledger'),
  client_available: 'Clients, available',
  client_held: 'Clients, held',
}

export const ENTRY_COLUMNS: readonly Column<LedgerEntry>[] = [
  { key: 'createdAt', title: 'When', render: ({ createdAt }) => <When at={createdAt} /> },
  { key: 'account', title: 'Account', render: ({ account }) => LEDGER_LABELS[account] },
  {
    key: 'amount',
    title: 'Amount',
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'transactionId',
    title: 'Movement',
    wide: true,
    render: ({ transactionId }) => <span className="dim">{transactionId}</span>,
  },
]
