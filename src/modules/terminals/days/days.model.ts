import { Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { Currencies } from '../../../platform/http/lists/comma-filters.ts'
import { equals, equalsAny, filter, parseTime } from '../../../platform/http/lists/list-filters.ts'
import { defineList, type Query, type Where } from '../../../platform/http/lists/page.ts'
import { Id, OneOf } from '../../../platform/wire/fields.ts'
import { DATE_OR_TIME } from '../../../platform/wire/formats.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { toDay } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { terminalDays } from './days.table.ts'

export const DayOut = nameSchema('TerminalDay', Type.Object(wireFields(terminalDays)))
export const toDayOut = wireMapper(terminalDays)

const DayParam = Type.String({ format: DATE_OR_TIME, maxLength: 40 })

export const dayList = defineList({
  name: 'terminal_days',
  table: terminalDays,
  timeColumn: null,
  filters: {
    connectionId: equals(terminalDays.connectionId, Id),
    currency: equalsAny(terminalDays.currency, Currencies),
    state: equals(terminalDays.state),
    from: filter(DayParam, sql`${terminalDays.day} >= ?`),
    to: filter(DayParam, sql`${terminalDays.day} < ?`),
  },
  elsewhere: {
    revisions: OneOf(['true', 'false'], {
      'x-boolean': true,
      description: 'also revisions that a correction took the place of',
    }),
  },
})

const IN_FORCE = statement(sql` AND ${terminalDays.replacedAt} IS NULL`)
/** Returns the condition for the revisions in force, unless those before are asked for too. */
export const narrowToForce = ({ revisions }: { revisions?: string }): Where => ({
  sql: revisions === 'true' ? '' : IN_FORCE,
  params: [],
})

/** Returns a query whose bounds are days: a moment is the day of the firm that it is in. */
export function askInDays(db: Reader, query: Query): Query {
  const { timeZone } = readFirmSettings(db)
  const asked: Record<string, unknown> = { ...query }
  for (const name of ['from', 'to']) {
    const bound = query[name]
    if (typeof bound === 'string' && bound.includes('T')) asked[name] = toDay(parseTime(name, bound), timeZone)
  }
  return asked
}
