import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Scope } from '../../../platform/db/reader-scope.ts'
import { matchPhone, matchQuery, phoneDigits } from '../../../platform/db/search.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { foldEmail } from '../../../platform/wire/fields.ts'
import { traders } from './traders.table.ts'

const called = alias(traders, 'called')
const named = alias(traders, 'named')

/** `most` bounds each way of finding to so many of its newest clients. */
const found = (most: (rowid: SQL) => SQL): SQL => sql`SELECT * FROM
    (SELECT rowid FROM traders_search WHERE traders_search MATCH ?${most(sql`rowid`)})
  UNION SELECT * FROM (SELECT rowid FROM traders_phones WHERE traders_phones MATCH ?${most(sql`rowid`)})
  UNION SELECT * FROM (SELECT called.rid FROM traders_phones CROSS JOIN ${traders} AS called ON called.rid = traders_phones.rowid
    WHERE traders_phones MATCH ? AND ${called.tenantId} = ?
      AND (instr(${called.phone}, ?) OR instr(${called.phone}, ?))${most(sql`traders_phones.rowid`)})
  UNION SELECT named.rid FROM ${traders} AS named WHERE ${named.tenantId} = ? AND ${named.id} = ?`

/** Keys of the clients that a text means: by words, digits of the phone or id. Its parameters are `personParams`. */
export const CLIENTS_FOUND: SQL = found(() => sql``)

/** Of the clients that a text fits, so many of the newest are asked for their rows: the others would cost everybody. */
export const MOST_CLIENTS = 5000
/** The same of the newest clients, so that two letters in a large firm do not gather all of it. */
export const NEWEST_CLIENTS_FOUND: SQL = found(
  (rowid) => sql` ORDER BY ${rowid} DESC LIMIT ${sql.raw(String(MOST_CLIENTS))}`,
)

/** What a text may be of a phone; nothing for who does not see phones, since asking for each part is seeing it. */
export const phonesIn = ({ veils }: Scope, text: string): string[] =>
  veils?.includes('identity') ? [] : phoneDigits(text)

/** A text as an address, or a phone as it was typed, that somebody has or had. */
export const contactIn = (scope: Scope, text: string): string =>
  text.includes('@') || phonesIn(scope, text).length > 0 ? foldEmail(text) : ''

/** What a text is to the query above, and to that of leads. */
export function personParams(scope: Scope, text: string): SqlValue[] {
  const { tenantId } = scope
  const digits = phonesIn(scope, text)
  const [first = '', second = first] = digits
  // four digits are one token, as it stands; of more, each row that has their runs is asked for the whole
  const isRun = digits.length === 1 && first.length === 4
  const run = matchPhone(tenantId, isRun ? digits : [])
  const longer = matchPhone(tenantId, isRun ? [] : digits)
  return [matchQuery(tenantId, text), run, longer, tenantId, first, second, tenantId, text.trim()]
}
