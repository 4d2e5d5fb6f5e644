import { orDash } from '../../components/dash.tsx'
import type { Column } from '../../components/data-list.tsx'
import { Money } from '../../components/money.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import { CURRENCY_OPTIONS } from '../../lib/currencies.ts'
import { AMOUNTS, type FilterOf } from '../../lib/filters.ts'
import { humanize } from '../../lib/format.ts'
import { shownName } from '../traders/trader-names.ts'
import { useStaff } from '../users/users.api.ts'
import { announcerOf, firstWordText, settlerOf } from './deposit-words.ts'
import type { Deposit, NamedDeposit } from './deposits.api.ts'

const STATES: Record<Deposit['status'], string> = {
  pending: 'Pending',
  settled: 'Settled',
  partially_settled: 'Settled in part',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
export const METHODS = choices<Deposit['method']>({ bank: 'Bank', card: 'Card', wallet: 'Wallet', crypto: 'Crypto' })

type StatusProps = Pick<Deposit, 'status'> & Partial<Pick<Deposit, 'firstWord'>>

/** One that a first person said arrived says so: it waits for a second one. */
export const DepositStatus = ({ status, firstWord = null }: StatusProps) => (
  <StatusBadge status={status} label={firstWord ? 'Pending, 1 of 2' : STATES[status]} />
)

/** Who announced, said or settled it, by name. */
const Colleague = ({ deposit, who }: { deposit: Deposit; who: 'announced' | 'settled' | 'first' }) => {
  const { nameOf } = useStaff()
  if (who === 'first') return <span className="first-word">{orDash(firstWordText(deposit, nameOf))}</span>
  const name = who === 'announced' ? announcerOf(deposit, nameOf) : settlerOf(deposit, nameOf)
  return (
    <span className="clip-name" title={name ?? ''}>
      {orDash(name)}
    </span>
  )
}

export const DEPOSIT_FILTERS: readonly FilterOf<'deposits.list'>[] = [
  { key: 'status', label: 'Status', options: choices(STATES), several: true },
  { key: 'method', label: 'Method', options: METHODS, several: true },
  { key: 'currency', label: 'Currency', options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: 'Announced', kind: 'days' },
  { key: 'settledFrom', until: 'settledTo', label: 'Settled', kind: 'days' },
]

export const DEPOSIT_COLUMNS: readonly Column<NamedDeposit>[] = [
  { key: 'trader', title: 'Client', render: ({ traderName }) => shownName(traderName) },
  { key: 'status', title: 'Status', render: (row) => <DepositStatus status={row.status} firstWord={row.firstWord} /> },
  {
    key: 'amount',
    sort: 'amount',
    title: 'Amount',
    align: 'right',
    render: (row) => <Money amount={row.amount} currency={row.currency} />,
  },
  { key: 'reference', title: 'Reference', wide: true, card: true, render: (row) => orDash(row.providerReference) },
  {
    key: 'settledAmount',
    title: 'Settled',
    align: 'right',
    wide: true,
    render: (row) => orDash(row.settledAmount && <Money amount={row.settledAmount} currency={row.currency} />),
  },
  {
    key: 'announcedBy',
    title: 'Announced by',
    wide: true,
    render: (row) => <Colleague deposit={row} who="announced" />,
  },
  { key: 'settledBy', title: 'Settled by', wide: true, render: (row) => <Colleague deposit={row} who="settled" /> },
  {
    key: 'firstWord',
    title: 'First word',
    wide: true,
    render: (row) => <Colleague deposit={row} who="first" />,
  },
  { key: 'method', title: 'Method', wide: true, optional: true, render: (row) => humanize(row.method) },
  {
    key: 'createdAt',
    title: 'Announced',
    sort: 'createdAt',
    wide: true,
    card: true,
    render: (row) => <When at={row.createdAt} />,
  },
]

/** The columns of a list: a queue of what is pending shows the first of two words, any other who settled how much. */
export const depositColumns = (status: string | undefined): readonly Column<NamedDeposit>[] => {
  const pending = (status ?? 'pending') === 'pending'
  const left = pending ? ['settledAmount', 'settledBy'] : ['firstWord']
  return DEPOSIT_COLUMNS.filter(({ key }) => !left.includes(key))
}
