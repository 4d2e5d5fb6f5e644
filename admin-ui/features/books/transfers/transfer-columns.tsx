import type { Column } from '../../../components/lists/data-list.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { CLIENT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import { AMOUNTS, buildFlag, type FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import type { NamedTransfer, Transfer } from './transfers.api.ts'
import { say } from './words.ts'

export const KINDS: Record<Transfer['kind'], string> = {
  wallet_to_wallet: say('transfers.kind.wallet_to_wallet'),
  wallet_to_account: say('transfers.kind.wallet_to_account'),
  account_to_wallet: say('transfers.kind.account_to_wallet'),
}

const STATES: Record<Transfer['state'], { label: string; tone: Tone }> = {
  sent: { label: say('transfers.state.sent'), tone: 'wait' },
  booked: { label: say('transfers.state.booked'), tone: 'good' },
  refused: { label: say('transfers.state.refused'), tone: 'bad' },
}

/** Shows the state of a transfer: the platform books or refuses what was sent to it. */
export const TransferState = ({ state }: Pick<Transfer, 'state'>) => <StatusBadge status={state} {...STATES[state]} />

export const TRANSFER_FILTERS: readonly FilterOf<'transfers.list'>[] = [
  { key: 'state', label: say('common.state'), options: choices(STATES), several: true },
  { key: 'kind', label: say('common.kind'), options: choices(KINDS) },
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: say('transfers.made'), kind: 'days' },
  buildFlag('converts', say('transfers.converts.filter'), say('transfers.converts.only')),
]

export const TRANSFER_COLUMNS: readonly Column<NamedTransfer>[] = [
  { key: 'trader', file: CLIENT_CELL, title: say('common.client'), render: ({ traderName }) => shownName(traderName) },
  { key: 'reference', title: say('common.reference'), wide: true, card: true, render: ({ reference }) => reference },
  {
    key: 'state',
    file: nameCell(STATES),
    title: say('common.state'),
    render: ({ state }) => <TransferState state={state} />,
  },
  { key: 'kind', file: nameCell(KINDS), title: say('common.kind'), wide: true, render: ({ kind }) => KINDS[kind] },
  {
    key: 'fromAmount',
    file: { currency: 'fromCurrency' },
    sort: 'amount',
    title: say('transfers.taken'),
    align: 'right',
    render: ({ fromAmount, fromCurrency }) => <Money amount={fromAmount} currency={fromCurrency} />,
  },
  {
    key: 'toAmount',
    file: { currency: 'toCurrency' },
    title: say('transfers.given'),
    align: 'right',
    wide: true,
    render: ({ toAmount, toCurrency }) => <Money amount={toAmount} currency={toCurrency} />,
  },
  {
    key: 'rate',
    title: say('transfers.rate'),
    align: 'right',
    wide: true,
    render: ({ rate }) => orDash(rate && <span className="money">{groupDigits(rate)}</span>),
  },
  {
    key: 'createdAt',
    title: say('common.when'),
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]
