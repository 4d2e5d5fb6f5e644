import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, flag, id, sealed, shownAs, stamps, time } from '../../../platform/db/columns.ts'
import { fact } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import { OneOf, Time } from '../../../platform/wire/fields.ts'
import { worded } from '../../../platform/wire/schema-name.ts'

const MAIL_STATUS = ['held', 'queued', 'sent', 'failed'] as const
const status = () =>
  shownAs(
    text({ enum: MAIL_STATUS }),
    OneOf(MAIL_STATUS, { description: 'held: no mail server is configured, read it here' }),
  )

/** Outgoing mail. Bodies contain one-time links, so they are sealed and kept no longer than their links are valid. */
export const mails = tenantTable(
  'mails',
  'mal',
  {
    recipient: column(text().notNull(), fact, 'api'),
    subject: column(text().notNull(), fact, 'api'),
    body: column(sealed().notNull(), fact, 'hidden'),
    readerRank: column(integer().notNull(), fact, 'hidden'),
    status: column(status().notNull(), fact, 'api'),
    attempts: column(integer().notNull().default(0), fact, 'api'),
    nextAttemptAt: column(time(), fact, 'api'),
    leaseUntil: column(time().notNull().default(0), fact, 'hidden'),
    lastError: column(text(), fact, 'api'),
    /** Whether the text has a link that signs the reader in as the recipient. */
    link: column(flag().notNull().default(true), fact, 'hidden'),
    /** The person whom the link signs in; the address may belong to another person too, or change later. */
    linkUserId: column(id(), fact, 'hidden'),
    linkTraderId: column(id(), fact, 'hidden'),
    createdAt: stamps.createdAt,
    expiresAt: column(
      shownAs(time(), worded(Time, 'when the mail is removed, with the link in it')).notNull(),
      fact,
      'api',
    ),
  },
  { entity: 'mail', audited: false },
)
export type MailRow = Row<typeof mails>
