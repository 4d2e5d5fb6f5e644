import type { Column } from '../../../components/lists/data-list.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { AMOUNT_CELL, CLIENT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import { AMOUNTS, buildFlag, type FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { AccountLink } from '../accounts/account-link.tsx'
import type { Position } from './positions.api.ts'
import { say } from './words.ts'

export const SIDE_LABELS: Readonly<Record<Position['side'], string>> = {
  long: say('positions.long'),
  short: say('positions.short'),
}
const STATES: Readonly<Record<Position['status'], string>> = {
  open: say('positions.open'),
  closed: say('common.closed'),
}

/** Lists the filters of positions. The symbol filter also takes a part of a name; it offers the open `symbols`. */
export const positionFilters = (symbols: readonly string[]): readonly FilterOf<'positions.list'>[] => [
  {
    key: 'status',
    label: say('field.status'),
    options: choices(STATES),
    fallback: 'open',
  },
  { key: 'side', label: say('positions.side'), options: choices(SIDE_LABELS) },
  {
    key: 'symbol',
    label: say('positions.symbol'),
    options: symbols.toSorted().map((symbol) => ({ value: symbol, label: symbol })),
    free: true,
  },
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  { ...AMOUNTS, label: say('parts.result') },
  { key: 'from', until: 'to', label: say('positions.opened'), kind: 'days' },
  { key: 'closedFrom', until: 'closedTo', label: say('positions.closed'), kind: 'days' },
  buildFlag('live', say('positions.live.filter'), say('positions.live.only')),
]

const Price = ({ value }: { value: string }) => <span className="money">{groupDigits(value)}</span>

/** Shows the account's number on the platform: a link to the account here, else a badge that there is none. */
export const AccountNumber = ({ position: { accountNumber, accountId } }: { position: Position }) =>
  accountId === null ? (
    <>
      {accountNumber} <StatusBadge status="unlinked" label={say('positions.account.none')} tone="off" />
    </>
  ) : (
    <AccountLink id={accountId}>{accountNumber}</AccountLink>
  )

const classifyProfit = (amount: string): 'loss' | 'gain' | undefined => {
  if (!/[1-9]/.test(amount)) return undefined
  return amount.startsWith('-') ? 'loss' : 'gain'
}

/** Shows a profit or loss; its sign is enough to tell which, and the colour only helps. */
export const Result = ({ amount, currency }: { amount: string; currency: string | null }) => (
  <span className="result" data-sign={classifyProfit(amount)}>
    <Money amount={amount} currency={currency} />
  </span>
)

export const POSITION_COLUMNS: readonly Column<Position>[] = [
  { key: 'symbol', title: say('positions.symbol'), sort: 'symbol', upFirst: true, render: ({ symbol }) => symbol },
  {
    key: 'trader',
    file: CLIENT_CELL,
    title: say('common.client'),
    wide: true,
    card: true,
    render: ({ traderName, traderId }) => orDash(traderId && shownName(traderName)),
  },
  { key: 'side', file: nameCell(SIDE_LABELS), title: say('positions.side'), render: ({ side }) => SIDE_LABELS[side] },
  {
    key: 'volume',
    title: say('positions.lots_column'),
    sort: 'volume',
    align: 'right',
    render: ({ volume }) => <Price value={volume} />,
  },
  {
    key: 'profit',
    file: AMOUNT_CELL,
    title: say('parts.result'),
    sort: 'amount',
    align: 'right',
    render: ({ profit, currency }) => <Result amount={profit} currency={currency} />,
  },
  {
    key: 'openPrice',
    title: say('positions.column.open_price'),
    align: 'right',
    wide: true,
    render: (row) => <Price value={row.openPrice} />,
  },
  {
    key: 'currentPrice',
    title: say('positions.column.current_price'),
    align: 'right',
    wide: true,
    render: (row) => <Price value={row.currentPrice} />,
  },
  {
    key: 'account',
    file: { from: 'accountNumber' },
    title: say('common.account'),
    wide: true,
    render: (row) => <AccountNumber position={row} />,
  },
  {
    key: 'swap',
    file: AMOUNT_CELL,
    title: say('positions.swap'),
    align: 'right',
    wide: true,
    optional: true,
    render: ({ swap, currency }) => <Money amount={swap} currency={currency} />,
  },
  {
    key: 'commission',
    file: AMOUNT_CELL,
    title: say('positions.commission'),
    align: 'right',
    wide: true,
    optional: true,
    render: ({ commission, currency }) => <Money amount={commission} currency={currency} />,
  },
  { key: 'ticket', title: say('positions.ticket'), wide: true, optional: true, render: ({ ticket }) => ticket },
  { key: 'server', title: say('positions.server'), wide: true, optional: true, render: ({ server }) => server },
  {
    key: 'status',
    file: nameCell(STATES),
    title: say('field.status'),
    wide: true,
    optional: true,
    render: ({ status }) => <StatusBadge status={status === 'open' ? 'active' : 'closed'} label={STATES[status]} />,
  },
  {
    key: 'openedAt',
    title: say('positions.opened'),
    sort: 'openedAt',
    wide: true,
    render: ({ openedAt }) => <When at={openedAt} />,
  },
]
