import { Alert, Button } from '@mantine/core'
import { IconNote } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Loaded } from '../../../components/page/loaded.tsx'
import { PageTabs, type TabCount } from '../../../components/page/page-tabs.tsx'
import { RecordPage } from '../../../components/page/record-page.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge } from '../../../components/show/status-badge.tsx'
import { useCan } from '../../../lib/api/session.ts'
import { useRecord } from '../../../lib/api/use-record.ts'
import { useAsked } from '../../../lib/forms/use-asked.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { usePhone } from '../../../lib/screen/use-phone.ts'
import type { ClientAct, ClientTab } from '../../clients/traders/client-tab.ts'
import { EditTrader } from '../../clients/traders/edit-trader.tsx'
import { toClient, traderName } from '../../clients/traders/trader-names.ts'
import { fetchOverview, fetchTrader, type Overview, type Trader } from '../../clients/traders/traders.api.ts'
import { RecordTimeline, TimelineAhead } from './record-timeline.tsx'
import { TraderActions } from './trader-actions.tsx'
import { TraderDetails } from './trader-details.tsx'
import { TraderFigures } from './trader-figures.tsx'
import { TraderHead } from './trader-head.tsx'
import { NoteForm, TraderNotes } from './trader-notes.tsx'
import { say } from './words.ts'

/** The server stops counting here. */
const MANY = 1000

/** Shows everything that the firm knows about a client and may do. The other features add the tabs. */
export const TraderPage = ({ tabs }: { tabs: readonly ClientTab[] }) => {
  const { id = '' } = useParams({ strict: false })
  const [search] = useSearchParams()
  const trader = useRecord('traders', id, fetchTrader)
  useOverview(id)
  return (
    <>
      {Object.keys(search).length === 0 && <TimelineAhead traderId={id} />}
      <Loaded query={trader}>{(data) => <TraderRecord key={data.id} trader={data} tabs={tabs} />}</Loaded>
    </>
  )
}

const useOverview = (id: string) =>
  useQuery({ queryKey: ['traders', 'overview', id], queryFn: () => fetchOverview(id) })

const TraderRecord = ({ trader, tabs }: { trader: Trader; tabs: readonly ClientTab[] }) => {
  const can = useCan()
  const { id } = trader
  const overview = useOverview(id).data
  const { asked, record, ask, close } = useAsked<'edit', Trader>(trader)
  const isDeleted = trader.deletedAt !== null
  const mayChange = can('operator') && !isDeleted
  return (
    <RecordPage
      title={traderName(trader)}
      back={{ to: '/traders', label: say('common.clients') }}
      status={<StatusBadge status={isDeleted ? 'deleted' : trader.status} />}
      subtitle={
        <>
          {trader.email ?? say('client.no_email')} · {say('client.since')} <When at={trader.createdAt} as="date" />
        </>
      }
      actions={<Acts trader={trader} tabs={tabs} />}
      stands={<TraderHead trader={trader} overview={overview} />}
    >
      <Notices trader={trader} />
      <TraderFigures overview={overview} />
      <PageTabs
        tabs={[
          ['overview', say('client.tab_overview')],
          ...tabs.map(({ key, label }) => [key, label] as const),
          ['notes', say('client.tab_notes')],
        ]}
        first="overview"
        counts={buildTabCounts(tabs, overview)}
        panels={{
          ...Object.fromEntries(tabs.map(({ key, panel }) => [key, panel(trader)])),
          overview: (
            <div className="workplace">
              <RecordTimeline traderId={id} />
              <TraderDetails trader={trader} {...(mayChange && { editAll: () => ask('edit') })} />
            </div>
          ),
          notes: <TraderNotes trader={trader} />,
        }}
      />
      {asked && <EditTrader trader={record} onClose={close} />}
    </RecordPage>
  )
}

/** Returns the counts beside the labels of the tabs, marked where some of the records wait. */
const buildTabCounts = (tabs: readonly ClientTab[], overview: Overview | undefined): Record<string, TabCount> => {
  const counts: Record<string, TabCount> = {}
  for (const { key, records } of [...tabs, { key: 'notes', records: 'notes' as const }]) {
    const count = records && overview?.records[records]
    if (!count || count.total === 0) continue
    const { total, waiting } = count
    const text = total < MANY ? String(total) : say('client.many', { n: total })
    const label =
      waiting > 0 ? say('client.tab_count', { total: text, waiting }) : say('client.tab_count_plain', { total: text })
    counts[key] = { text, label, isWaiting: waiting > 0 }
  }
  return counts
}

/** Shows the most frequent acts as buttons, and the others in a menu. */
const Acts = ({ trader, tabs }: { trader: Trader; tabs: readonly ClientTab[] }) => {
  const can = useCan()
  const [form, setForm] = useState<ClientAct['form'] | null>(null)
  const mayChange = can('operator') && trader.deletedAt === null
  const acts = mayChange ? tabs.flatMap(({ act }) => act ?? []) : []
  const note: ClientAct['form'] = (_client, close) => <NoteForm trader={trader} onClose={close} />
  const open = (act: ClientAct) => (): void => setForm(() => act.form)
  // the foot of the page has room for three buttons on a phone
  const isPhone = usePhone()
  const writeNote = { label: say('client.note'), icon: <IconNote size={16} />, onClick: () => setForm(() => note) }
  return (
    <>
      {acts
        .filter(({ first }) => first)
        .map((act, index) => (
          <Button key={act.label} leftSection={act.icon} {...(index > 0 && { variant: 'default' })} onClick={open(act)}>
            {act.label}
          </Button>
        ))}
      {mayChange && !isPhone && (
        <Button variant="default" leftSection={writeNote.icon} onClick={writeNote.onClick}>
          {writeNote.label}
        </Button>
      )}
      <TraderActions
        trader={trader}
        more={[
          mayChange && isPhone && writeNote,
          ...acts
            .filter(({ first }) => !first)
            .map((act) => ({ label: act.label, icon: act.icon, onClick: open(act) })),
        ]}
      />
      {form?.(toClient(trader), () => setForm(null))}
    </>
  )
}

/** Shows the notices that must be read first. */
const Notices = ({ trader }: { trader: Trader }) => (
  <>
    {trader.mergedInto !== null && (
      <Alert color="yellow" variant="light" mb="md" title={say('client.merged.title')}>
        {say('client.merged.text')}{' '}
        <Link to="/traders/$id" params={{ id: trader.mergedInto }} className="text-link">
          {say('client.merged.open')}
        </Link>
      </Alert>
    )}
    {trader.deletedAt !== null && trader.mergedInto === null && (
      <Alert color="yellow" variant="light" mb="md" title={say('client.deleted')}>
        <When at={trader.deletedAt} as="ago" />. {say('client.deleted_text')}
      </Alert>
    )}
    {trader.legalHold && (
      <Alert color="blue" variant="light" mb="md" title={say('client.held_title')}>
        {say('client.held_text')}
      </Alert>
    )}
  </>
)
