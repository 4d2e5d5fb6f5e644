import { IconCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { When } from '../../../components/show/moment.tsx'
import { Money } from '../../../components/show/money.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { AMOUNT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { CloseFindings, MOST_CLOSED } from './close-findings.tsx'
import { FindingDrawer } from './finding-drawer.tsx'
import { FINDING_KINDS, FINDING_STATES, FindingState, nameFinding } from './finding-words.tsx'
import { listServers, type OfServers } from './of-servers.tsx'
import { type Finding, fetchFindings } from './records.api.ts'
import { say } from './words.ts'

const COLUMNS: readonly Column<Finding>[] = [
  {
    key: 'kind',
    file: nameCell(FINDING_KINDS),
    title: say('terminals.finding.kind'),
    render: ({ kind }) => FINDING_KINDS[kind],
  },
  {
    key: 'login',
    title: say('terminals.record.login'),
    wide: true,
    card: true,
    render: ({ login }) => orDash(login),
    renderCard: ({ login }) => login && <span className="card-whole">{login}</span>,
  },
  {
    key: 'subject',
    title: say('terminals.finding.subject'),
    wide: true,
    render: ({ subject, login }) =>
      orDash(subject === login || subject === '' ? null : <span className="clip">{subject}</span>),
  },
  {
    key: 'amount',
    file: AMOUNT_CELL,
    title: say('terminals.finding.amount'),
    align: 'right',
    render: ({ amount, currency }) => orDash(amount && <Money amount={amount} currency={currency} />),
  },
  {
    key: 'state',
    file: nameCell(FINDING_STATES),
    title: say('common.state'),
    render: ({ state }) => <FindingState state={state} />,
  },
  {
    key: 'reason',
    title: say('common.reason'),
    wide: true,
    optional: true,
    render: ({ reason, healed }) =>
      orDash(healed ? say('terminals.finding.healed') : reason && <span className="clip">{reason}</span>),
  },
  {
    key: 'createdAt',
    title: say('terminals.finding.found'),
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]

type FindingFilter = FilterOf<'platforms.findings.list'>
const FILTERS: readonly FindingFilter[] = [
  { key: 'state', label: say('common.state'), options: choices(FINDING_STATES), fallback: 'open' },
  { key: 'kind', label: say('terminals.finding.kind'), options: choices(FINDING_KINDS) },
]

const isOpen = ({ state }: Finding): boolean => state === 'open'

/** Lists what does not fit, the newest first, and closes what is explained. */
export const FindingTable = (props: OfServers & { login?: string }) => {
  const [asked, setAsked] = useState<Asked<Finding> | null>(null)
  const servers = 'servers' in props ? props.servers : null
  const all = useMemo(() => servers && listServers(servers, COLUMNS, FILTERS), [servers])
  return (
    <>
      <DataList
        id="platform-findings"
        {...('connectionId' in props && {
          within: ['of', props.connectionId] as const,
          fixed: { connectionId: props.connectionId, login: props.login },
        })}
        file="platforms.findings.export"
        label={say(all ? 'terminals.finding.title' : 'terminals.page.tab.findings')}
        fetch={fetchFindings}
        columns={all ? all.columns : COLUMNS}
        filters={all ? all.filters : FILTERS}
        counted="count"
        rowName={nameFinding}
        bulkMost={MOST_CLOSED}
        selectable={{ when: isOpen, otherwise: say('terminals.finding.not_open') }}
        acts={[
          {
            hotkey: 'c',
            label: say('terminals.finding.close'),
            icon: <IconCheck size={14} />,
            when: isOpen,
            run: setAsked,
          },
        ]}
        beside={(finding, close) => (
          <FindingDrawer
            finding={finding}
            server={all?.names[finding.connectionId]}
            onAsk={() => setAsked({ rows: [finding], settle: () => close() })}
            onClose={close}
          />
        )}
        refetchEvery={30_000}
        empty={<EmptyState title={say('terminals.finding.none')}>{say('terminals.finding.none_text')}</EmptyState>}
        nothingWaits={
          <EmptyState title={say('terminals.finding.nothing')}>{say('terminals.finding.nothing_text')}</EmptyState>
        }
      />
      {asked && <CloseFindings asked={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
