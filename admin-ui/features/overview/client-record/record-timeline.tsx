import { Center, Chip } from '@mantine/core'
import {
  IconAdjustmentsDollar,
  IconBuildingBank,
  IconCash,
  IconCashBanknote,
  IconFileText,
  IconHistory,
  IconId,
  IconKey,
  IconMail,
  IconMessage,
  IconNote,
  IconShieldExclamation,
  IconTransfer,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { LoadMore, MaybeOld } from '../../../components/lists/list-rest.tsx'
import { EmptyState } from '../../../components/page/empty-state.tsx'
import { ErrorState } from '../../../components/page/error-state.tsx'
import { PageLoader } from '../../../components/page/page-loader.tsx'
import { Section } from '../../../components/page/section.tsx'
import { Timeline, type TimelineLine } from '../../../components/show/timeline.tsx'
import { usePages } from '../../../lib/api/use-pages.ts'
import { useSearchParams } from '../../../lib/lists/search-params.ts'
import { entityText } from '../../clients/audit/audit-words.ts'
import { fetchTimeline, type TimelineEntry } from '../../clients/traders/traders.api.ts'
import { RECORD, tell, withoutEchoes } from './timeline-words.ts'
import { type SentenceKey, say } from './words.ts'

const ICONS: Readonly<Record<string, ComponentType<{ size: number }>>> = {
  trader: IconUser,
  trader_note: IconNote,
  credential: IconKey,
  session: IconKey,
  account: IconBuildingBank,
  transfer: IconTransfer,
  adjustment: IconAdjustmentsDollar,
  deposit: IconCash,
  withdrawal: IconCashBanknote,
  payout_destination: IconBuildingBank,
  kyc_submission: IconId,
  kyc_document: IconFileText,
  file: IconFileText,
  sanctions_hit: IconShieldExclamation,
  ticket: IconMessage,
  ticket_message: IconMessage,
  lead: IconUserPlus,
  mail: IconMail,
}

const GROUPS = {
  money: 'timeline.group_money',
  identity: 'timeline.group_identity',
  support: 'timeline.group_support',
  changes: 'timeline.group_changes',
} satisfies Record<TimelineEntry['group'], SentenceKey>
type Group = keyof typeof GROUPS
const isGroup = (text: string | undefined): text is Group => text !== undefined && Object.hasOwn(GROUPS, text)

const toTimelineLine = (entry: TimelineEntry): TimelineLine => {
  const { sentence, ...told } = tell(entry)
  const Icon = ICONS[entry.entity] ?? IconHistory
  return {
    ...told,
    id: entry.id,
    at: entry.at,
    kind: entityText(entry.entity),
    icon: <Icon size={16} />,
    parts: sentence.split(RECORD),
  }
}

type RecordTimelineProps = {
  traderId: string
  /** Limits the timeline to this record of the client. */
  entityId?: string
}

/** Reads what happened to a client, or to one of their records; `group` limits it to one kind of entry. */
const useTimeline = (traderId: string, entityId?: string, group?: Group) =>
  usePages<TimelineEntry>(['traders', 'timeline', traderId, entityId, group], (query) =>
    fetchTimeline(traderId, { ...query, group, entityId }),
  )

/** Draws nothing: it reads the timeline of a client while the client itself is read. */
export const TimelineAhead = ({ traderId }: { traderId: string }) => {
  useTimeline(traderId)
  return null
}

/** Shows what happened to a client, or to one record of theirs, newest first. */
export const RecordTimeline = ({ traderId, entityId }: RecordTimelineProps) => {
  const [search, setSearch] = useSearchParams()
  const group = entityId === undefined && isGroup(search.group) ? search.group : undefined
  const { list, rows } = useTimeline(traderId, entityId, group)
  const lines = withoutEchoes(rows).map(toTimelineLine)
  return (
    <Section title={say('timeline.title')} flush>
      {entityId === undefined && (
        <Chip.Group value={group ?? ''} onChange={(next) => setSearch({ group: next })}>
          <fieldset className="timeline-chips" aria-label={say('timeline.chips')}>
            <Chip size="xs" value="">
              {say('timeline.all')}
            </Chip>
            {Object.entries(GROUPS).map(([key, word]) => (
              <Chip key={key} size="xs" value={key}>
                {say(word)}
              </Chip>
            ))}
          </fieldset>
        </Chip.Group>
      )}
      {list.isPending && <PageLoader />}
      {list.isLoadingError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      <MaybeOld list={list} />
      {list.data && lines.length === 0 && <EmptyState title={say(group ? 'timeline.empty_group' : 'timeline.empty')} />}
      {lines.length > 0 && <Timeline lines={lines} />}
      {list.hasNextPage && (
        <Center pb="md">
          <LoadMore list={list} />
        </Center>
      )}
    </Section>
  )
}
