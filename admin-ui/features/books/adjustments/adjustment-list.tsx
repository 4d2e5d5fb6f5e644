import { useDisclosure } from '@mantine/hooks'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { NewButton } from '../../../components/lists/list-actions.tsx'
import { NAME_WIDTH } from '../../../components/lists/list-column.ts'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { AMOUNT_CELL, CLIENT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import { AMOUNTS, type FilterOf, queueSort } from '../../../lib/lists/filters.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CURRENCY_OPTIONS } from '../../../lib/text/currencies.ts'
import { shownName } from '../../clients/traders/trader-names.ts'
import { type FindStaffName, useStaff } from '../../firm/users/users.api.ts'
import { AdjustmentDrawer } from './adjustment-drawer.tsx'
import { AdjustmentForm } from './adjustment-form.tsx'
import { ADJUSTMENT_STATES, AdjustmentStatus, DIRECTION_LABELS } from './adjustment-words.tsx'
import { fetchAdjustments, type NamedAdjustment } from './adjustments.api.ts'
import { say } from './words.ts'

const FILTERS: readonly FilterOf<'adjustments.list'>[] = [
  {
    key: 'status',
    label: say('field.status'),
    options: choices(ADJUSTMENT_STATES),
    fallback: 'requested',
  },
  { key: 'currency', label: say('common.currency'), options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: say('adjustments.requested'), kind: 'days' },
]

const buildColumns = (staff: FindStaffName): readonly Column<NamedAdjustment>[] => [
  { key: 'trader', file: CLIENT_CELL, title: say('common.client'), render: ({ traderName }) => shownName(traderName) },
  {
    key: 'status',
    file: nameCell(ADJUSTMENT_STATES),
    title: say('field.status'),
    render: ({ status }) => <AdjustmentStatus status={status} />,
  },
  {
    key: 'direction',
    file: nameCell(DIRECTION_LABELS),
    title: say('adjustments.direction'),
    wide: true,
    render: ({ direction }) => DIRECTION_LABELS[direction],
  },
  {
    key: 'amount',
    file: AMOUNT_CELL,
    sort: 'amount',
    title: say('common.amount'),
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'reason',
    title: say('common.reason'),
    wide: true,
    render: ({ reason }) => <span className="clip">{reason}</span>,
  },
  {
    key: 'requestedBy',
    title: say('adjustments.requested_by'),
    width: NAME_WIDTH,
    wide: true,
    render: ({ requestedBy, createdAt }) => staff(requestedBy, createdAt),
  },
  {
    key: 'createdAt',
    title: say('adjustments.requested'),
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
]

/** Lists manual credits and debits: one person requests them, another approves them. */
export const AdjustmentList = () => {
  const staff = useStaff()
  const [search] = useSearchParams()
  const [opened, { open, close }] = useDisclosure()
  return (
    <Page
      title={say('adjustments.adjustments')}
      subtitle={say('adjustments.about')}
      actions={<NewButton onClick={open}>{say('adjustments.new.title')}</NewButton>}
    >
      <DataList
        id="adjustments"
        file="adjustments.export"
        label={say('adjustments.adjustments')}
        searchPlaceholder={say('lists.search_client')}
        rowName={({ traderName }) => shownName(traderName)}
        counted="sums"
        fetch={fetchAdjustments}
        columns={buildColumns(staff.findStaffName)}
        filters={FILTERS}
        usualSort={queueSort(search, FILTERS)}
        beside={(adjustment, close) => <AdjustmentDrawer adjustment={adjustment} onClose={close} />}
        empty={<EmptyState title={say('adjustments.empty.title')}>{say('adjustments.empty.about')}</EmptyState>}
        nothingWaits={<EmptyState title={say('common.empty.waiting')}>{say('adjustments.empty.decided')}</EmptyState>}
      />
      {opened && <AdjustmentForm onClose={close} />}
    </Page>
  )
}
