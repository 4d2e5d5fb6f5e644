import { useState } from 'react'
import { say } from '../../../src/words/say.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Page } from '../../components/page.tsx'
import { PageTabs } from '../../components/page-tabs.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { shownName } from '../traders/trader-names.ts'
import { HitDrawer } from './hit-drawer.tsx'
import { Lists } from './lists.tsx'
import { fetchHits, type Hit, type NamedHit, SOURCE_LABELS, SOURCE_OPTIONS } from './sanctions.api.ts'
import { ScreeningNotice } from './screening-notice.tsx'

const STATES: Record<Hit['status'], { label: string; tone: Tone }> = {
  open: { label: 'To decide', tone: 'wait' },
  cleared: { label: 'Somebody else', tone: 'good' },
  confirmed: { label: 'Confirmed', tone: 'bad' },
}

const FILTERS: readonly FilterOf<'sanctions.hits.list'>[] = [
  {
    key: 'status',
    label: 'Status',
    options: choices(STATES),
    fallback: 'open',
  },
  { key: 'source', label: 'List', options: SOURCE_OPTIONS },
]

const COLUMNS: readonly Column<NamedHit>[] = [
  { key: 'trader', title: 'Client', render: ({ traderName }) => shownName(traderName) },
  { key: 'status', title: 'Status', render: ({ status }) => <StatusBadge status={status} {...STATES[status]} /> },
  { key: 'score', title: 'Score', align: 'right', render: ({ score }) => score },
  { key: 'name', title: 'On the list as', wide: true, render: ({ name }) => name },
  { key: 'source', title: 'List', wide: true, render: ({ source }) => SOURCE_LABELS[source] },
  {
    key: 'createdAt',
    title: 'Found',
    sort: 'createdAt',
    wide: true,
    card: true,
    render: ({ createdAt }) => <When at={createdAt} />,
  },
]

const TABS = [
  ['hits', 'Matches'],
  ['lists', 'Lists'],
] as const

/** Names that look like somebody on an official list, and the lists themselves. */
export const SanctionsPage = () => {
  const [search] = useSearchParams()
  return (
    <Page
      title="Sanctions"
      subtitle="While a match is open or confirmed, no money leaves for that client, and none is moved to them."
    >
      <ScreeningNotice />
      <PageTabs
        tabs={TABS}
        first="hits"
        panels={{ hits: <Hits decided={Boolean(search.status)} />, lists: <Lists /> }}
      />
    </Page>
  )
}

const Hits = ({ decided }: { decided: boolean }) => {
  const [shown, setShown] = useState<NamedHit | null>(null)
  return (
    <>
      <DataList
        id="sanctions"
        label="Matches"
        searchPlaceholder={say('lists.search_client')}
        counted="count"
        rowName={({ traderName }) => traderName ?? ''}
        fetch={fetchHits}
        columns={COLUMNS}
        filters={FILTERS}
        usualSort="createdAt"
        onOpen={setShown}
        empty={
          decided ? (
            <EmptyState title="No matches">No match has been found with these filters.</EmptyState>
          ) : (
            <EmptyState title="Nothing is waiting">
              No match waits for a decision. Clear the status filter to see those that were decided.
            </EmptyState>
          )
        }
      />
      {shown && <HitDrawer hit={shown} onClose={() => setShown(null)} />}
    </>
  )
}
