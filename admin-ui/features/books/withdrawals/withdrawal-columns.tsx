import type { Column } from '../../../components/lists/data-list.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { AMOUNT_CELL, CLIENT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import { AMOUNTS, type FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { FLAGS_CELL, POLICY_CELL, QueueFlags, QueuePolicy } from './queue-review.tsx'
import { mayHaveBeenSent } from './review-words.ts'
import type { NamedWithdrawal, NewWithdrawal, Withdrawal } from './withdrawals.api.ts'
import { say, tell } from './words.ts'

export const WITHDRAWAL_STATES: Record<Withdrawal['status'], { label: string; tone: Tone }> = {
  requested: { label: say('withdrawals.status.requested'), tone: 'wait' },
  approved: { label: say('withdrawals.status.approved'), tone: 'info' },
  paid: { label: say('withdrawals.paid'), tone: 'good' },
  rejected: { label: say('common.rejected'), tone: 'bad' },
  cancelled: { label: say('common.cancelled'), tone: 'off' },
}

export const DESTINATION_WORDS: Record<NewWithdrawal['destination']['kind'], string> = {
  bank: say('withdrawals.bank'),
  card: say('withdrawals.card'),
  wallet: say('withdrawals.wallet'),
  crypto: say('withdrawals.crypto'),
}

type StatusProps = Pick<Withdrawal, 'status' | 'lapsedAt'>

/** Shows the status, in red if an approval lapsed and money may have been sent, even after a new approval. */
export const WithdrawalStatus = ({ status, lapsedAt }: StatusProps) => (
  <StatusBadge
    status={status}
    {...(mayHaveBeenSent({ status, lapsedAt })
      ? { label: say('withdrawals.lapsed', { label: WITHDRAWAL_STATES[status].label.toLowerCase() }), tone: 'bad' }
      : WITHDRAWAL_STATES[status])}
  />
)

/** An approved withdrawal is to be paid within seven days; the last two of them, in milliseconds, are highlighted. */
const SOON = 2 * 86_400_000

export const isSoon = (at: string, now: number = Date.now()): boolean => Date.parse(at) - now <= SOON

/** Shows until when an approved withdrawal is to be paid, and highlights it once that is near. */
export const PayBefore = ({ at, now = Date.now() }: { at: string; now?: number }) => (
  <span className="pay-before" data-soon={isSoon(at, now) || undefined}>
    {isSoon(at, now) ? tell('withdrawals.lapses', { when: <When at={at} as="ago" /> }) : <When at={at} />}
  </span>
)

export const WITHDRAWAL_FILTERS: readonly FilterOf<'withdrawals.list'>[] = [
  {
    key: 'status',
    label: say('field.status'),
    options: choices(WITHDRAWAL_STATES),
  },
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: say('withdrawals.column.requested'), kind: 'days' },
  { key: 'paidFrom', until: 'paidTo', label: say('withdrawals.paid'), kind: 'days' },
]

export const WITHDRAWAL_COLUMNS: readonly Column<NamedWithdrawal>[] = [
  { key: 'trader', file: CLIENT_CELL, title: say('common.client'), render: ({ traderName }) => shownName(traderName) },
  {
    key: 'amount',
    file: AMOUNT_CELL,
    sort: 'amount',
    title: say('common.amount'),
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'status',
    file: nameCell(WITHDRAWAL_STATES),
    title: say('field.status'),
    render: ({ status, lapsedAt }) => <WithdrawalStatus status={status} lapsedAt={lapsedAt} />,
  },
  {
    key: 'policy',
    file: POLICY_CELL,
    title: say('withdrawals.queue.policy'),
    width: 120,
    wide: true,
    card: true,
    render: (row) => <QueuePolicy row={row} />,
  },
  {
    key: 'flags',
    file: FLAGS_CELL,
    title: say('withdrawals.queue.flags'),
    width: 300,
    wide: true,
    card: true,
    render: (row) => <QueueFlags row={row} />,
  },
  {
    key: 'createdAt',
    title: say('withdrawals.column.requested'),
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
  {
    key: 'approvedAt',
    title: say('withdrawals.approved'),
    wide: true,
    render: ({ approvedAt }) => <When at={approvedAt} />,
  },
  {
    key: 'payBefore',
    title: say('withdrawals.column.pay_before'),
    wide: true,
    render: ({ payBefore }) => orDash(payBefore && <PayBefore at={payBefore} />),
  },
  {
    key: 'paidAt',
    sort: 'paidAt',
    title: say('withdrawals.paid'),
    wide: true,
    optional: true,
    render: ({ paidAt }) => <When at={paidAt} />,
  },
  {
    key: 'paymentReference',
    title: say('withdrawals.pay.reference'),
    wide: true,
    render: ({ paymentReference }) => orDash(paymentReference),
  },
  {
    key: 'id',
    title: say('withdrawals.id'),
    wide: true,
    optional: true,
    render: ({ id }) => <span className="dim">{id}</span>,
  },
]

/** Maps a status to the columns that would say nothing about its withdrawals. */
const EMPTY_COLUMNS: Record<string, readonly string[]> = {
  requested: ['status', 'approvedAt', 'payBefore', 'paidAt', 'paymentReference'],
  approved: ['policy', 'flags', 'paidAt', 'paymentReference'],
}

/** Returns the columns of a queue without those that say nothing there. */
export const columnsFor = (status: string | undefined): readonly Column<NamedWithdrawal>[] =>
  WITHDRAWAL_COLUMNS.filter(({ key }) => !(EMPTY_COLUMNS[status ?? 'requested'] ?? ['policy', 'flags']).includes(key))
