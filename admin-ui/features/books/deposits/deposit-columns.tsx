import type { Column } from '../../../components/lists/data-list.tsx'
import { NAME_WIDTH } from '../../../components/lists/list-column.ts'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { AMOUNT_CELL, CLIENT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import { AMOUNTS, type FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { useStaff } from '../../firm/users/users.api.ts'
import { announcerCell, firstApprovalCell, settlerCell } from './deposit-cells.ts'
import { describeAnnouncer, describeSettler, firstApprovalText } from './deposit-words.ts'
import type { Deposit, NamedDeposit } from './deposits.api.ts'
import { say } from './words.ts'

export const DEPOSIT_STATES: Record<Deposit['status'], string> = {
  pending: say('deposits.status.pending'),
  settled: say('deposits.settled'),
  partially_settled: say('parts.status.partially_settled'),
  failed: say('common.failed'),
  cancelled: say('common.cancelled'),
}
export const METHOD_WORDS: Record<Deposit['method'], string> = {
  bank: say('deposits.bank'),
  card: say('deposits.card'),
  wallet: say('deposits.wallet'),
  crypto: say('deposits.crypto'),
}

type StatusProps = Pick<Deposit, 'status'> & Partial<Pick<Deposit, 'firstWord'>>

/** A deposit with a first approval has another label, because it waits for a second person. */
export const DepositStatus = ({ status, firstWord = null }: StatusProps) => (
  <StatusBadge status={status} label={firstWord ? say('deposits.status.half') : DEPOSIT_STATES[status]} />
)

/** Names who created or settled a deposit, or says who gave the first approval and for how much. */
const Colleague = ({ deposit, who }: { deposit: Deposit; who: 'announced' | 'settled' | 'first' }) => {
  const { findStaffName } = useStaff()
  if (who === 'first') return orDash(firstApprovalText(deposit, findStaffName))
  const name = who === 'announced' ? describeAnnouncer(deposit, findStaffName) : describeSettler(deposit, findStaffName)
  return (
    <span className="clip-name" title={name ?? ''}>
      {orDash(name)}
    </span>
  )
}

export const DEPOSIT_FILTERS: readonly FilterOf<'deposits.list'>[] = [
  { key: 'status', label: say('field.status'), options: choices(DEPOSIT_STATES), several: true },
  { key: 'method', label: say('deposits.method'), options: choices(METHOD_WORDS), several: true },
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: say('deposits.announced'), kind: 'days' },
  { key: 'settledFrom', until: 'settledTo', label: say('deposits.settled'), kind: 'days' },
]

export const DEPOSIT_COLUMNS: readonly Column<NamedDeposit>[] = [
  { key: 'trader', file: CLIENT_CELL, title: say('common.client'), render: ({ traderName }) => shownName(traderName) },
  {
    key: 'status',
    file: nameCell(DEPOSIT_STATES),
    title: say('field.status'),
    render: (row) => <DepositStatus status={row.status} firstWord={row.firstWord} />,
  },
  {
    key: 'amount',
    file: AMOUNT_CELL,
    sort: 'amount',
    title: say('common.amount'),
    align: 'right',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  {
    key: 'reference',
    file: { from: 'providerReference' },
    title: say('common.reference'),
    wide: true,
    card: true,
    render: (row) => orDash(row.providerReference),
  },
  {
    key: 'settledAmount',
    file: AMOUNT_CELL,
    title: say('deposits.settled'),
    align: 'right',
    wide: true,
    render: (row) => orDash(row.settledAmount && <Money amount={row.settledAmount} currency={row.currency} />),
  },
  {
    key: 'announcedBy',
    file: announcerCell,
    title: say('deposits.column.announced_by'),
    width: NAME_WIDTH,
    wide: true,
    render: (row) => <Colleague deposit={row} who="announced" />,
  },
  {
    key: 'settledBy',
    file: settlerCell,
    title: say('deposits.column.settled_by'),
    width: NAME_WIDTH,
    wide: true,
    render: (row) => <Colleague deposit={row} who="settled" />,
  },
  {
    key: 'firstWord',
    file: firstApprovalCell,
    title: say('deposits.first_word'),
    width: NAME_WIDTH,
    wide: true,
    render: (row) => <Colleague deposit={row} who="first" />,
  },
  {
    key: 'method',
    file: nameCell(METHOD_WORDS),
    title: say('deposits.method'),
    wide: true,
    optional: true,
    render: (row) => METHOD_WORDS[row.method],
  },
  {
    key: 'settledAt',
    title: say('deposits.settled_on'),
    sort: 'settledAt',
    wide: true,
    optional: true,
    render: ({ settledAt }) => <When at={settledAt} />,
  },
  {
    key: 'createdAt',
    title: say('deposits.announced'),
    sort: 'createdAt',
    wide: true,
    card: true,
    render: (row) => <When at={row.createdAt} />,
  },
]

/**
 * Returns the columns of a list: pending deposits show who announced them and the first approval, all others who
 * settled how much.
 */
export const depositColumns = (status: string | undefined): readonly Column<NamedDeposit>[] => {
  const pending = (status ?? 'pending') === 'pending'
  const left = pending ? ['settledAmount', 'settledBy'] : ['firstWord']
  return DEPOSIT_COLUMNS.filter(({ key }) => !left.includes(key)).map((column) =>
    column.key === 'announcedBy' && !pending ? { ...column, optional: true } : column,
  )
}
