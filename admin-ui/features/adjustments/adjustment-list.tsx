import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NewButton } from '../../components/list-actions.tsx'
import { Money } from '../../components/money.tsx'
import { Page } from '../../components/page.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import { CURRENCY_OPTIONS } from '../../lib/currencies.ts'
import { AMOUNTS, type FilterOf, queueSort } from '../../lib/filters.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { shownName } from '../traders/trader-names.ts'
import { useStaff } from '../users/users.api.ts'
import { AdjustmentDrawer } from './adjustment-drawer.tsx'
import { AdjustmentForm } from './adjustment-form.tsx'
import { ADJUSTMENT_STATES, AdjustmentStatus, DIRECTION_LABELS } from './adjustment-words.tsx'
import { fetchAdjustments, type NamedAdjustment } from './adjustments.api.ts'

const FILTERS: readonly FilterOf<'adjustments.list'>[] = [
  {
    key: 'status',
    label: 'Status',
    options: choices(ADJUSTMENT_STATES),
    fallback: 'requested',
  },
  { key: 'currency', label: 'Currency', options: CURRENCY_OPTIONS, several: true },
  AMOUNTS,
  { key: 'from', until: 'to', label: 'Asked for', kind: 'days' },
]

const columnsOf = (staff: (id: string | null) => string | null): readonly Column<NamedAdjustment>[] => [
  { key: 'trader', title: 'Client', render: ({ traderName }) => shownName(traderName) },
  { key: 'status', title: 'Status', render: ({ status }) => <AdjustmentStatus status={status} /> },
  { key: 'direction', title: 'Direction', wide: true, render: ({ direction }) => DIRECTION_LABELS[direction] },
  {
    key: 'amount',
    sort: 'amount',
    title: 'Amount',
    align: 'right',
    render: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
  },
  {
    key: 'reason',
    title: 'Reason',
    wide: true,
    render: ({ reason }) => <span className="clip">{reason}</span>,
  },
  { key: 'requestedBy', title: 'Asked for by', wide: true, render: ({ requestedBy }) => staff(requestedBy) },
  {
    key: 'createdAt',
    title: 'Asked for',
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
]

/** Manual credits and debits: one person asks, another approves. */
export const AdjustmentList = () => {
  const staff = useStaff()
  const [search] = useSearchParams()
  const [opened, { open, close }] = useDisclosure()
  const [shown, setShown] = useState<NamedAdjustment | null>(null)
  return (
    <Page
      title="Adjustments"
      subtitle="Manual credits and debits. One person asks, another one approves."
      actions={<NewButton onClick={open}>New adjustment</NewButton>}
    >
      <DataList
        id="adjustments"
        label="Adjustments"
        searchPlaceholder={say('lists.search_client')}
        rowName={({ traderName }) => traderName ?? ''}
        counted="sums"
        fetch={fetchAdjustments}
        columns={columnsOf(staff.nameOf)}
        filters={FILTERS}
        usualSort={queueSort(search, FILTERS)}
        onOpen={setShown}
        empty={
          search.status ? (
            <EmptyState title="No adjustments yet">A goodwill credit or a correction is asked for here.</EmptyState>
          ) : (
            <EmptyState title="Nothing is waiting">
              Every adjustment has been decided. Clear the status filter to see them all.
            </EmptyState>
          )
        }
      />
      {opened && <AdjustmentForm onClose={close} />}
      {shown && <AdjustmentDrawer adjustment={shown} onClose={() => setShown(null)} />}
    </Page>
  )
}
