import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../../platform/clock.ts'
import { containing } from '../../../platform/db/search.ts'
import { Colleagues } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Letter, Line, Nullable, OneOf, Strict, Time, Version } from '../../../platform/wire/fields.ts'
import { named } from '../../../platform/wire/named.ts'
import { rowOf, rowSearch } from '../traders/traders.rows.ts'
import { lateBy, nextDue, type Policies, SlaPolicies, standing } from './sla.ts'
import { type MessageRow, PRIORITIES, TICKET_STATUS, type TicketRow, tickets } from './support.table.ts'

const Category = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: 'a word of the firm’s own, such as payments',
})

export const TicketIn = named(
  'TicketIn',
  Strict({
    traderId: Type.Optional(Id),
    subject: Line(200),
    body: Letter(20_000),
    category: Type.Optional(Category),
    priority: Type.Optional(OneOf(PRIORITIES)),
  }),
)
export const TicketPatch = named(
  'TicketPatch',
  Strict({
    priority: Type.Optional(OneOf(PRIORITIES)),
    category: Type.Optional(Category),
    assignedTo: Type.Optional(Nullable(Id)),
  }),
)
export const MessageIn = named(
  'TicketMessageIn',
  Strict({
    body: Letter(20_000),
    internal: Type.Optional(Type.Boolean({ description: 'a note that no client ever sees' })),
    keepOpen: Type.Optional(Type.Boolean({ description: 'the reply does not hand the ticket to the client' })),
  }),
)
export const CloseIn = named('TicketCloseIn', Strict({ status: Type.Optional(OneOf(['resolved', 'closed'])) }))

const at = (ms: number | null): string | null => (ms === null ? null : toIso(ms))

const ticket = {
  id: Id,
  traderId: Nullable(Id),
  subject: Type.String(),
  category: Type.String(),
  priority: OneOf(PRIORITIES),
  status: OneOf(TICKET_STATUS),
  assignedTo: Nullable(Id),
  sla: Type.Object({
    firstReplyDueAt: Nullable(Time),
    resolutionDueAt: Nullable(Time),
    firstRepliedAt: Nullable(Time),
    pausedAt: Nullable(Time),
    nextDueAt: Nullable(Time),
    standing: OneOf(['fine', 'warning', 'breached']),
    firstReplyLateMinutes: Nullable(
      Type.Integer({ description: 'by how much the first reply that was given missed its deadline' }),
    ),
    resolutionLateMinutes: Nullable(Type.Integer({ description: 'by how much the resolution missed its deadline' })),
  }),
  lastMessageAt: Time,
  closedAt: Nullable(Time),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
}
export const TicketOut = named('Ticket', Type.Object(ticket))
export type Ticket = Static<typeof TicketOut>
export const TicketRowOut = rowOf(TicketOut)
export type ListedTicket = Static<typeof TicketRowOut>

/** The wire form of a ticket; where it stands is worked out for `now`. */
export const toTicket = (row: TicketRow, policies: Policies, now: number): Ticket => ({
  id: row.id,
  traderId: row.traderId,
  subject: row.subject,
  category: row.category,
  priority: row.priority,
  status: row.status,
  assignedTo: row.assignedTo,
  sla: {
    firstReplyDueAt: at(row.firstReplyDueAt),
    resolutionDueAt: at(row.resolutionDueAt),
    firstRepliedAt: at(row.firstRepliedAt),
    pausedAt: at(row.pausedAt),
    nextDueAt: at(nextDue(row)?.at ?? null),
    standing: standing(policies, row, now),
    firstReplyLateMinutes: lateBy(row.firstReplyDueAt, row.firstRepliedAt),
    resolutionLateMinutes: lateBy(row.resolutionDueAt, row.closedAt),
  },
  lastMessageAt: toIso(row.lastMessageAt),
  closedAt: at(row.closedAt),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const MessageOut = named(
  'TicketMessage',
  Type.Object({
    id: Id,
    authorKind: OneOf(['staff', 'trader', 'system']),
    authorId: Nullable(Id),
    internal: Type.Boolean(),
    body: Type.String(),
    createdAt: Time,
  }),
)

/** The wire form of a message. */
export const toMessage = (row: MessageRow): Static<typeof MessageOut> => ({
  id: row.id,
  authorKind: row.authorKind,
  authorId: row.authorId,
  internal: row.internal,
  body: row.body,
  createdAt: toIso(row.createdAt),
})

export const TicketDetail = named('TicketDetail', Type.Object({ ...ticket, messages: Type.Array(MessageOut) }))

/** What the support events carry: no text of a message. */
export const ticketPayload = (row: TicketRow) => ({
  ticketId: row.id,
  traderId: row.traderId,
  priority: row.priority,
  status: row.status,
})

const newest = alias(tickets, 'newest')
export const ticketList = defineList({
  name: 'tickets',
  table: tickets,
  filters: {
    status: equals(tickets.status),
    priority: equals(tickets.priority),
    category: equals(tickets.category, Category),
    assignedTo: equalsAny(tickets.assignedTo, Colleagues),
    traderId: equals(tickets.traderId, Id),
    q: rowSearch(tickets, {
      told: 'the id, or a part of the subject of one of the newest thousand',
      ids: sql`SELECT id FROM (SELECT ${newest.id} AS id, ${newest.subject} AS subject FROM ${tickets} AS newest
        WHERE ${newest.tenantId} = ? ORDER BY ${newest.createdAt} DESC, ${newest.id} DESC LIMIT 1000)
        WHERE subject LIKE ? ESCAPE '\\'`,
      params: (text) => [containing(text)],
    }),
  },
  sorts: { createdAt: 'createdAt', nextDueAt: 'dueOrder' },
})

/** What is longest overdue comes first. */
export const overdueList = defineList({
  name: 'overdue',
  table: tickets,
  filters: {},
  sorts: { createdAt: 'createdAt', nextDueAt: 'dueOrder' },
  defaultSort: 'nextDueAt',
})
export const PoliciesOut = named('SlaPolicies', Type.Object({ ...SlaPolicies.properties, version: Type.Integer() }))
