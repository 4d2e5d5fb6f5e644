import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../../platform/clock.ts'
import { containing, holds } from '../../../platform/db/search.ts'
import { createFields, patchFields, wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { assignedTo, equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Letter, Nullable, OneOf, Strict, Time } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { buildRowSchema, rowSearch } from '../traders/traders.rows.ts'
import { getSlaStanding, lateBy, nextDue, type Policies, SlaPolicies } from './sla.ts'
import { Category, type TicketRow, ticketMessages, tickets } from './support.table.ts'

const { subject, ...made } = createFields(tickets)
export const TicketIn = nameSchema(
  'TicketIn',
  Strict({ traderId: Type.Optional(Id), subject, body: Letter(20_000), ...made }),
)
const { priority, ...changed } = patchFields(tickets)
export const TicketPatch = nameSchema('TicketPatch', Strict({ priority, ...changed }))
export const MessageIn = nameSchema(
  'TicketMessageIn',
  Strict({
    body: Letter(20_000),
    internal: Type.Optional(Type.Boolean({ description: 'a note that no client ever sees' })),
    keepOpen: Type.Optional(Type.Boolean({ description: 'the reply does not hand the ticket to the client' })),
  }),
)
export const CloseIn = nameSchema('TicketCloseIn', Strict({ status: Type.Optional(OneOf(['resolved', 'closed'])) }))

const at = (ms: number | null): string | null => (ms === null ? null : toIso(ms))

const Sla = nameSchema(
  'TicketSla',
  Type.Object({
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
)
const ticket = wireFields(tickets, 'assignedTo', { sla: Sla })
export const TicketOut = nameSchema('Ticket', Type.Object(ticket))
export type Ticket = Static<typeof TicketOut>
export const TicketRowOut = buildRowSchema(TicketOut)
export type ListedTicket = Static<typeof TicketRowOut>

const toFields = wireMapper(tickets)
/** Returns the wire form of a ticket, with its service level at `now`. */
export const toTicket = (row: TicketRow, policies: Policies, now: number): Ticket => ({
  ...toFields(row),
  sla: {
    firstReplyDueAt: at(row.firstReplyDueAt),
    resolutionDueAt: at(row.resolutionDueAt),
    firstRepliedAt: at(row.firstRepliedAt),
    pausedAt: at(row.pausedAt),
    nextDueAt: at(nextDue(row)?.at ?? null),
    standing: getSlaStanding(policies, row, now),
    firstReplyLateMinutes: lateBy(row.firstReplyDueAt, row.firstRepliedAt),
    resolutionLateMinutes: lateBy(row.resolutionDueAt, row.closedAt),
  },
})

export const MessageOut = nameSchema('TicketMessage', Type.Object(wireFields(ticketMessages)))
export const toMessage = wireMapper(ticketMessages)

export const TicketDetail = nameSchema('TicketDetail', Type.Object({ ...ticket, messages: Type.Array(MessageOut) }))

/** Returns the payload of the support events, without text of messages. */
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
    assignedTo: assignedTo(tickets.assignedTo),
    traderId: equals(tickets.traderId, Id),
    q: rowSearch(tickets, {
      description: 'the id, or a part of the subject of one of the newest thousand',
      ids: sql`SELECT id FROM (SELECT ${newest.id} AS id, ${newest.subject} AS subject FROM ${tickets} AS newest
        WHERE ${newest.tenantId} = ? ORDER BY ${newest.createdAt} DESC, ${newest.id} DESC LIMIT 1000)
        WHERE ${holds(sql`subject`, sql`?`)}`,
      params: (text) => [containing(text)],
    }),
  },
  sorts: {
    createdAt: 'createdAt',
    nextDueAt: 'dueOrder',
    lastMessageAt: 'lastMessageAt',
    priority: 'priorityOrder',
  },
})

/** The list of overdue tickets, the most overdue one first. */
export const overdueList = defineList({
  name: 'overdue',
  table: tickets,
  filters: {},
  sorts: { createdAt: 'createdAt', nextDueAt: 'dueOrder' },
  defaultSort: 'nextDueAt',
})
export const PoliciesOut = nameSchema(
  'SlaPolicies',
  Type.Object({ ...SlaPolicies.properties, version: Type.Integer() }),
)
