import { constants } from 'node:sqlite'
import type { ReadableTable } from './sandbox.catalogue.ts'

/** The functions that a query may call: none of them reads, writes, loads, or makes long texts from nothing. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  `abs avg ceil ceiling coalesce concat concat_ws count cume_dist date datetime degrees dense_rank exp first_value floor glob
  group_concat hex if ifnull iif instr json_array_length json_extract json_type json_valid -> ->> julianday lag last_value lead
  length like likelihood likely ln log log10 log2 lower ltrim max min mod nth_value ntile nullif octet_length percent_rank pi pow
  power quote random rank replace round row_number rtrim sign sqrt strftime string_agg substr substring subtype sum time timediff
  total trim trunc typeof unicode unixepoch unlikely upper
  money decimal_of firm_day firm_month firm_time`.split(/\s+/),
)

/** A query must not give its own table the name of a module of SQLite, which it could then read instead. */
const MODULE = /^(?:sqlite|pragma|json|fts|rtree|db|tables_used|bytecode|completion|carray)/i
const escaped = (text: string): string => text.replace(/[^\w]/g, '\\$&')

/** Returns whether a query defines a common table expression with this name; an unusual form is not recognised. */
const defines = (sql: string, name: string): boolean =>
  !MODULE.test(name) &&
  new RegExp(
    `\\b${escaped(name)}["\\]\`]?\\s*(?:\\([^()]*\\))?\\s*AS\\s*(?:NOT\\s+)?(?:MATERIALIZED\\s*)?\\(`,
    'i',
  ).test(sql)

/** What a query asked for without a right to it; the first of these kinds is told. */
export type Denied = { what: 'table' | 'column' | 'function' | 'act'; name: string }

/**
 * Decides every access of a query. `views` are the inner views that read the firm's rows, with names made for each
 * query; `taken` are all other names in the database. A table is read only from inside its own inner view: SQLite
 * reports that view, whose random name cannot be forged. Reading without a column, as `count(*)` does, is allowed only
 * for what the query itself defines, under a name that no table has.
 */
export function createAuthorizer(views: ReadonlyMap<string, ReadableTable>, taken: ReadonlySet<string>, sql: string) {
  const { SQLITE_OK, SQLITE_DENY, SQLITE_READ, SQLITE_SELECT, SQLITE_RECURSIVE, SQLITE_FUNCTION } = constants
  const outer = new Map(
    [...views.values()].map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]),
  )
  const denied: Denied[] = []
  const deny = (what: Denied['what'], name: string): number => {
    denied.push({ what, name })
    return SQLITE_DENY
  }
  const mayRead = (table: string, column: string, database: string | null, inside: string | null): boolean => {
    const within = inside === null ? undefined : views.get(inside)
    if (database === 'main') return within?.name === table && within.base.has(column)
    if (database === 'temp') {
      const inner = views.get(table)
      if (inner) return inside === inner.name
      return outer.get(table)?.has(column) ?? false
    }
    if (column !== '') return false
    // an inner view may be counted: its rows are the firm's, and its name cannot be guessed
    if (views.has(table)) return true
    return outer.has(table.toLowerCase()) || (!taken.has(table.toLowerCase()) && defines(sql, table))
  }
  const authorize = (
    action: number,
    first: string | null,
    second: string | null,
    database: string | null,
    inside: string | null,
  ): number => {
    if (action === SQLITE_SELECT || action === SQLITE_RECURSIVE) return SQLITE_OK
    if (action === SQLITE_FUNCTION)
      return FUNCTIONS.has((second ?? '').toLowerCase()) ? SQLITE_OK : deny('function', second ?? '')
    if (action !== SQLITE_READ) return deny('act', String(action))
    const [table, column] = [first ?? '', second ?? '']
    if (mayRead(table, column, database, inside)) return SQLITE_OK
    return outer.has(table) && column !== '' ? deny('column', `${table}.${column}`) : deny('table', table)
  }
  return { authorize, denied }
}
