import { Link } from '@tanstack/react-router'
import type { Column } from '../../../components/lists/data-list.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { humanize } from '../../../lib/text/format.ts'
import type { LedgerEntry, Wallet } from './wallets.api.ts'
import { say } from './words.ts'

export const WALLET_COLUMNS: readonly Column<Wallet>[] = [
  { key: 'currency', title: say('common.currency'), wide: true, render: ({ currency }) => currency },
  {
    key: 'available',
    sort: 'amount',
    title: say('wallets.available'),
    align: 'right',
    render: ({ available, currency }) => <Money amount={available} currency={currency} />,
  },
  {
    key: 'held',
    title: say('wallets.held'),
    align: 'right',
    render: ({ held, currency }) => <Money amount={held} currency={currency} />,
    renderCard: ({ held, currency }) => (
      <>
        {say('wallets.held')} <Money amount={held} currency={currency} />
      </>
    ),
  },
  {
    key: 'updatedAt',
    sort: 'updatedAt',
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

const KINDS: Readonly<Record<string, string>> = {
  deposit: say('wallets.kind.deposit'),
  withdrawal_hold: say('wallets.kind.withdrawal_hold'),
  withdrawal_release: say('wallets.kind.withdrawal_release'),
  withdrawal_pay: say('wallets.kind.withdrawal_pay'),
  transfer: say('wallets.kind.transfer'),
  transfer_booked: say('wallets.kind.transfer_booked'),
  transfer_refused: say('wallets.kind.transfer_refused'),
  adjustment: say('wallets.kind.adjustment'),
  commission: say('wallets.kind.commission'),
  opening: say('wallets.kind.opening'),
  opening_undone: say('wallets.kind.opening_undone'),
  merge: say('wallets.kind.merge'),
}

/** Names what moved the wallet, as a link where it has a page: “Deposit BA-63551674”. */
const Movement = ({ kind, causeId, reference }: LedgerEntry) => {
  const text = [KINDS[kind] ?? humanize(kind), reference].filter(Boolean).join(' ')
  if (kind === 'deposit') return <RecordLink to="/deposits/$id" id={causeId} text={text} />
  if (kind.startsWith('withdrawal_')) return <RecordLink to="/withdrawals/$id" id={causeId} text={text} />
  if (!kind.startsWith('transfer')) return text
  return (
    <Link to="/transfers" search={{ q: causeId }} className="text-link">
      {text}
    </Link>
  )
}

type RecordLinkProps = { to: '/deposits/$id' | '/withdrawals/$id'; id: string; text: string }
const RecordLink = ({ to, id, text }: RecordLinkProps) => (
  <Link to={to} params={{ id }} className="text-link">
    {text}
  </Link>
)

export const ENTRY_COLUMNS: readonly Column<LedgerEntry>[] = [
  { key: 'movement', title: say('wallets.movement'), render: (entry) => <Movement {...entry} /> },
  {
    key: 'amount',
    title: say('common.amount'),
    align: 'right',
    render: ({ amount, currency }) => (
      <>
        {!amount.startsWith('-') && '+'}
        <Money amount={amount} currency={currency} />
      </>
    ),
  },
  {
    key: 'balance',
    title: say('wallets.balance'),
    align: 'right',
    render: ({ balance, currency }) => <Money amount={balance} currency={currency} fw={600} />,
  },
  {
    key: 'account',
    title: say('wallets.entry.account'),
    render: ({ account }) => (account === 'client_held' ? say('wallets.held') : say('wallets.available')),
  },
  { key: 'createdAt', title: say('common.when'), render: ({ createdAt }) => <When at={createdAt} /> },
]
