import { type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { SqlValue } from '../../platform/db/client.ts'
import { matchPhone, matchQuery, phoneDigits } from '../../platform/db/search.ts'
import { traders } from './traders.table.ts'

const called = alias(traders, 'called')
const named = alias(traders, 'named')

/** Keys of the clients that a text means: by words, digits of the phone or id. Its parameters are `personParams`. */
export const CLIENTS_FOUND: SQL = sql`SELECT rowid FROM traders_search WHERE traders_search MATCH ?
  UNION SELECT called.rid FROM traders_phones CROSS JOIN ${traders} AS called ON called.rid = traders_phones.rowid
    WHERE traders_phones MATCH ? AND ${called.tenantId} = ?
      AND (instr(${called.phone}, ?) OR instr(${called.phone}, ?))
  UNION SELECT named.rid FROM ${traders} AS named WHERE ${named.tenantId} = ? AND ${named.id} = ?`

/** What a text is to the query above, and to that of leads. */
export function personParams(tenantId: string, text: string): SqlValue[] {
  const digits = phoneDigits(text)
  const [first = '', second = first] = digits
  return [matchQuery(tenantId, text), matchPhone(tenantId, digits), tenantId, first, second, tenantId, text.trim()]
}
