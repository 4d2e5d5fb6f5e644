import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { type Column, DataList } from '../../../components/lists/data-list.tsx'
import type { Asked } from '../../../components/lists/list-acts.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { Page } from '../../../components/page/page.tsx'
import { PageTabs } from '../../../components/page/page-tabs.tsx'
import { When } from '../../../components/show/moment.tsx'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { CLIENT_CELL, nameCell } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { choices } from '../../../lib/text/choices.ts'
import { shownName } from '../traders/trader-names.ts'
import { BulkClear, isOpenHit } from './bulk-clear.tsx'
import { ClientBirth } from './client-birth.tsx'
import { BIRTH, COUNTRY } from './compared-words.ts'
import { HitDrawer } from './hit-drawer.tsx'
import { Lists } from './lists.tsx'
import { fetchHits, type Hit, type NamedHit, SOURCE_LABELS, SOURCE_OPTIONS } from './sanctions.api.ts'
import { ScreeningNotice } from './screening-notice.tsx'
import { say } from './words.ts'

const STATES: Record<Hit['status'], { label: string; tone: Tone }> = {
  open: { label: say('sanctions.status.open'), tone: 'wait' },
  cleared: { label: say('sanctions.verdict.cleared'), tone: 'good' },
  confirmed: { label: say('sanctions.status.confirmed'), tone: 'bad' },
}

const SOURCES = new Map<string, string>(Object.entries(SOURCE_LABELS))

const FILTERS: readonly FilterOf<'sanctions.hits.list'>[] = [
  {
    key: 'status',
    label: say('field.status'),
    options: choices(STATES),
    fallback: 'open',
  },
  { key: 'source', label: say('sanctions.list'), options: SOURCE_OPTIONS },
]

const COLUMNS: readonly Column<NamedHit>[] = [
  { key: 'trader', file: CLIENT_CELL, title: say('common.client'), render: ({ traderName }) => shownName(traderName) },
  {
    key: 'status',
    file: nameCell(STATES),
    title: say('field.status'),
    render: ({ status }) => <StatusBadge status={status} {...STATES[status]} />,
  },
  { key: 'score', title: say('sanctions.score'), sort: 'score', align: 'right', render: ({ score }) => score },
  { key: 'name', title: say('sanctions.column.name'), wide: true, render: ({ name }) => name },
  {
    key: 'birth',
    file: nameCell(BIRTH),
    title: say('field.dateOfBirth'),
    wide: true,
    card: true,
    render: ({ id, explanation: { birth }, isNamesake }) => (
      <>
        {BIRTH[birth]}
        {isNamesake && <ClientBirth id={id} />}
      </>
    ),
    renderCard: ({ explanation }) => (
      <span className="card-whole">{say('sanctions.card.birth', { verdict: BIRTH[explanation.birth] })}</span>
    ),
  },
  {
    key: 'country',
    file: nameCell(COUNTRY),
    title: say('field.country'),
    wide: true,
    render: ({ explanation }) => COUNTRY[explanation.country],
  },
  {
    key: 'reference',
    file: ({ source = '', reference = '' }) =>
      say('sanctions.entry_of_source', { source: SOURCES.get(source) ?? source, reference }),
    title: say('sanctions.entry'),
    wide: true,
    render: ({ source, reference }) => say('sanctions.entry_of_source', { source: SOURCE_LABELS[source], reference }),
  },
  {
    key: 'createdAt',
    title: say('sanctions.found'),
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} />,
    renderCard: ({ createdAt }) => <When at={createdAt} as="date" />,
  },
]

/** At most this many matches are cleared at once, since each is looked at, and each is a request. */
const MOST_CLEARED = 100

const TABS = [
  ['hits', say('sanctions.matches')],
  ['lists', say('sanctions.lists')],
] as const

/** Shows a tab of clients whose names look like names on official lists, and a tab of the lists. */
export const SanctionsPage = () => {
  return (
    <Page title={say('sanctions.sanctions')} subtitle={say('sanctions.about')}>
      <ScreeningNotice />
      <PageTabs tabs={TABS} first="hits" panels={{ hits: <Hits />, lists: <Lists /> }} />
    </Page>
  )
}

const Hits = () => {
  const [asked, setAsked] = useState<Asked<NamedHit> | null>(null)
  return (
    <>
      <DataList
        id="sanctions"
        file="sanctions.hits.export"
        label={say('sanctions.matches')}
        searchPlaceholder={say('lists.search_client')}
        counted="count"
        rowName={({ traderName }) => shownName(traderName)}
        fetch={fetchHits}
        columns={COLUMNS}
        filters={FILTERS}
        usualSort="createdAt"
        beside={(hit, close) => <HitDrawer hit={hit} onClose={close} />}
        selectable={{ when: isOpenHit, otherwise: say('sanctions.not_selectable') }}
        bulkMost={MOST_CLEARED}
        acts={[
          {
            hotkey: 'c',
            label: say('sanctions.clear.act'),
            icon: <IconCheck size={14} />,
            when: isOpenHit,
            run: setAsked,
          },
        ]}
        empty={<EmptyState title={say('sanctions.empty.title')}>{say('sanctions.empty.about')}</EmptyState>}
        nothingWaits={<EmptyState title={say('common.empty.waiting')}>{say('sanctions.empty.decided')}</EmptyState>}
      />
      {asked && <BulkClear asked={asked} onClose={() => setAsked(null)} />}
    </>
  )
}
