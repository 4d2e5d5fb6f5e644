import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

/** Letters of a reference of which each case is tried: as many twos as these are ranges of its index. */
const LETTERS_TRIED = 6
// of ASCII alone: the other case of another letter may have another length
const small = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const capital = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())

/**
 * How a reference may be written that somebody looks for, as a list in JSON: its first six letters each in both cases,
 * what follows as it stands, in capitals or in small letters. An index that tells cases apart is asked for each.
 */
export function writingsOf(text: string): string {
  let heads = ['']
  let at = 0
  for (let letters = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    const cases = [...new Set([small(sign), capital(sign)])]
    if (cases.length > 1 && letters === LETTERS_TRIED) break
    if (cases.length > 1) letters += 1
    heads = heads.flatMap((head) => cases.map((one) => head + one))
  }
  const rest = text.slice(at)
  const tails = [...new Set([rest, small(rest), capital(rest)])]
  return JSON.stringify(heads.flatMap((head) => tails.map((tail) => head + tail)))
}

/** Rows that a beginning gathers at most: one more than a list counts. */
export const MOST_REFERENCES = 10_001
const MOST = sql.raw(String(MOST_REFERENCES))

type Named = SQLiteTable & { id: SQLiteColumn; tenantId: SQLiteColumn }

/** The condition that a column begins with one of the writings that `json_each(…) AS written` lists in front of it. */
export const beginsWritten = (column: SQLiteColumn): SQL =>
  sql`${column} >= written.value AND ${column} < written.value || char(1114111)`

/**
 * Ids of a firm's rows whose reference begins with a text, the first six letters in any case, by the index of the
 * column, at most `MOST_REFERENCES`. `row` is the table under a name of its own; its parameters are the tenant and
 * `writingsOf(text)`.
 */
export const byReference = (table: SQLiteTable, row: Named, column: SQLiteColumn): SQL =>
  sql`SELECT ${row.id} FROM (SELECT ? AS tenant_id) AS firm CROSS JOIN json_each(?) AS written
    CROSS JOIN ${table} AS ${row} WHERE ${row.tenantId} = firm.tenant_id AND ${beginsWritten(column)} LIMIT ${MOST}`
