import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { formatCount } from '../../../lib/text/format.ts'
import { RunStatus } from './affiliate-words.tsx'
import { fetchRuns, type Run } from './affiliates.api.ts'
import { RunDrawer, runDays } from './run-drawer.tsx'
import { say } from './words.ts'

const COLUMNS: readonly Column<Run>[] = [
  { key: 'days', title: say('affiliates.run.days'), render: runDays },
  { key: 'status', title: say('affiliates.list.status'), render: ({ status }) => <RunStatus status={status} /> },
  {
    key: 'lines',
    title: say('affiliates.run.lines'),
    align: 'right',
    wide: true,
    render: ({ lines }) => formatCount(lines),
  },
  {
    key: 'corrections',
    title: say('affiliates.run.corrections'),
    align: 'right',
    wide: true,
    render: ({ corrections }) => formatCount(corrections),
  },
  {
    key: 'createdAt',
    title: say('affiliates.run.asked_at'),
    wide: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]

/** Lists runs, the newest first, and refreshes the list, since a run takes a while to compute. */
export const RunList = () => {
  return (
    <DataList
      id="runs"
      label={say('affiliates.tab.runs')}
      fetch={fetchRuns}
      columns={COLUMNS}
      beside={(run, close) => <RunDrawer run={run} onClose={close} />}
      refetchEvery={5000}
      empty={<EmptyState title={say('affiliates.run.none')}>{say('affiliates.run.none_text')}</EmptyState>}
    />
  )
}
