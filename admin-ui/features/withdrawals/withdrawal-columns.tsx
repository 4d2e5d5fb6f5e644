import { say } from '../../../src/words/say.ts'
import { orDash } from '../../components/dash.tsx'
import type { Column } from '../../components/data-list.tsx'
import { Money } from '../../components/money.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import { CURRENCY_OPTIONS } from '../../lib/currencies.ts'
import { AMOUNTS, type FilterOf } from '../../lib/filters.ts'
import { shownName } from '../traders/trader-names.ts'
import { QueueFlags, QueuePolicy } from './queue-review.tsx'
import { mayBeSent } from './review-words.ts'
import type { NamedWithdrawal, NewWithdrawal, Withdrawal } from './withdrawals.api.ts'

const STATES: Record<Withdrawal['status'], { label: string; tone: Tone }> = {
  requested: { label: 'To approve', tone: 'wait' },
  approved: { label: 'To pay', tone: 'info' },
  paid: { label: 'Paid', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'off' },
}

export const DESTINATIONS = choices<NewWithdrawal['destination']['kind']>({
  bank: 'Bank',
  card: 'Card',
  wallet: 'Wallet',
  crypto: 'Crypto',
})

type StatusProps = Pick<Withdrawal, 'status' | 'lapsedAt'>

/** One whose money may have left already says that its approval lapsed, also when it was approved again. */
export const WithdrawalStatus = ({ status, lapsedAt }: StatusProps) => (
  <StatusBadge
    status={status}
    {...(mayBeSent({ status, lapsedAt })
      ? { label: `Lapsed, ${STATES[status].label.toLowerCase()}`, tone: 'bad' }
      : STATES[status])}
  />
)

/** An approval is told of from the fifth of its seven days on. */
const SOON = 2 * 86_400_000

export const isSoon = (at: string, now: number = Date.now()): boolean => Date.parse(at) - now <= SOON

/** Until when an approved withdrawal is to be paid; told apart once that is near. */
export const PayBefore = ({ at, now = Date.now() }: { at: string; now?: number }) => (
  <span className="pay-before" data-soon={isSoon(at, now) || undefined}>
    {isSoon(at, now) && 'Lapses '}
    <When at={at} {...(isSoon(at, now) && { as: 'ago' })} />
  </span>
)

export const WITHDRAWAL_FILTERS: readonly FilterOf<'withdrawals.list'>[] = [
  {
    key: 'status',
    label: 'Status',
    options: choices(STATES),
  },
  { key: 'currency', label: 'Currency', options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: 'Asked for', kind: 'days' },
  { key: 'paidFrom', until: 'paidTo', label: 'Paid', kind: 'days' },
]

export const WITHDRAWAL_COLUMNS: readonly Column<NamedWithdrawal>[] = [
  { key: 'trader', title: 'Client', render: ({ traderName }) => shownName(traderName) },
  {
    key: 'amount',
    sort: 'amount',
    title: 'Amount',
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'status',
    title: 'Status',
    render: ({ status, lapsedAt }) => <WithdrawalStatus status={status} lapsedAt={lapsedAt} />,
  },
  {
    key: 'policy',
    title: say('withdrawals.queue.policy'),
    wide: true,
    card: true,
    render: (row) => <QueuePolicy row={row} />,
  },
  { key: 'flags', title: say('withdrawals.queue.flags'), wide: true, render: (row) => <QueueFlags row={row} /> },
  {
    key: 'createdAt',
    title: 'Asked for',
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
  { key: 'approvedAt', title: 'Approved', wide: true, render: ({ approvedAt }) => <When at={approvedAt} /> },
  {
    key: 'payBefore',
    title: 'Pay before',
    wide: true,
    render: ({ payBefore }) => orDash(payBefore && <PayBefore at={payBefore} />),
  },
  { key: 'paidAt', title: 'Paid', wide: true, optional: true, render: ({ paidAt }) => <When at={paidAt} /> },
  {
    key: 'paymentReference',
    title: 'Payment reference',
    wide: true,
    render: ({ paymentReference }) => orDash(paymentReference),
  },
  { key: 'id', title: 'Id', wide: true, optional: true, render: ({ id }) => <span className="dim">{id}</span> },
]

/** Columns that say nothing about a withdrawal that waits to be approved, or to be paid. */
const LATER: Record<string, readonly string[]> = {
  requested: ['status', 'approvedAt', 'payBefore', 'paidAt', 'paymentReference'],
  approved: ['policy', 'flags', 'paidAt', 'paymentReference'],
}

/** The columns of a queue: those that are empty in all of its rows are left out. */
export const columnsFor = (status: string | undefined): readonly Column<NamedWithdrawal>[] =>
  WITHDRAWAL_COLUMNS.filter(({ key }) => !(LATER[status ?? 'requested'] ?? ['policy', 'flags']).includes(key))
