import { type TOptional, type TSchema, Type } from '@sinclair/typebox'
import { KIB } from '../../bytes.ts'
import { type Budget, type Match, type MoneyColumns, matchSql, type Reader } from '../../db/reader.ts'
import type { Scope } from '../../db/reader-scope.ts'
import { getTableMeta, type Row, type TenantTable } from '../../db/tenant-table.ts'
import type { SecretBox } from '../../secrets.ts'
import type { SqlValue } from '../../sqlite.ts'
import { NOT_BLANK, QueryFlag, QueryInt } from '../../wire/fields.ts'
import { findSchemaName, nameSchema } from '../../wire/schema-name.ts'
import { amountChoice, amountsWhere, getOneCurrency, hasAmounts } from './amount-filters.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { type Filter, parseTime } from './list-filters.ts'
import {
  type ListTotals,
  MOST_COUNTED,
  readListTotals,
  sumFields,
  summing,
  totalFields,
  type Where,
} from './list-totals.ts'
import { changed, period } from './periods.ts'

export type { Where } from './list-totals.ts'

/** The rows of a page without a `limit`, and the largest `limit`. */
export const DEFAULT_LIMIT = 50
export const MAX_LIMIT = 200

/** An empty search (`q`) is refused: it is a mistake, and would find all rows or none. */
const askedBy = (name: string, schema: TSchema): TSchema =>
  name === 'q' ? { ...schema, minLength: 1, pattern: NOT_BLANK } : schema

type FilterSchemas<F extends Record<string, Filter>> = { [K in keyof F]: TOptional<F[K]['schema']> }
type Optionals<E extends Record<string, TSchema>> = { [K in keyof E]: TOptional<E[K]> }
type ChangedSchemas<T extends TenantTable> = 'updatedAt' extends keyof Row<T> ? typeof changed : Record<never, never>

/** The parameters of every list in pages. */
export const paging = {
  limit: Type.Optional(QueryInt(1, MAX_LIMIT, { description: `rows on a page; default ${DEFAULT_LIMIT}` })),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: '`nextCursor` of the page before' })),
  count: Type.Optional(QueryFlag(`also count all rows (\`total\`), up to ${MOST_COUNTED}`)),
}

/** A validated query, as the list's own schema accepted it. */
export type Query = Readonly<Record<string, unknown>>

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** How a list is filtered and sorted. Made by `defineList`. */
export type List<T extends TenantTable, Q extends TSchema> = {
  name: string
  table: T
  query: Q
  filters: Readonly<Record<string, Filter>>
  /** The filters that bring an order of their own, which are searches by text, and that order. */
  searches: readonly { name: string; orderBy: string }[]
  /** Wire sort name → column key. Each must be indexed with the tenant and the id. */
  sorts: Readonly<Record<string, string>>
  defaultSort: string
  timeColumn: string | null
  /** The money of a row, for lists that answer `sums`. */
  money?: MoneyColumns<T> | undefined
}

/**
 * A list over one table: named filters, sorts, `from`/`to` on its time column, keyset pages. If rows change, it also
 * has `sort=updatedAt`, `updatedFrom` and `updatedTo`, for which the table needs an index (tenant_id, updated_at, id).
 * The query schema that validates and documents the parameters comes from the same declaration as the SQL. src/README
 * “HTTP contract”.
 */
export function defineList<
  T extends TenantTable,
  F extends Record<string, Filter>,
  M extends MoneyColumns<T> | undefined = undefined,
  E extends Record<string, TSchema> = Record<never, never>,
>(options: {
  name: string
  table: T
  filters: F
  /** Parameters that the module applies itself, since their answer is that of modules above it. */
  elsewhere?: E
  sorts?: Record<string, keyof Row<T> & string>
  defaultSort?: string
  /** The column of `from` and `to`; null when the module applies them itself. */
  timeColumn?: (keyof Row<T> & string) | null
  /** The money of a row. With it the list accepts `sums=true`, and its page is a `MoneyPage`. */
  money?: M
}) {
  const changes = getTableMeta(options.table).has.updatedAt
  const sorts: Record<string, string> = {
    ...(options.sorts ?? { createdAt: 'createdAt' }),
    ...(changes ? { updatedAt: 'updatedAt' } : {}),
    ...(options.money ? { amount: options.money.amount } : {}),
  }
  const names = Object.keys(sorts).flatMap((name) => [name, `-${name}`])
  const defaultSort = options.defaultSort ?? '-createdAt'
  const filters = Object.fromEntries(
    Object.entries(options.filters).map(([name, { schema }]) => [name, Type.Optional(askedBy(name, schema))]),
  ) as FilterSchemas<F>
  const choice = {
    ...filters,
    ...buildOptionals(options.elsewhere),
    ...period,
    ...((changes ? changed : {}) as ChangedSchemas<T>),
    ...amountChoice(options.money),
    sort: Type.Optional(
      Type.String({
        enum: names,
        pattern: `^(${names.join('|')})$`,
        description: `one of ${names.join(', ')}; default ${defaultSort}`,
      }),
    ),
  }
  return {
    name: options.name,
    table: options.table,
    query: Type.Object({ ...choice, ...paging, ...buildSumsField(options.money) }, { additionalProperties: false }),
    /** The parameters for the whole list without pages: filters and order. */
    exportQuery: Type.Object(choice, { additionalProperties: false }),
    filters: options.filters,
    searches: Object.entries(options.filters).flatMap(([name, { orderBy }]) =>
      orderBy === undefined ? [] : [{ name, orderBy }],
    ),
    sorts,
    defaultSort,
    timeColumn: options.timeColumn === undefined ? 'createdAt' : options.timeColumn,
    money: options.money,
  }
}

const buildOptionals = <E extends Record<string, TSchema>>(schemas: E | undefined) =>
  Object.fromEntries(
    Object.entries(schemas ?? {}).map(([name, schema]) => [name, Type.Optional(schema)]),
  ) as Optionals<E>

const buildSumsField = <M>(money: M | undefined) =>
  (money === undefined ? {} : summing) as M extends undefined ? object : typeof summing

/**
 * Returns the name of a page: a page of `DepositRow` keeps the name `DepositPage`, from when its rows were `Deposit`.
 */
const buildPageName = (item: TSchema): string | undefined => {
  const name = findSchemaName(item)
  return name === undefined ? undefined : `${name.replace(/Row$/, '')}Page`
}

/** Wire form of a page. */
export function Page<T extends TSchema>(item: T) {
  const page = Type.Object({ ...pageFields(item), ...totalFields })
  const name = buildPageName(item)
  return name === undefined ? page : nameSchema(name, page)
}

/** Wire form of a page of a list that declares its `money`. */
export function MoneyPage<T extends TSchema>(item: T) {
  const page = Type.Object({ ...pageFields(item), ...totalFields, ...sumFields })
  const name = buildPageName(item)
  return name === undefined ? page : nameSchema(name, page)
}

/** The `nextCursor` of a list that is always one page. */
export const OnePage = Type.Union([Type.String({ description: 'always null: this is all' }), Type.Null()])

const pageFields = <T extends TSchema>(item: T) => ({
  data: Type.Array(item),
  nextCursor: Type.Union([Type.String(), Type.Null()]),
})

export type PageOf<R> = { data: R[]; nextCursor: string | null } & ListTotals

/** Parameters that bound a time; `from` and `to` mean the list's own time column. */
const TIME_BOUNDS = [
  ['from', '>=', null],
  ['to', '<', null],
  ['updatedFrom', '>=', 'updatedAt'],
  ['updatedTo', '<', 'updatedAt'],
] as const

const isSeveral = ({ severalSql }: Filter, value: unknown): boolean =>
  severalSql !== undefined && asText(value)?.includes(',') === true
const hasSeveral = ({ filters }: Pick<List<TenantTable, TSchema>, 'filters'>, query: Query): boolean =>
  Object.entries(filters).some(([name, definition]) => isSeveral(definition, query[name]))

/** Returns the value of a filter, without blanks that were copied with a text. */
const readFilter = (query: Query, name: string): unknown => {
  const given = query[name]
  return name === 'q' && typeof given === 'string' ? given.trim() : given
}

/**
 * Returns whether a search of the query gathered as many rows as it may, so that some rows of the list may be missing.
 */
export const isCut = (db: Reader, list: List<TenantTable, TSchema>, query: Query): boolean =>
  Object.entries(list.filters).some(([name, { gathers = [] }]) => {
    const value = asText(readFilter(query, name))
    return value !== undefined && gathers.some(({ sql, params, most }) => db.finds(sql, params(value, db.scope), most))
  })

/**
 * Returns the column by whose words rows are read in parts where amounts sort or bound them; none if the query names
 * one of the words, which has an index of its own.
 */
const findApart = ({ money }: List<TenantTable, TSchema>, query: Query): string | undefined =>
  money?.apart !== undefined && query[money.apart] === undefined ? money.apart : undefined

/**
 * Returns the predicates of a query without its cursor; a page and an export of the same list share them. `walks` is
 * set if the rows are read in another order than that of their amounts.
 */
export function buildWhere(list: List<TenantTable, TSchema>, query: Query, scope: Scope, walks = false): Where {
  const meta = getTableMeta(list.table)
  let sql = ''
  const params: SqlValue[] = []
  for (const name of Object.keys(list.filters)) {
    const value = readFilter(query, name)
    const definition = list.filters[name]
    if (value === undefined || !definition) continue
    sql += ` AND ${isSeveral(definition, value) ? definition.severalSql?.(String(value)) : definition.sql}`
    params.push(...definition.params(value as never, scope))
  }
  for (const [name, operator, column] of TIME_BOUNDS) {
    const text = asText(query[name])
    const time = meta.byKey.get(column ?? list.timeColumn ?? '')?.sql
    if (text === undefined || time === undefined) continue
    sql += ` AND ${meta.name}.${time} ${operator} ?`
    params.push(parseTime(name, text))
  }
  const bounds = amountsWhere(list, query, walks)
  const apart = hasAmounts(query) && !walks ? findApart(list, query) : undefined
  return { sql: sql + bounds.sql, params: [...params, ...bounds.params], apart }
}

/**
 * Returns what a page is sorted by: a column of the row (`key`), or for a search the table's integer key, which is not
 * part of the row.
 */
export function buildOrder(
  list: List<TenantTable, TSchema>,
  query: Query,
): { sql: string; key: string | null; least: SqlValue; descending: boolean } {
  const asked = asText(query.sort)
  if (asked === undefined) {
    const search = list.searches.find(({ name }) => query[name] !== undefined)
    if (search !== undefined) return { sql: search.orderBy, key: null, least: null, descending: true }
  }
  const sort = asked ?? list.defaultSort
  const descending = sort.startsWith('-')
  const name = descending ? sort.slice(1) : sort
  if (name === 'amount') getOneCurrency(query, 'order')
  const key = list.sorts[name] ?? 'createdAt'
  const meta = getTableMeta(list.table)
  const column = meta.byKey.get(key)
  const place = `${meta.name}.${column?.sql}`
  const least = column?.least ?? null
  // the order needs a value in place of NULL, since a cursor cannot be compared with NULL
  const sql = least === null ? place : `ifnull(${place}, ${least === '' ? "''" : least})`
  return { sql, key, least, descending }
}

/** Fewer rows than this are sorted for a page, since a walk through an index would read all others too. */
const FEW = 1000

/** Returns whether filters narrow the rows and the order is not that of creation, so that no index serves both. */
const isNarrowed = ({ filters }: List<TenantTable, TSchema>, query: Query, key: string | null): boolean =>
  key !== null &&
  key !== 'createdAt' &&
  [...Object.keys(filters), 'from', 'to', ...(key === 'updatedAt' ? [] : ['updatedFrom', 'updatedTo'])].some(
    (name) => query[name] !== undefined,
  )

/**
 * Returns what rows are ordered by in SQL. No index has the order of a list for several values of a filter, or an order
 * other than that of creation for each filter, so SQLite would walk all rows in order to find a few. If they are few, a
 * plus prevents that: SQLite finds them by the index of the filter and sorts them. `walks` is set if a query bounds
 * amounts and its rows are read in another order. `apart` and `idsBy` are options of `select`.
 */
export function planOrder(
  db: Reader,
  list: List<TenantTable, TSchema>,
  query: Query,
  where: Where,
  order: { sql: string; key: string | null },
): { place: string; walks: boolean; apart: string | undefined; idsBy: string | undefined } {
  const mayBeFew = hasSeveral(list, query) || hasAmounts(query)
  const most = mayBeFew ? MOST_COUNTED : isNarrowed(list, query, order.key) ? FEW : 0
  const few = most > 0 && db.total(list.table, where.sql, where.params, { atMost: most, apart: where.apart }) < most
  const isByAmount = order.key === list.money?.amount
  const walks = !few && hasAmounts(query) && !isByAmount
  const isApart = !walks && (hasAmounts(query) || (isByAmount && !few))
  return {
    place: few ? `+${order.sql}` : order.sql,
    walks,
    apart: isApart ? findApart(list, query) : undefined,
    idsBy: isApart && list.money?.apart !== undefined ? order.sql : undefined,
  }
}

/**
 * The most free-form text of a page, since everybody waits while it is parsed and written. A page of rows with much
 * text ends early and continues at its cursor.
 */
export const MOST_CHARACTERS = 512 * KIB

/**
 * Reads one page of a list in the caller's scope, narrowed to rows that match `within` and `extra`; `map` turns rows
 * into wire objects. If rows bring more text from elsewhere, `reach` returns how many of the rows fit.
 */
export function readPage<T extends TenantTable, R>(
  ctx: { db: Reader; secrets: SecretBox },
  list: List<T, TSchema>,
  query: Query,
  map: (row: Row<T>) => R,
  within: Match<T> = {},
  extra: Where = { sql: '', params: [] },
  reach: (rows: readonly Row<T>[]) => number = (rows) => rows.length,
): PageOf<R> {
  const meta = getTableMeta(list.table)
  const where = buildWhere(list, query, ctx.db.scope)
  const rest = matchSql(meta, within, where.params) + extra.sql
  where.sql += rest
  where.params.push(...extra.params)
  const order = buildOrder(list, query)
  const limit = Number(query.limit ?? DEFAULT_LIMIT)
  const cursor = asText(query.cursor)
  const { tenantId, traderId, affiliateId = null } = ctx.db.scope
  const whose = affiliateId === null ? traderId : `${traderId} ${affiliateId}`
  const bound = `${list.name}\n${tenantId}\n${whose}\n${order.sql}\n${order.descending}\n${where.sql}\n${JSON.stringify(where.params)}`
  const params = [...where.params]
  const { place, walks, apart, idsBy } = planOrder(ctx.db, list, query, where, order)
  let tail = walks ? buildWhere(list, query, ctx.db.scope, true).sql + rest : where.sql
  const direction = order.descending ? 'DESC' : 'ASC'
  const beyond = order.descending ? '<' : '>'
  if (cursor !== undefined) {
    const [value, id] = decodeCursor(ctx.secrets, bound, cursor)
    if (order.key === null) {
      tail += ` AND ${order.sql} ${beyond} ?`
      params.push(value)
    } else {
      tail += ` AND (${place}, ${meta.name}.id) ${beyond} (?, ?)`
      params.push(value, id)
    }
  }
  tail += ` ORDER BY ${place} ${direction}${order.key === null ? '' : `, ${meta.name}.id ${direction}`} LIMIT ?`
  params.push(limit + 1)
  const budget: Budget = { characters: MOST_CHARACTERS, spent: false }
  const rows = ctx.db.select(list.table, tail, params, { budget, apart, idsBy })
  const found = rows.length
  rows.length = Math.min(found, limit)
  rows.length = reach(rows)
  const more = rows.length < found || budget.spent
  const last: Query | undefined = rows.at(-1)
  const page: PageOf<R> = { data: rows.map(map), nextCursor: null }
  if (more && last) {
    const id = String(last.id)
    const value =
      order.key === null ? ctx.db.column(list.table, id, order.sql) : ((last[order.key] ?? order.least) as SqlValue)
    // an amount is at most 2^53, and JSON has no larger kind of number
    page.nextCursor = encodeCursor(ctx.secrets, bound, typeof value === 'bigint' ? Number(value) : value, id)
  }
  return Object.assign(
    page,
    readListTotals(ctx.db, list, query, where, () => isCut(ctx.db, list, query)),
  )
}
