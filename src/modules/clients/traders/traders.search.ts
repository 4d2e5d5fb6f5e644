import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Scope } from '../../../platform/db/reader-scope.ts'
import { matchPhone, matchQuery, phoneDigits } from '../../../platform/db/search.ts'
import type { SqlValue } from '../../../platform/sqlite.ts'
import { foldEmail } from '../../../platform/wire/formats.ts'
import { traders } from './traders.table.ts'

const called = alias(traders, 'called')
const named = alias(traders, 'named')

/** Selects clients; `most` limits each kind of match to the newest clients. */
const found = (most: (rowid: SQL) => SQL): SQL => sql`SELECT * FROM
    (SELECT rowid FROM traders_search WHERE traders_search MATCH ?${most(sql`rowid`)})
  UNION SELECT * FROM (SELECT rowid FROM traders_phones WHERE traders_phones MATCH ?${most(sql`rowid`)})
  UNION SELECT * FROM (SELECT called.rid FROM traders_phones CROSS JOIN ${traders} AS called ON called.rid = traders_phones.rowid
    WHERE traders_phones MATCH ? AND ${called.tenantId} = ?
      AND (instr(${called.phone}, ?) OR instr(${called.phone}, ?))${most(sql`traders_phones.rowid`)})
  UNION SELECT named.rid FROM ${traders} AS named WHERE ${named.tenantId} = ? AND ${named.id} = ?`

/** Selects the row ids of clients by words, digits of the phone or id; `personParams` are its parameters. */
export const CLIENTS_FOUND: SQL = found(() => sql``)

/** A search gathers only this many of the newest clients; more would delay other requests. */
export const MOST_CLIENTS = 5000
/** Selects only the newest clients, so that two letters in a large firm do not gather all of its clients. */
export const NEWEST_CLIENTS_FOUND: SQL = found(
  (rowid) => sql` ORDER BY ${rowid} DESC LIMIT ${sql.raw(String(MOST_CLIENTS))}`,
)

/**
 * Returns the parts of a phone in a text; none for a reader who may not see phones, since a search part by part would
 * reveal them.
 */
export const phonesIn = ({ veils }: Scope, text: string): string[] =>
  veils?.includes('identity') ? [] : phoneDigits(text)

/** Returns a text as a present or former address or, as typed, phone; empty if it is neither. */
export const contactIn = (scope: Scope, text: string): string =>
  text.includes('@') || phonesIn(scope, text).length > 0 ? foldEmail(text) : ''

/** Returns the parameters of the query above, and of that of leads, for a text. */
export function personParams(scope: Scope, text: string): SqlValue[] {
  const { tenantId } = scope
  const digits = phonesIn(scope, text)
  const [first = '', second = first] = digits
  // four digits are one token of the index; with more digits, rows that have all their tokens are compared in full
  const isRun = digits.length === 1 && first.length === 4
  const run = matchPhone(tenantId, isRun ? digits : [])
  const longer = matchPhone(tenantId, isRun ? [] : digits)
  return [matchQuery(tenantId, text), run, longer, tenantId, first, second, tenantId, text.trim()]
}
