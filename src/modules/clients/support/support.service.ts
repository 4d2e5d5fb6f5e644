import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { taken } from '../../../platform/db/wire-form.ts'
import { type PageOf, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { invalid, wrongState } from '../../../platform/problem.ts'
import { REOPEN_DAYS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { writeSetting } from '../../base/settings/settings.service.ts'
import { users } from '../../firm/users/users.table.ts'
import { withNames } from '../traders/traders.rows.ts'
import { traders } from '../traders/traders.table.ts'
import { refuseManyOpen, refuseManyWords } from './client-limits.ts'
import { checkPolicies, deadlines, type Policies, readPolicies, readSlaPolicies, resumed, slaPolicies } from './sla.ts'
import { supportErrors } from './support.errors.ts'
import {
  type CloseIn,
  type ListedTicket,
  type MessageIn,
  type MessageOut,
  overdueList,
  type PoliciesOut,
  type Ticket,
  type TicketDetail,
  type TicketIn,
  type TicketPatch,
  ticketList,
  ticketPayload,
  toMessage,
  toTicket,
} from './support.model.ts'
import { ticketStates } from './support.states.ts'
import { type TicketRow, ticketMessages, tickets } from './support.table.ts'
import { readThread, refuseFull } from './thread.ts'

const own = (ctx: Ctx): string | undefined => (ctx.principal.kind === 'trader' ? ctx.principal.id : undefined)
const toAuthor = (ctx: Ctx) =>
  ctx.principal.kind === 'trader'
    ? { authorKind: 'trader' as const, authorId: ctx.principal.id }
    : {
        authorKind: 'staff' as const,
        authorId:
          ctx.principal.kind === 'user'
            ? ctx.principal.id
            : ctx.principal.kind === 'api_key'
              ? ctx.principal.userId
              : null,
      }

const wire = (tx: Tx, row: TicketRow): Ticket => toTicket(row, readPolicies(tx.unowned), tx.now)

/**
 * Opens a ticket with its first message and starts its time. Clients open only their own tickets, never urgent ones.
 * RULES “Support”.
 */
export function openTicket(ctx: Ctx, input: Static<typeof TicketIn>): Promise<Ticket> {
  const traderId = own(ctx) ?? input.traderId ?? null
  if (own(ctx) && input.traderId !== undefined && input.traderId !== own(ctx))
    throw invalid('traderId', 'unknown', say('support.field.client_not_you'))
  const priority = own(ctx) && input.priority === 'urgent' ? 'high' : (input.priority ?? 'normal')
  return ctx.write('ticket.open', (tx) => {
    if (traderId !== null && !tx.find(traders, { id: traderId }))
      throw invalid('traderId', 'unknown', say('problems.field.client_unknown'))
    const client = own(ctx)
    if (client !== undefined) {
      refuseManyOpen(tx, client)
      refuseManyWords(tx, client, input.body)
    }
    const row = tx.insert(tickets, {
      ...taken(tickets, input),
      traderId,
      priority,
      lastMessageAt: tx.now,
      ...deadlines(readPolicies(tx.unowned), priority, tx.now),
    })
    tx.insert(ticketMessages, { ticketId: row.id, traderId, ...toAuthor(ctx), body: input.body }, 'ticket.message')
    tx.emit('support.ticket_created', ticketPayload(row))
    return wire(tx, row)
  })
}

/**
 * Changes priority, category or assignee. A new priority computes the deadlines again, from the opening or the last
 * reopening, without pauses. If the first reply was given, its deadline stays, and so does its delay.
 */
export function updateTicket(
  ctx: Ctx,
  id: string,
  patch: Static<typeof TicketPatch>,
  expect: number | undefined,
): Promise<Ticket> {
  return ctx.write('ticket.update', (tx) => {
    const before = tx.get(tickets, id)
    if (patch.assignedTo && !tx.find(users, { id: patch.assignedTo }))
      throw invalid('assignedTo', 'unknown', say('problems.field.user_unknown'))
    const changed = patch.priority !== undefined && patch.priority !== before.priority
    const start = before.clockStartedAt ?? before.createdAt
    const clocks: Partial<TicketRow> = {}
    if (changed && patch.priority) {
      const { firstReplyDueAt, resolutionDueAt } = deadlines(readPolicies(tx), patch.priority, start, before.pauses)
      Object.assign(clocks, { resolutionDueAt, warnedAt: null, breachedAt: null })
      if (before.firstRepliedAt === null) clocks.firstReplyDueAt = firstReplyDueAt
    }
    return wire(tx, tx.update(tickets, id, { ...patch, ...clocks }, { expect }))
  })
}

/** Ends the pause of a ticket. */
const resume = (tx: Tx, ticket: TicketRow): Partial<TicketRow> =>
  ticket.pausedAt === null
    ? {}
    : {
        ...resumed(readPolicies(tx.unowned), ticket, tx.now),
        pausedAt: null,
        pauses: [...ticket.pauses, [ticket.pausedAt, tx.now]],
      }

/**
 * Adds a message. A staff reply counts as the first reply and pauses the ticket until the client answers, unless
 * `keepOpen`. A client's message ends the pause. An internal note changes nothing else and fires no event. 409 if this
 * side may not write more in the ticket.
 */
export function addMessage(ctx: Ctx, id: string, input: Static<typeof MessageIn>): Promise<Static<typeof MessageOut>> {
  const client = own(ctx)
  const trader = client !== undefined
  if (trader && (input.internal || input.keepOpen))
    throw invalid(input.internal ? 'internal' : 'keepOpen', 'staff_only', say('problems.field.staff_only'))
  return ctx.write('ticket.message', (tx) => {
    const before = tx.get(tickets, id)
    if (!input.internal && (before.status === 'closed' || before.status === 'resolved')) throw supportErrors.closed()
    refuseFull(tx, id, trader, input.body)
    if (client !== undefined) refuseManyWords(tx, client, input.body)
    const message = tx.insert(ticketMessages, {
      ticketId: id,
      traderId: before.traderId,
      ...toAuthor(ctx),
      internal: input.internal ?? false,
      body: input.body,
    })
    if (input.internal) return toMessage(message)
    const changes: Partial<TicketRow> = { lastMessageAt: tx.now }
    if (trader) Object.assign(changes, { status: 'open' }, resume(tx, before))
    else {
      if (before.firstRepliedAt === null)
        Object.assign(changes, { firstRepliedAt: tx.now, warnedAt: null, breachedAt: null })
      if (!input.keepOpen && before.status === 'open') Object.assign(changes, { status: 'pending', pausedAt: tx.now })
    }
    const row = tx.update(tickets, id, changes, { action: 'ticket.reply' })
    tx.emit('support.ticket_replied', ticketPayload(row))
    return toMessage(message)
  })
}

/** Marks a ticket resolved or closed; fires `support.ticket_closed`. */
export function closeTicket(
  ctx: Ctx,
  id: string,
  { status = 'resolved' }: Static<typeof CloseIn>,
  expect: number | undefined,
): Promise<Ticket> {
  return ctx.write('ticket.close', (tx) => {
    const before = tx.get(tickets, id)
    const row = tx.transition(
      tickets,
      id,
      ticketStates,
      status,
      { closedAt: tx.now, ...resume(tx, before) },
      { expect },
    )
    if (before.status !== 'resolved') tx.emit('support.ticket_closed', ticketPayload(row))
    return wire(tx, row)
  })
}

/**
 * Opens a ticket again within 14 days. It gets the whole time of its priority again, also for a first reply that was
 * never given.
 */
export function reopenTicket(ctx: Ctx, id: string, expect: number | undefined): Promise<Ticket> {
  return ctx.write('ticket.reopen', (tx) => {
    const before = tx.get(tickets, id)
    if (before.status !== 'resolved' && before.status !== 'closed') throw wrongState('ticket', before.status)
    if (before.closedAt !== null && tx.now - before.closedAt > REOPEN_DAYS * DAY) throw supportErrors.too_old()
    const client = own(ctx)
    if (client !== undefined) refuseManyOpen(tx, client)
    const { firstReplyDueAt, resolutionDueAt } = deadlines(readPolicies(tx.unowned), before.priority, tx.now)
    const changes = {
      closedAt: null,
      pausedAt: null,
      warnedAt: null,
      breachedAt: null,
      clockStartedAt: tx.now,
      pauses: [],
      resolutionDueAt,
      ...(before.firstRepliedAt === null ? { firstReplyDueAt } : {}),
    }
    return wire(tx, tx.transition(tickets, id, ticketStates, 'open', changes, { expect }))
  })
}

/** Answers one ticket with its messages, oldest first; staff also see internal ones. */
export function readTicket(ctx: Ctx, id: string): Static<typeof TicketDetail> {
  const row = ctx.db.get(tickets, id)
  const messages = readThread(ctx.db, id, own(ctx) === undefined)
  return { ...toTicket(row, policiesFor(ctx), ctx.now()), messages }
}

// settings belong to no client, and a client may not read rows without an owner
const policiesFor = (ctx: Ctx): Policies => readPolicies(ctx.unowned)

/** Lists tickets with the names of their clients. */
export function listTickets(ctx: Ctx, query: Query): PageOf<ListedTicket> {
  const policies = policiesFor(ctx)
  return withNames(
    ctx,
    readPage(ctx, ticketList, query, (row) => toTicket(row, policies, ctx.now())),
  )
}

const OVERDUE = statement(sql` AND ${tickets.dueOrder} <= ?`)

/** Lists open tickets whose next deadline has passed; one that waits for the client is not overdue. RULES “Support”. */
export function listOverdue(ctx: Ctx, query: Query): PageOf<ListedTicket> {
  const now = ctx.now()
  const policies = readPolicies(ctx.db)
  const past = { sql: OVERDUE, params: [now] }
  return withNames(
    ctx,
    readPage(ctx, overdueList, query, (row) => toTicket(row, policies, now), {}, past),
  )
}

export function readSla(ctx: Ctx): Static<typeof PoliciesOut> {
  const { value, version } = readSlaPolicies(ctx.db)
  return { ...value, version }
}

/** Sets targets, hours and holidays; tickets that are open keep their deadlines. */
export function setSla(ctx: Ctx, policies: Policies, expect: number | undefined): Promise<Static<typeof PoliciesOut>> {
  checkPolicies(policies)
  return ctx.write('sla_policies.set', (tx) => {
    const { value, version } = writeSetting(tx, slaPolicies, policies, expect)
    return { ...value, version }
  })
}
