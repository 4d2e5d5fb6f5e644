import { orDash } from '../../components/dash.tsx'
import type { Column } from '../../components/data-list.tsx'
import { Money } from '../../components/money.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { groupDigits, humanize } from '../../lib/format.ts'
import { shownName } from '../traders/trader-names.ts'
import type { Position } from './positions.api.ts'

const SIDES = choices<Position['side']>({ long: 'Long', short: 'Short' })

export const POSITION_FILTERS: readonly FilterOf<'positions.list'>[] = [
  {
    key: 'status',
    label: 'Status',
    options: choices<Position['status']>({ open: 'Open', closed: 'Closed' }),
    fallback: 'open',
  },
  { key: 'side', label: 'Side', options: SIDES },
  { key: 'symbol', label: 'Symbol' },
  { key: 'from', until: 'to', label: 'Opened', kind: 'days' },
]

const Price = ({ value }: { value: string }) => <span className="money">{groupDigits(value)}</span>

/** The number on the platform, and whether it is an account of ours. */
export const AccountNumber = ({ position: { accountNumber, accountId } }: { position: Position }) =>
  accountId === null ? (
    <>
      {accountNumber} <StatusBadge status="unlinked" label="No account" tone="off" />
    </>
  ) : (
    accountNumber
  )

const signOf = (amount: string): 'loss' | 'gain' | undefined => {
  if (!/[1-9]/.test(amount)) return undefined
  return amount.startsWith('-') ? 'loss' : 'gain'
}

/** A result: the sign says it, the colour only helps. */
export const Result = ({ amount, currency }: { amount: string; currency: string | null }) => (
  <span className="result" data-sign={signOf(amount)}>
    <Money amount={amount} currency={currency} />
  </span>
)

export const POSITION_COLUMNS: readonly Column<Position>[] = [
  { key: 'symbol', title: 'Symbol', render: ({ symbol }) => symbol },
  {
    key: 'trader',
    title: 'Client',
    wide: true,
    card: true,
    render: ({ traderName, traderId }) => orDash(traderId && shownName(traderName)),
  },
  { key: 'side', title: 'Side', render: ({ side }) => humanize(side) },
  { key: 'volume', title: 'Lots', align: 'right', render: ({ volume }) => <Price value={volume} /> },
  {
    key: 'profit',
    title: 'Result',
    align: 'right',
    render: ({ profit, currency }) => <Result amount={profit} currency={currency} />,
  },
  {
    key: 'openPrice',
    title: 'Open price',
    align: 'right',
    wide: true,
    render: (row) => <Price value={row.openPrice} />,
  },
  {
    key: 'currentPrice',
    title: 'Price now',
    align: 'right',
    wide: true,
    render: (row) => <Price value={row.currentPrice} />,
  },
  {
    key: 'account',
    title: 'Account',
    wide: true,
    render: (row) => <AccountNumber position={row} />,
  },
  {
    key: 'swap',
    title: 'Swap',
    align: 'right',
    wide: true,
    optional: true,
    render: ({ swap, currency }) => <Money amount={swap} currency={currency} />,
  },
  {
    key: 'commission',
    title: 'Commission',
    align: 'right',
    wide: true,
    optional: true,
    render: ({ commission, currency }) => <Money amount={commission} currency={currency} />,
  },
  { key: 'ticket', title: 'Ticket', wide: true, optional: true, render: ({ ticket }) => ticket },
  { key: 'server', title: 'Server', wide: true, optional: true, render: ({ server }) => server },
  {
    key: 'status',
    title: 'Status',
    wide: true,
    optional: true,
    render: ({ status }) => <StatusBadge status={status === 'open' ? 'active' : 'closed'} label={humanize(status)} />,
  },
  { key: 'openedAt', title: 'Opened', wide: true, render: ({ openedAt }) => <When at={openedAt} /> },
]
