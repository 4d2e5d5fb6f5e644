import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { type FilterOf, queueSort } from '../../../lib/lists/filters.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { choices } from '../../../lib/text/choices.ts'
import { ExceptionDrawer } from './exception-drawer.tsx'
import { describeCallback, formatReportedAmount, REASONS, STATES } from './exception-words.ts'
import { type Exception, fetchExceptions } from './gateways.api.ts'
import { say } from './words.ts'

const FILTERS: readonly FilterOf<'psp.exceptions.list'>[] = [
  {
    key: 'state',
    label: say('common.state'),
    options: choices(STATES),
    fallback: 'open',
  },
  { key: 'from', until: 'to', label: say('gateways.reported'), kind: 'days' },
]

const COLUMNS: readonly Column<Exception>[] = [
  { key: 'reference', title: say('gateways.payment_column'), render: ({ reference }) => reference },
  { key: 'said', title: say('gateways.exception.said'), render: (row) => describeCallback(row) },
  {
    key: 'amount',
    title: say('common.amount'),
    align: 'right',
    wide: true,
    render: (row) => <span className="money">{orDash(formatReportedAmount(row))}</span>,
  },
  { key: 'reason', title: say('gateways.exception.reason'), wide: true, render: ({ reason }) => REASONS[reason] },
  {
    key: 'state',
    title: say('common.state'),
    wide: true,
    render: ({ state }) => (
      <StatusBadge status={state} label={STATES[state]} tone={state === 'open' ? 'wait' : 'off'} />
    ),
  },
  {
    key: 'createdAt',
    title: say('common.when'),
    sort: 'createdAt',
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
]

/**
 * Lists signed messages of a gateway that contradict the books: nothing was booked for them, and each waits until a
 * person closes it.
 */
export const Exceptions = () => {
  const [search] = useSearchParams()
  return (
    <DataList
      id="gateways"
      within={['exceptions', 'all']}
      label={say('gateways.exceptions')}
      fetch={fetchExceptions}
      columns={COLUMNS}
      filters={FILTERS}
      usualSort={queueSort(search, FILTERS)}
      beside={(exception, close) => <ExceptionDrawer exception={exception} onClose={close} />}
      refetchEvery={60_000}
      empty={
        <EmptyState title={say('gateways.exceptions.empty.title')}>{say('gateways.exceptions.empty.about')}</EmptyState>
      }
      nothingWaits={
        <EmptyState title={say('common.empty.waiting')}>{say('gateways.exceptions.empty.decided')}</EmptyState>
      }
    />
  )
}
