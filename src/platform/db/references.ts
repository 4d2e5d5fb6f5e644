import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'

/** So many letters of a reference are tried in both cases, which makes at most 2^6 beginnings to look for. */
const LETTERS_TRIED = 6
// ASCII only, since the other case of another letter may have another length
const small = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const capital = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())

/**
 * Returns the spellings of a searched reference, as a JSON list: its first six letters in each case, the rest
 * unchanged, in capitals or in small letters, since the index distinguishes cases.
 */
export function listSpellings(text: string): string {
  let beginnings = ['']
  let at = 0
  for (let letters = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    const cases = [...new Set([small(sign), capital(sign)])]
    if (cases.length > 1 && letters === LETTERS_TRIED) break
    if (cases.length > 1) letters += 1
    beginnings = beginnings.flatMap((beginning) => cases.map((one) => beginning + one))
  }
  const rest = text.slice(at)
  const endings = [...new Set([rest, small(rest), capital(rest)])]
  return JSON.stringify(beginnings.flatMap((beginning) => endings.map((ending) => beginning + ending)))
}

/** At most this many prefixes of references are looked for; a firm has a few, such as BA- for its bank. */
const MOST_PREFIXES = 24

/**
 * Returns the prefixes of a firm's references, the part before the digits such as BA-, so that a search for digits
 * finds them. `findNext` returns the next reference after a text, by an index; each prefix costs one such step.
 */
export function listHeads(findNext: (after: string) => string | undefined): string[] {
  const prefixes = new Set<string>()
  let after = ''
  for (let step = 0; step < MOST_PREFIXES; step += 1) {
    const next = findNext(after)
    if (next === undefined) break
    const prefix = /^\D*/.exec(next)?.[0] ?? ''
    prefixes.add(prefix)
    // a colon comes right after the digits, so the step skips all references with this prefix
    after = prefix === next ? next : `${prefix}:`
  }
  return [...prefixes]
}

/** A beginning gathers at most this many rows: one more than a list counts. */
export const MOST_REFERENCES = 10_001
const MOST = sql.raw(String(MOST_REFERENCES))

type Named = SQLiteTable & { id: SQLiteColumn; tenantId: SQLiteColumn }

/** Returns the condition that a column begins with one of the spellings of `json_each(…) AS written`. */
export const beginsWritten = (column: SQLiteColumn): SQL =>
  sql`${column} >= written.value AND ${column} < written.value || char(1114111)`

/**
 * Finds ids of a firm's rows whose reference begins with a text, the first six letters in any case, by the index of the
 * column, at most `MOST_REFERENCES`. `row` is an alias of the table; its parameters are the tenant and
 * `listSpellings(text)`.
 */
export const byReference = (table: SQLiteTable, row: Named, column: SQLiteColumn): SQL =>
  sql`SELECT ${row.id} FROM (SELECT ? AS tenant_id) AS firm CROSS JOIN json_each(?) AS written
    CROSS JOIN ${table} AS ${row} WHERE ${row.tenantId} = firm.tenant_id AND ${beginsWritten(column)} LIMIT ${MOST}`
