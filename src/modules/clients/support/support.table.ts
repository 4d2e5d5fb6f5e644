import { sql } from 'drizzle-orm'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { colleagues, kept, ours, personal } from '../../../platform/db/erasure.ts'
import { flag, json, type Row, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]
export const TICKET_STATUS = ['open', 'pending', 'resolved', 'closed'] as const

export const tickets = tenantTable(
  'tickets',
  'tck',
  {
    traderId: text(),
    subject: text().notNull(),
    category: text().notNull().default('general'),
    priority: text({ enum: PRIORITIES }).notNull().default('normal'),
    status: text({ enum: TICKET_STATUS }).notNull().default('open'),
    assignedTo: text(),
    firstReplyDueAt: time(),
    resolutionDueAt: time(),
    firstRepliedAt: time(),
    /** Since when the clocks stand: the ticket waits for the client. */
    pausedAt: time(),
    /** When the clocks began; null: when it was opened. */
    clockStartedAt: time(),
    /** From and until when the clocks stood since they began, in order. */
    pauses: json<[from: number, until: number][]>().notNull().default([]),
    warnedAt: time(),
    breachedAt: time(),
    closedAt: time(),
    lastMessageAt: time().notNull(),
    /**
     * When the next deadline is; far away where there is none.
     * Worked out by SQLite (0003_queues.sql), for sorting only.
     */
    dueOrder: time().generatedAlwaysAs(sql`in the migration`),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  {
    entity: 'ticket',
    owner: 'traderId',
    person: {
      of: 'traderId',
      columns: {
        subject: personal,
        ...kept('what it was about in general', 'category'),
        pauses: ours({ goes: null, why: 'how long the firm had to answer' }),
        ...colleagues('assignedTo'),
      },
    },
  },
)
export type TicketRow = Row<typeof tickets>

export const ticketMessages = tenantTable(
  'ticket_messages',
  'msg',
  {
    ticketId: text().notNull(),
    traderId: text(),
    authorKind: text({ enum: ['staff', 'trader', 'system'] }).notNull(),
    authorId: text(),
    internal: flag().notNull().default(false),
    body: text().notNull(),
    createdAt: time().notNull().default(0),
  },
  {
    entity: 'ticket_message',
    owner: 'traderId',
    person: {
      of: 'traderId',
      columns: { body: personal, ...kept('points at rows that stay', 'ticketId'), ...colleagues('authorId') },
    },
  },
)
export type MessageRow = Row<typeof ticketMessages>
