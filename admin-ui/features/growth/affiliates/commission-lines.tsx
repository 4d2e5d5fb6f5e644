import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NAME_WIDTH } from '../../../components/lists/list-column.ts'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { AMOUNT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import { buildFlag, type FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { groupDigits } from '../../../lib/text/format.ts'
import { AffiliateName } from './affiliate-name.tsx'
import { MODEL_LABELS, SOURCE_LABELS } from './affiliate-words.tsx'
import { fetchLines, type Line } from './affiliates.api.ts'
import { ExplainLine } from './explain-line.tsx'
import { say } from './words.ts'

const AFFILIATE: Column<Line> = {
  key: 'affiliate',
  file: { from: 'affiliateName' },
  title: say('affiliates.payout.affiliate'),
  width: NAME_WIDTH,
  render: ({ affiliateId }) => <AffiliateName id={affiliateId} />,
}
const WHEN: Column<Line> = {
  key: 'occurredAt',
  title: say('affiliates.line.when'),
  sort: 'occurredAt',
  render: ({ occurredAt }) => <When at={occurredAt} as="date" />,
}
const COLUMNS: readonly Column<Line>[] = [
  {
    key: 'amount',
    file: AMOUNT_CELL,
    title: say('affiliates.line.amount'),
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  { key: 'level', title: say('affiliates.line.level'), align: 'right', wide: true, render: ({ level }) => level },
  {
    key: 'model',
    file: nameCell(MODEL_LABELS),
    title: say('affiliates.line.model'),
    wide: true,
    render: ({ model }) => MODEL_LABELS[model],
  },
  { key: 'symbol', title: say('affiliates.line.symbol'), wide: true, render: ({ symbol }) => orDash(symbol) },
  {
    key: 'lots',
    title: say('affiliates.line.lots'),
    align: 'right',
    wide: true,
    render: ({ lots }) => orDash(lots && groupDigits(lots)),
  },
]
const SOURCE: Column<Line> = {
  key: 'source',
  file: nameCell(SOURCE_LABELS, 'sourceType'),
  title: say('affiliates.line.source'),
  render: ({ sourceType }) => SOURCE_LABELS[sourceType],
}
// A phone has room for three columns: the affiliate says more there than the source, which is left out.
const OF_ALL = [AFFILIATE, WHEN, { ...SOURCE, wide: true }, ...COLUMNS]
const OF_ONE = [WHEN, SOURCE, ...COLUMNS]
const FILTERS: readonly FilterOf<'commissions.list'>[] = [
  { key: 'sourceType', label: say('affiliates.line.source'), options: choices(SOURCE_LABELS) },
  { key: 'model', label: say('affiliates.line.model'), options: choices(MODEL_LABELS) },
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  { key: 'from', until: 'to', label: say('affiliates.list.from'), kind: 'days' },
  buildFlag('earned', say('affiliates.line.earned.filter'), say('affiliates.line.earned.only')),
]

/** Lists what affiliates earned; a click explains a line. With `affiliateId` it is a part of that affiliate's page. */
export const CommissionLines = ({ affiliateId }: { affiliateId?: string }) => {
  return (
    <DataList
      id="commissions"
      label={say('affiliates.page.commissions')}
      fetch={fetchLines}
      columns={affiliateId === undefined ? OF_ALL : OF_ONE}
      {...(affiliateId === undefined
        ? { filters: FILTERS, file: 'commissions.export' as const }
        : { fixed: { affiliateId }, within: ['lines', affiliateId] as const, plain: true })}
      beside={(line, close) => <ExplainLine line={line} withAffiliate={affiliateId === undefined} onClose={close} />}
      empty={<EmptyState title={say('affiliates.line.none')}>{say('affiliates.line.none_text')}</EmptyState>}
    />
  )
}
