import { sql as fragment } from 'drizzle-orm'
import { say } from '../../words/say.ts'
import { notFound, Problem } from '../problem.ts'
import type { Connection, SqlValue } from '../sqlite.ts'
import { hide } from './hidden-fields.ts'
import { oneSql, type Scope, scopeParams, scopePredicate } from './reader-scope.ts'
import { statement } from './statement.ts'
import { readSum, sumAsText } from './sums.ts'
import {
  type Column,
  decodeRow,
  encodeValue,
  getTableMeta,
  type Row,
  type TableMeta,
  type TenantTable,
} from './tenant-table.ts'

/** Column values that a row must have; an array means any of them. */
export type Match<T extends TenantTable> = { [K in keyof Row<T>]?: Row<T>[K] | readonly Row<T>[K][] }
type ListOptions<T extends TenantTable> = {
  orderBy?: keyof Row<T> & string
  descending?: boolean
  limit?: number
  /** Includes soft-deleted rows. */
  withDeleted?: boolean
}

type SelectOptions = {
  withDeleted?: boolean
  budget?: Budget
  /** The column of `MoneyColumns` by whose words the rows are read. */
  apart?: string | undefined
  /**
   * What the rows are ordered by, if their ids are read first: alone these are sorted several times faster than rows
   * that no index contains. SQLite merges the parts of `apart` in order only if they contain what they are ordered by.
   */
  idsBy?: string | undefined
}

/** Reads that cannot leave their scope, for a request (read-only connection) and for a transaction. */
export type Reader = {
  readonly scope: Scope
  /** Returns the row, or throws the 404 that another tenant's id also gets. */
  get<T extends TenantTable>(table: T, id: string, options?: { withDeleted?: boolean }): Row<T>
  find<T extends TenantTable>(table: T, match: Match<T>, options?: ListOptions<T>): Row<T> | undefined
  list<T extends TenantTable>(table: T, match: Match<T>, options?: ListOptions<T>): Row<T>[]
  count<T extends TenantTable>(table: T, match: Match<T>): number
  /**
   * Runs joins and sums of `*.queries.ts`, for staff scopes only. `?1` is the tenant and must be used; params follow
   * from `?2`.
   */
  query<R>(sql: string, params?: readonly SqlValue[]): R[]
  /** Returns rows of a table by SQL that `scopedFrom` started, up to the budget; used by pages. */
  select<T extends TenantTable>(table: T, tail: string, params: readonly SqlValue[], options?: SelectOptions): Row<T>[]
  /** Returns the value of an SQL expression over one row, for what the row type lacks. */
  column<T extends TenantTable>(table: T, id: string, sql: string): SqlValue
  /** Counts rows; with `atMost`, counting stops there, so that a large table does not delay. */
  total<T extends TenantTable>(
    table: T,
    tail: string,
    params: readonly SqlValue[],
    options?: { withDeleted?: boolean; atMost?: number; apart?: string | undefined },
  ): number
  /** Returns whether a filter's statement, which names its tenant, finds `most` rows, without showing them. */
  finds(sql: string, params: readonly SqlValue[], most: number): boolean
  /** Returns the rows' money by currency, in minor units; null for more than `atMost` rows. */
  sums<T extends TenantTable>(
    table: T,
    columns: MoneyColumns<T>,
    tail: string,
    params: readonly SqlValue[],
    limits: { atMost: number; apart?: string | undefined },
  ): CurrencySum[] | null
}

/**
 * The column of an amount, and that of its currency; sums also add `with`, such as money that is held. `apart` is a
 * column of words. Rows with each word have an index of their own with the amount, since some amounts change too often
 * for an index of all rows in their order.
 */
export type MoneyColumns<T extends TenantTable> = {
  amount: keyof Row<T> & string
  currency: keyof Row<T> & string
  with?: keyof Row<T> & string
  apart?: keyof Row<T> & string
}
type CurrencySum = { currency: string; count: number; amount: bigint }

/** The sum of `amount` of an inner SELECT. */
const SUM_OF_AMOUNTS = statement(sumAsText(fragment.raw('amount')))

/** The characters that the free-form columns of some rows may have together; `spent` after a row was left out. */
export type Budget = { characters: number; spent: boolean }

/** Leaves out rows beyond a budget, except the first, before they are parsed. */
function spend(budget: Budget, meta: TableMeta, rows: Record<string, unknown>[]): void {
  let left = budget.characters
  for (const [index, row] of rows.entries()) {
    for (const { key } of meta.decoders) {
      const value = row[key]
      if (typeof value === 'string') left -= value.length
    }
    if (left >= 0 || index === 0) continue
    budget.spent = true
    rows.length = index
    return
  }
}

/**
 * Returns the text of a value of an enumeration or a flag: only one that stands in the text, and is no parameter, lets
 * SQLite look into an index of some rows (`WHERE status = 'open'`). Undefined for other values.
 */
function writeWord(column: Column, value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(encodeValue(column, value))
  return column.words.some((word) => word === value) ? `'${value}'` : undefined
}

/** Returns column equalities as SQL; parameters are pushed in order. */
export function matchSql(meta: TableMeta, match: Readonly<Record<string, unknown>>, params: SqlValue[]): string {
  let sql = ''
  for (const [key, value] of Object.entries(match)) {
    const column = meta.byKey.get(key)
    if (!column) throw new Error(`no column ${key} in ${meta.name}`)
    if (value === undefined) continue
    if (value === null) sql += ` AND ${meta.name}.${column.sql} IS NULL`
    else if (Array.isArray(value)) {
      // json_each needs one statement for any number of values
      sql += ` AND ${meta.name}.${column.sql} IN (SELECT value FROM json_each(?))`
      params.push(JSON.stringify(value.map((item) => encodeValue(column, item))))
    } else {
      const word = writeWord(column, value)
      sql += ` AND ${meta.name}.${column.sql} = ${word ?? '?'}`
      if (word === undefined) params.push(encodeValue(column, value))
    }
  }
  return sql
}

/** What every read needs: a connection, and the scope of the rows that it may see. */
type Sight = { connection: Connection; scope: Scope }

/** Prepares a row for its reader: its client counts as read, and a veil is applied. */
function show({ clientColumn, veil }: TableMeta, { veils, seen }: Scope, row: Record<string, unknown>): void {
  if (seen !== undefined && clientColumn !== undefined) seen(String(row[clientColumn]))
  if (veil !== undefined && veils?.includes(veil)) hide(veil, row)
}

/** Returns what rows are read from: a table, or its rows with each word of a column, which SQLite merges in order. */
function writeFrom(meta: TableMeta, apart: string | undefined): string {
  if (apart === undefined) return meta.name
  const column = meta.byKey.get(apart)
  const parts = column?.words.map((word) => `SELECT * FROM ${meta.name} WHERE ${column.sql} = '${word}'`) ?? []
  return `(${parts.join(' UNION ALL ')}) AS ${meta.name}`
}

function selectIn<T extends TenantTable>(
  { connection, scope }: Sight,
  table: T,
  tail: string,
  params: readonly SqlValue[],
  options: SelectOptions = {},
): Row<T>[] {
  const meta = getTableMeta(table)
  const where = scopePredicate(meta, scope, options.withDeleted ?? false)
  const all = [...scopeParams(meta, scope), ...params]
  const from = writeFrom(meta, options.apart)
  const read = (what: string, rest: string, values: readonly SqlValue[]) =>
    connection.all<Record<string, unknown>>(`SELECT ${what} FROM ${from} WHERE ${where}${rest}`, values)
  let rows: Record<string, unknown>[]
  if (options.idsBy !== undefined) {
    const places = new Map(read(`${meta.name}.id, ${options.idsBy}`, tail, all).map(({ id }, place) => [id, place]))
    const named = ` AND ${meta.name}.id IN (SELECT value FROM json_each(?))`
    rows = read(meta.selection, named, [...scopeParams(meta, scope), JSON.stringify([...places.keys()])])
    rows.sort((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
  } else rows = read(meta.selection, tail, all)
  if (options.budget) spend(options.budget, meta, rows)
  if (meta.decoders.length > 0) for (const row of rows) decodeRow(meta, row)
  if (meta.clientColumn ?? meta.veil) for (const row of rows) show(meta, scope, row)
  return rows as Row<T>[]
}

function listIn<T extends TenantTable>(
  sight: Sight,
  table: T,
  match: Match<T>,
  options: ListOptions<T> = {},
): Row<T>[] {
  const meta = getTableMeta(table)
  const params: SqlValue[] = []
  let tail = matchSql(meta, match, params)
  if (options.orderBy)
    tail += ` ORDER BY ${meta.byKey.get(options.orderBy)?.sql} ${options.descending ? 'DESC' : 'ASC'}`
  if (options.limit !== undefined) {
    tail += ' LIMIT ?'
    params.push(options.limit)
  }
  return selectIn(sight, table, tail, params, options)
}

function totalIn(
  { connection, scope }: Sight,
  table: TenantTable,
  tail: string,
  params: readonly SqlValue[],
  options: { withDeleted?: boolean; atMost?: number; apart?: string | undefined } = {},
): number {
  const meta = getTableMeta(table)
  const from = writeFrom(meta, options.apart)
  const where = scopePredicate(meta, scope, options.withDeleted ?? false)
  const all = [...scopeParams(meta, scope), ...params]
  const { atMost } = options
  if (atMost !== undefined) all.push(atMost)
  const sql =
    atMost === undefined
      ? `SELECT count(*) AS n FROM ${from} WHERE ${where}${tail}`
      : `SELECT count(*) AS n FROM (SELECT 1 FROM ${from} WHERE ${where}${tail} LIMIT ?)`
  return connection.get<{ n: number }>(sql, all)?.n ?? 0
}

function sumsIn<T extends TenantTable>(
  { connection, scope }: Sight,
  table: T,
  columns: MoneyColumns<T>,
  rest: { tail: string; params: readonly SqlValue[]; atMost: number; apart?: string | undefined },
): CurrencySum[] | null {
  const { tail, params, atMost, apart } = rest
  const meta = getTableMeta(table)
  const column = (key: string) => `${meta.name}.${meta.byKey.get(key)?.sql}`
  const amount =
    columns.with === undefined ? column(columns.amount) : `${column(columns.amount)} + ${column(columns.with)}`
  const found = connection.all<{ currency: string; count: number; amount: string }>(
    `SELECT currency, count(*) AS count, ${SUM_OF_AMOUNTS} AS amount FROM (
      SELECT ${column(columns.currency)} AS currency, ${amount} AS amount
      FROM ${writeFrom(meta, apart)} WHERE ${scopePredicate(meta, scope, false)}${tail} AND ${column(columns.currency)} IS NOT NULL
      LIMIT ?
    ) GROUP BY currency ORDER BY currency`,
    [...scopeParams(meta, scope), ...params, atMost + 1],
  )
  if (found.reduce((rows, { count }) => rows + count, 0) > atMost) return null
  return found.map(({ currency, count, amount }) => ({ currency, count, amount: readSum(amount) }))
}

function getIn<T extends TenantTable>(
  { connection, scope }: Sight,
  table: T,
  id: string,
  withDeleted: boolean,
): Row<T> {
  const meta = getTableMeta(table)
  const params = [...scopeParams(meta, scope), id]
  const row = connection.get<Record<string, unknown>>(oneSql(meta, scope, withDeleted), params)
  if (!row) throw notFound()
  decodeRow(meta, row)
  show(meta, scope, row)
  return row as Row<T>
}

function columnIn({ connection, scope }: Sight, table: TenantTable, id: string, sql: string): SqlValue {
  const meta = getTableMeta(table)
  const text = `SELECT ${sql} AS value FROM ${meta.name} WHERE ${scopePredicate(meta, scope, true)} AND id = ?`
  return connection.get<{ value: SqlValue }>(text, [...scopeParams(meta, scope), id])?.value ?? null
}

/** Returns a reader over `connection` that sees only `scope`. */
export function createReader(connection: Connection, scope: Scope): Reader {
  const sight: Sight = { connection, scope }
  return {
    scope,
    select: (table, tail, params, options) => selectIn(sight, table, tail, params, options),
    column: (table, id, sql) => columnIn(sight, table, id, sql),
    total: (table, tail, params, options) => totalIn(sight, table, tail, params, options),
    finds: (sql, params, most) =>
      connection.get<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM (${sql}) LIMIT ?)`, [...params, most])
        ?.n === most,
    sums: (table, columns, tail, params, limits) => sumsIn(sight, table, columns, { tail, params, ...limits }),
    list: (table, match, options) => listIn(sight, table, match, options),
    get: (table, id, options) => getIn(sight, table, id, options?.withDeleted ?? false),
    find: (table, match, options = {}) => listIn(sight, table, match, { ...options, limit: 1 })[0],
    count: (table, match) => {
      const params: SqlValue[] = []
      return totalIn(sight, table, matchSql(getTableMeta(table), match, params), params)
    },
    query: <R>(sql: string, params: readonly SqlValue[] = []) => {
      if (!sql.includes('?1')) throw new Error('a scoped query must name its tenant as ?1')
      if (scope.traderId !== null) throw new Problem(403, 'forbidden', say('problems.error.staff_only'))
      return connection.all<R>(sql, [scope.tenantId, ...params])
    },
  }
}
