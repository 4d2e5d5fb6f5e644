import { integer, text } from 'drizzle-orm/sqlite-core'
import { flag, type Row, sealed, tenantTable, time } from '../../../platform/db/tenant-table.ts'

export const MAIL_STATUS = ['held', 'queued', 'sent', 'failed'] as const

/** Outgoing mail. Bodies carry one-time links, so they are sealed and kept no longer than the link lives. */
export const mails = tenantTable(
  'mails',
  'mal',
  {
    recipient: text().notNull(),
    subject: text().notNull(),
    body: sealed().notNull(),
    readerRank: integer().notNull(),
    status: text({ enum: MAIL_STATUS }).notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: time(),
    leaseUntil: time().notNull().default(0),
    lastError: text(),
    /** Its text holds a link that makes the reader the recipient. */
    link: flag().notNull().default(true),
    /** Whom it lets in: the address may be somebody else's too, and later another one. */
    linkUserId: text(),
    linkTraderId: text(),
    createdAt: time().notNull().default(0),
    expiresAt: time().notNull(),
  },
  { entity: 'mail', audited: false },
)
export type MailRow = Row<typeof mails>
