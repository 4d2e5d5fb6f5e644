import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, flag, id, json, line, stamps, takenAs, time } from '../../../platform/db/columns.ts'
import { colleague, fact, internal, ours, personal, stays, untold } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'

const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]
const TICKET_STATUS = ['open', 'pending', 'resolved', 'closed'] as const

export const Category = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,39}$',
  description: 'a word of the firm’s own, such as payments',
})
export const tickets = tenantTable(
  'tickets',
  'tck',
  {
    traderId: column(id(), untold, 'api csv sql'),
    subject: column(line(200).notNull(), personal, 'api csv sql', 'create'),
    category: column(
      takenAs(text(), Category).notNull().default('general'),
      stays('what it was about in general'),
      'api csv sql',
      'create patch',
    ),
    priority: column(text({ enum: PRIORITIES }).notNull().default('normal'), fact, 'api csv sql', 'create patch'),
    status: column(text({ enum: TICKET_STATUS }).notNull().default('open'), fact, 'api csv sql'),
    assignedTo: column(id(), colleague, 'api csv sql', 'patch'),
    firstRepliedAt: column(time(), fact, 'csv sql'),
    firstReplyDueAt: column(time(), internal, 'csv sql'),
    resolutionDueAt: column(time(), internal, 'csv sql'),
    /** When the ticket's pause began, while it waits for the client; null if it does not. */
    pausedAt: column(time(), internal, 'hidden'),
    /** When the ticket's time started again; null if it started at the opening. */
    clockStartedAt: column(time(), internal, 'hidden'),
    /** The pauses since the time started, in order. */
    pauses: column(
      json<[from: number, until: number][]>().notNull().default([]),
      ours(stays('how long the firm had to answer')),
      'hidden',
    ),
    warnedAt: column(time(), internal, 'hidden'),
    breachedAt: column(time(), internal, 'sql'),
    lastMessageAt: column(time().notNull(), fact, 'api csv'),
    closedAt: column(time(), fact, 'api csv sql'),
    /** The next deadline, or a time far away if there is none. SQLite computes it (0000_baseline.sql) for sorting. */
    dueOrder: column(time().generatedAlwaysAs(sql`in the migration`), internal, 'hidden'),
    /** The rank of the priority, for sorting. */
    priorityOrder: column(integer().generatedAlwaysAs(sql`in the migration`), internal, 'hidden'),
    ...stamps,
  },
  {
    entity: 'ticket',
    owner: 'traderId',
    fileOrder: 'traderId createdAt subject category priority status assignedTo firstReplyDueAt',
    person: { of: 'traderId' },
  },
)
export type TicketRow = Row<typeof tickets>

export const ticketMessages = tenantTable(
  'ticket_messages',
  'msg',
  {
    ticketId: column(id().notNull(), stays('points at rows that stay'), 'hidden'),
    traderId: column(id(), untold, 'hidden'),
    authorKind: column(text({ enum: ['staff', 'trader', 'system'] }).notNull(), fact, 'api'),
    authorId: column(id(), colleague, 'api'),
    internal: column(flag().notNull().default(false), internal, 'api'),
    body: column(text().notNull(), personal, 'api'),
    createdAt: stamps.createdAt,
  },
  { entity: 'ticket_message', owner: 'traderId', person: { of: 'traderId' } },
)
