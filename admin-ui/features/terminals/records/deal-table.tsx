import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { AMOUNT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { formatCount, groupDigits } from '../../../lib/text/format.ts'
import { DealDrawer } from './deal-drawer.tsx'
import { DEAL_ENTRIES, DEAL_GROUPS, DEAL_KINDS, DEAL_SIDES, DEAL_STATES, DealState } from './deal-words.tsx'
import { type Deal, fetchDeals } from './records.api.ts'
import { say } from './words.ts'

const COLUMNS: readonly Column<Deal>[] = [
  { key: 'number', title: say('terminals.deal.number'), render: ({ number }) => number },
  {
    key: 'at',
    title: say('terminals.deal.at'),
    sort: 'at',
    wide: true,
    card: true,
    render: ({ at }) => <When at={at} />,
  },
  { key: 'login', title: say('terminals.record.login'), render: ({ login }) => login },
  {
    key: 'kind',
    file: nameCell(DEAL_KINDS),
    title: say('terminals.deal.kind'),
    wide: true,
    render: ({ kind }) => DEAL_KINDS[kind],
  },
  {
    key: 'entry',
    file: nameCell(DEAL_ENTRIES),
    title: say('terminals.deal.entry'),
    wide: true,
    render: ({ entry }) => orDash(entry && DEAL_ENTRIES[entry]),
  },
  {
    key: 'symbol',
    title: say('terminals.deal.symbol'),
    wide: true,
    card: true,
    render: ({ symbol }) => orDash(symbol),
  },
  {
    key: 'side',
    file: nameCell(DEAL_SIDES),
    title: say('terminals.deal.side'),
    wide: true,
    optional: true,
    render: ({ side }) => orDash(side && DEAL_SIDES[side]),
  },
  // the first right-aligned column is the amount on a phone
  {
    key: 'profit',
    file: AMOUNT_CELL,
    title: say('terminals.deal.profit'),
    align: 'right',
    render: ({ profit, currency }) => <Money amount={profit} currency={currency} />,
  },
  {
    key: 'lots',
    title: say('terminals.deal.lots'),
    align: 'right',
    wide: true,
    render: ({ lots, symbol }) => orDash(symbol && groupDigits(lots)),
  },
  {
    key: 'price',
    title: say('terminals.deal.price'),
    align: 'right',
    wide: true,
    optional: true,
    render: ({ price }) => orDash(price && groupDigits(price)),
  },
  {
    key: 'position',
    title: say('terminals.deal.position'),
    wide: true,
    optional: true,
    render: ({ position }) => orDash(position),
  },
  {
    key: 'state',
    file: nameCell(DEAL_STATES),
    title: say('common.state'),
    wide: true,
    render: ({ state }) => <DealState state={state} />,
  },
  {
    key: 'revision',
    title: say('terminals.deal.changed'),
    align: 'right',
    wide: true,
    render: ({ revision }) => orDash(revision > 1 && formatCount(revision - 1)),
  },
]

const FILTERS: readonly FilterOf<'platforms.deals.list'>[] = [
  { key: 'kind', label: say('terminals.deal.kind'), options: choices(DEAL_GROUPS) },
  { key: 'state', label: say('common.state'), options: choices(DEAL_STATES) },
  { key: 'position', label: say('terminals.deal.position'), kind: 'text' },
  { key: 'accountId', label: say('terminals.deal.account'), kind: 'text' },
  { key: 'from', until: 'to', label: say('terminals.deal.period'), kind: 'days' },
]

/** Lists the deals of a trading server as they were read. */
export const DealTable = ({ connectionId }: { connectionId: string }) => (
  <DataList
    id="platforms"
    within={['deals', connectionId]}
    file="platforms.deals.export"
    label={say('terminals.page.tab.deals')}
    fetch={fetchDeals}
    fixed={{ connectionId }}
    columns={COLUMNS}
    filters={FILTERS}
    usualSort="-at"
    beside={(deal, close) => <DealDrawer deal={deal} onClose={close} />}
    empty={<EmptyState title={say('terminals.deal.none')}>{say('terminals.deal.none_text')}</EmptyState>}
  />
)
