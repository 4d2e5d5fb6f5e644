import { orDash } from '../../components/dash.tsx'
import type { Column } from '../../components/data-list.tsx'
import { StatusBadge, type Tone } from '../../components/status-badge.tsx'
import { When } from '../../components/when.tsx'
import { type Choice, choices } from '../../lib/choices.ts'
import type { FilterOf } from '../../lib/filters.ts'
import { SlaBadge } from './sla-badge.tsx'
import type { NamedTicket, Ticket } from './support.api.ts'
import { categoryName } from './ticket-categories.ts'

const STATES: Record<Ticket['status'], { label: string; tone: Tone }> = {
  open: { label: 'Open', tone: 'info' },
  pending: { label: 'Waits for client', tone: 'wait' },
  resolved: { label: 'Resolved', tone: 'good' },
  closed: { label: 'Closed', tone: 'off' },
}
const TONES: Record<Ticket['priority'], Tone> = { urgent: 'bad', high: 'wait', normal: 'info', low: 'off' }
export const PRIORITIES = choices<Ticket['priority']>({ urgent: 'Urgent', high: 'High', normal: 'Normal', low: 'Low' })

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
    label: 'Status',
    options: choices(STATES),
    fallback: 'open',
  },
  { key: 'priority', label: 'Priority', options: PRIORITIES },
  { key: 'assignedTo', label: 'Assigned to', options: staff, several: true },
  { key: 'category', label: 'Category' },
  { key: 'from', until: 'to', label: 'Opened', kind: 'days' },
]

// Of a row only what is due has a mark: with three of them none is seen.
export const ticketColumns = (staff: (id: string | null) => string | null): readonly Column<NamedTicket>[] => [
  { key: 'subject', title: 'Subject', render: ({ subject }) => <span className="clip">{subject}</span> },
  { key: 'due', title: 'Due', render: ({ sla, status }) => <SlaBadge sla={sla} status={status} /> },
  { key: 'priority', title: 'Priority', wide: true, render: ({ priority }) => NAMES.get(priority) },
  { key: 'trader', title: 'Client', wide: true, card: true, render: ({ traderName }) => orDash(traderName) },
  { key: 'status', title: 'Status', wide: true, card: true, render: ({ status }) => STATES[status].label },
  { key: 'category', title: 'Category', wide: true, optional: true, render: ({ category }) => categoryName(category) },
  { key: 'assignedTo', title: 'Assigned to', wide: true, render: ({ assignedTo }) => orDash(staff(assignedTo)) },
  {
    key: 'lastMessageAt',
    title: 'Last message',
    wide: true,
    render: ({ lastMessageAt }) => <When at={lastMessageAt} as="ago" />,
  },
  {
    key: 'createdAt',
    title: 'Opened',
    sort: 'createdAt',
    wide: true,
    optional: true,
    render: ({ createdAt }) => <When at={createdAt} as="ago" />,
  },
]
