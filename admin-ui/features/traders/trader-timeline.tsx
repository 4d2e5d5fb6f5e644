import { useState } from 'react'
import { type Column, DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { When } from '../../components/when.tsx'
import { actionText, actorText } from '../audit/audit-words.ts'
import { ChangeDrawer } from '../audit/change-drawer.tsx'
import { fetchTimeline, type TimelineEntry } from './traders.api.ts'

const COLUMNS: readonly Column<TimelineEntry>[] = [
  { key: 'action', title: 'What', render: ({ action }) => <span className="wraps">{actionText(action)}</span> },
  { key: 'actor', title: 'Who', render: actorText },
  { key: 'entity', title: 'Record', wide: true, render: ({ entityId }) => <span className="dim">{entityId}</span> },
  { key: 'at', title: 'When', render: ({ at }) => <When at={at} /> },
]

/** Everything that happened to a client, newest first, each entry with what changed. */
export const TraderTimeline = ({ traderId }: { traderId: string }) => {
  const [shown, setShown] = useState<TimelineEntry | null>(null)
  return (
    <>
      <DataList
        id="traders"
        within={['timeline', traderId]}
        label="Timeline"
        fetch={(query) => fetchTimeline(traderId, query)}
        columns={COLUMNS}
        onOpen={setShown}
        plain
        empty={<EmptyState title="Nothing has happened yet" />}
      />
      <ChangeDrawer entry={shown} onClose={() => setShown(null)} />
    </>
  )
}
