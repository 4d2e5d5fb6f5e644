import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NAME_WIDTH } from '../../../components/lists/list-column.ts'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { AMOUNT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import { AMOUNTS, type FilterOf, opensOn, queueSort } from '../../../lib/lists/filters.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { AffiliateName } from './affiliate-name.tsx'
import { PAYOUT_STATES, PayoutStatus } from './affiliate-words.tsx'
import { fetchPayouts, type Payout } from './affiliates.api.ts'
import { PayoutDrawer } from './payout-drawer.tsx'
import { say } from './words.ts'

const FILTERS: readonly FilterOf<'payouts.list'>[] = opensOn('requested', [
  { key: 'status', label: say('affiliates.list.status'), options: choices(PAYOUT_STATES) },
  { key: 'currency', label: say('affiliates.form.currency'), options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: say('affiliates.list.from'), kind: 'days' },
])

const AFFILIATE: Column<Payout> = {
  key: 'affiliate',
  file: { from: 'affiliateName' },
  title: say('affiliates.payout.affiliate'),
  width: NAME_WIDTH,
  render: ({ affiliateId }) => <AffiliateName id={affiliateId} />,
}
const COLUMNS: readonly Column<Payout>[] = [
  {
    key: 'amount',
    file: AMOUNT_CELL,
    sort: 'amount',
    title: say('affiliates.line.amount'),
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'status',
    file: nameCell(PAYOUT_STATES),
    title: say('affiliates.list.status'),
    render: ({ status }) => <PayoutStatus status={status} />,
  },
]
const ASKED: Column<Payout> = {
  key: 'createdAt',
  title: say('affiliates.payout.asked_at'),
  sort: 'createdAt',
  render: ({ createdAt }) => <When at={createdAt} as="ago" />,
}
const OF_ALL = [AFFILIATE, ...COLUMNS, { ...ASKED, wide: true }]
const OF_ONE = [ASKED, ...COLUMNS]

/** Lists payouts. `affiliateId` limits the list to one affiliate; `own` is for the affiliate, who decides nothing. */
export const PayoutList = ({ affiliateId, own = false }: { affiliateId?: string; own?: boolean }) => {
  const [search] = useSearchParams()
  return (
    <DataList
      id="payouts"
      label={say('affiliates.page.payouts')}
      {...(affiliateId === undefined && { counted: 'sums' as const })}
      fetch={fetchPayouts}
      columns={affiliateId === undefined ? OF_ALL : OF_ONE}
      {...(affiliateId === undefined
        ? {
            searchPlaceholder: say('affiliates.picker.placeholder'),
            filters: FILTERS,
            usualSort: queueSort(search, FILTERS),
            file: 'payouts.export' as const,
          }
        : { fixed: { affiliateId }, within: ['payouts', affiliateId] as const, plain: true })}
      beside={(payout, close) => <PayoutDrawer payout={payout} own={own} onClose={close} />}
      empty={<EmptyState title={say('affiliates.payout.none')}>{say('affiliates.payout.none_text')}</EmptyState>}
      nothingWaits={
        <EmptyState title={say('affiliates.payout.nothing')}>{say('affiliates.payout.nothing_text')}</EmptyState>
      }
    />
  )
}
