import { orDash } from '../../components/dash.tsx'
import type { Column } from '../../components/data-list.tsx'
import { Money } from '../../components/money.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import { CURRENCY_OPTIONS } from '../../lib/currencies.ts'
import { AMOUNTS, type FilterOf } from '../../lib/filters.ts'
import { groupDigits } from '../../lib/format.ts'
import { shownName } from '../traders/trader-names.ts'
import type { NamedTransfer, Transfer } from './transfers.api.ts'

export const KINDS: Record<Transfer['kind'], string> = {
  wallet_to_wallet: 'Wallet to wallet',
  wallet_to_account: 'Wallet to account',
  account_to_wallet: 'Account to wallet',
}

const STATES: Record<Transfer['state'], { label: string; tone: Tone }> = {
  sent: { label: 'Sent to the platform', tone: 'wait' },
  booked: { label: 'Booked', tone: 'good' },
  refused: { label: 'Refused', tone: 'bad' },
}

/** Where a transfer stands: the platform books or refuses what was sent to it. */
export const TransferState = ({ state }: Pick<Transfer, 'state'>) => <StatusBadge status={state} {...STATES[state]} />

export const TRANSFER_FILTERS: readonly FilterOf<'transfers.list'>[] = [
  { key: 'state', label: 'State', options: choices(STATES) },
  { key: 'kind', label: 'Kind', options: choices(KINDS) },
  { key: 'currency', label: 'Currency', options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: 'Made', kind: 'days' },
]

export const TRANSFER_COLUMNS: readonly Column<NamedTransfer>[] = [
  { key: 'trader', title: 'Client', render: ({ traderName }) => shownName(traderName) },
  { key: 'reference', title: 'Reference', wide: true, card: true, render: ({ reference }) => reference },
  { key: 'state', title: 'State', render: ({ state }) => <TransferState state={state} /> },
  { key: 'kind', title: 'Kind', wide: true, render: ({ kind }) => KINDS[kind] },
  {
    key: 'fromAmount',
    sort: 'amount',
    title: 'Taken',
    align: 'right',
    render: ({ fromAmount, fromCurrency }) => <Money amount={fromAmount} currency={fromCurrency} />,
  },
  {
    key: 'toAmount',
    title: 'Given',
    align: 'right',
    wide: true,
    render: ({ toAmount, toCurrency }) => <Money amount={toAmount} currency={toCurrency} />,
  },
  {
    key: 'rate',
    title: 'Rate',
    align: 'right',
    wide: true,
    render: ({ rate }) => orDash(rate && <span className="money">{groupDigits(rate)}</span>),
  },
  {
    key: 'createdAt',
    title: 'When',
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]
