import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import { equals, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Nullable, OneOf, Time } from '../../../platform/wire/fields.ts'
import { named } from '../../../platform/wire/named.ts'
import { MAIL_STATUS, type MailRow, mails } from './mails.table.ts'

const shown = {
  id: Id,
  recipient: Type.String(),
  subject: Type.String(),
  status: OneOf(MAIL_STATUS, { description: 'held: no mail server is configured, read it here' }),
  attempts: Type.Integer(),
  nextAttemptAt: Nullable(Time),
  lastError: Nullable(Type.String()),
  createdAt: Time,
  expiresAt: Type.String({ format: 'date-time', description: 'when the mail is removed, with the link in it' }),
}
export const MailOut = named('Mail', Type.Object(shown))
export const MailWithText = named('MailWithText', Type.Object({ ...shown, text: Type.String() }))
type Mail = Static<typeof MailOut>

/** The wire form of a mail without its text. */
export const toMail = (row: MailRow): Mail => ({
  id: row.id,
  recipient: row.recipient,
  subject: row.subject,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.nextAttemptAt === null ? null : toIso(row.nextAttemptAt),
  lastError: row.lastError,
  createdAt: toIso(row.createdAt),
  expiresAt: toIso(row.expiresAt),
})

export const mailList = defineList({
  name: 'mails',
  table: mails,
  filters: {
    status: equals(mails.status),
    recipient: filter(
      Type.String({ maxLength: 254, description: 'exact address' }),
      sql`${mails.recipient} = ?`,
      (text) => [text.toLowerCase()],
    ),
  },
})
