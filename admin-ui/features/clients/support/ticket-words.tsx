import type { Column } from '../../../components/lists/data-list.tsx'
import { NAME_WIDTH } from '../../../components/lists/list-column.ts'
import { When } from '../../../components/show/moment.tsx'
import { orDash } from '../../../components/show/or-dash.tsx'
import { StatusBadge, type Tone } from '../../../components/show/status-badge.tsx'
import { CLIENT_CELL, nameCell, STATE_CELL } from '../../../lib/csv/list-csv.ts'
import type { FilterOf } from '../../../lib/lists/filters.ts'
import { type Choice, choices } from '../../../lib/text/choices.ts'
import { stateName } from '../../../lib/text/state-name.ts'
import { SlaBadge } from './sla-badge.tsx'
import type { NamedTicket, Ticket } from './support.api.ts'
import { categoryName } from './ticket-categories.ts'
import { say } from './words.ts'

const STATES: Record<Ticket['status'], { label: string; tone: Tone }> = {
  open: { label: say('support.status.open'), tone: 'info' },
  pending: { label: say('support.status.pending'), tone: 'wait' },
  resolved: { label: say('support.resolved'), tone: 'good' },
  closed: { label: say('support.clock.closed'), tone: 'off' },
}
const isState = (text: string): text is Ticket['status'] => Object.hasOwn(STATES, text)

/** Names a state of a ticket, or a priority. */
export const ticketStateName = (state: string): string => (isState(state) ? STATES[state].label : stateName(state))

const TONES: Record<Ticket['priority'], Tone> = { urgent: 'bad', high: 'wait', normal: 'info', low: 'off' }
export const PRIORITIES = choices<Ticket['priority']>({
  urgent: say('support.urgent'),
  high: say('support.high'),
  normal: say('support.normal'),
  low: say('support.low'),
})

export const TicketStatus = ({ status }: { status: Ticket['status'] }) => (
  <StatusBadge status={status} {...STATES[status]} />
)
export const Priority = ({ priority }: { priority: Ticket['priority'] }) => (
  <StatusBadge status={priority} tone={TONES[priority]} />
)

const NAMES = new Map(PRIORITIES.map(({ value, label }) => [value, label]))

export const ticketFilters = (staff: readonly Choice[]): readonly FilterOf<'support.tickets.list'>[] => [
  {
    key: 'status',
    label: say('field.status'),
    options: choices(STATES),
    fallback: 'open',
  },
  { key: 'priority', label: say('support.fields.priority'), options: PRIORITIES },
  { key: 'assignedTo', label: say('field.assignedTo'), options: staff, several: true },
  { key: 'category', label: say('support.category.label') },
  { key: 'from', until: 'to', label: say('support.opened_at'), kind: 'days' },
]

// Only the deadline has a coloured mark; priority and status would distract from it.
const TIMES: readonly Column<NamedTicket>[] = [
  {
    key: 'lastMessageAt',
    sort: 'lastMessageAt',
    title: say('support.column.last_message'),
    wide: true,
    render: ({ lastMessageAt }) => <When at={lastMessageAt} as="ago" />,
  },
  {
    key: 'createdAt',
    title: say('support.opened_at'),
    sort: 'createdAt',
    wide: true,
    optional: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]

export const ticketColumns = (staff: (id: string | null) => string | null): readonly Column<NamedTicket>[] => [
  { key: 'subject', title: say('support.subject'), render: ({ subject }) => <span className="clip">{subject}</span> },
  {
    key: 'due',
    file: ({ firstRepliedAt, firstReplyDueAt, resolutionDueAt }) =>
      (firstRepliedAt ? resolutionDueAt : firstReplyDueAt) ?? '',
    title: say('support.clock.due'),
    sort: 'nextDueAt',
    upFirst: true,
    render: ({ sla, status }) => <SlaBadge sla={sla} status={status} />,
  },
  {
    key: 'priority',
    sort: 'priority',
    file: STATE_CELL,
    title: say('support.fields.priority'),
    wide: true,
    render: ({ priority }) => NAMES.get(priority),
  },
  {
    key: 'trader',
    file: CLIENT_CELL,
    title: say('support.client.title'),
    wide: true,
    card: true,
    render: ({ traderName }) => orDash(traderName),
  },
  {
    key: 'status',
    file: nameCell(STATES),
    title: say('field.status'),
    wide: true,
    card: true,
    render: ({ status }) => STATES[status].label,
  },
  {
    key: 'category',
    file: { words: categoryName },
    title: say('support.category.label'),
    wide: true,
    optional: true,
    render: ({ category }) => categoryName(category),
  },
  {
    key: 'assignedTo',
    title: say('field.assignedTo'),
    width: NAME_WIDTH,
    wide: true,
    render: ({ assignedTo }) => orDash(staff(assignedTo)),
  },
  ...TIMES,
]
