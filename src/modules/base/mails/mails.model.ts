import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { equals, filter } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { mails } from './mails.table.ts'

const shown = wireFields(mails)
export const MailOut = nameSchema('Mail', Type.Object(shown))
export const MailWithText = nameSchema('MailWithText', Type.Object({ ...shown, text: Type.String() }))
/** The text is left out; only the answer for a single mail has it. */
export const toMail = wireMapper(mails)

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
