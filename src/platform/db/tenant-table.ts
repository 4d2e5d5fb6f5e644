import { type BuildColumns, getTableColumns, type InferInsertModel, type InferSelectModel } from 'drizzle-orm'
import {
  type SQLiteColumnBuilderBase,
  type SQLiteTable,
  type SQLiteTableWithColumns,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core'
import { isCurrency } from '../money.ts'
import type { SqlValue } from '../sqlite.ts'
import { column, id, type Said } from './columns.ts'
import { type AnyPerson, ERASED_TEXT, type Erasable, fact, getFates, type Person, untold } from './erasure.ts'
import type { Veil } from './hidden-fields.ts'
import { getColumnName } from './statement.ts'

const base = { tenantId: column(text().notNull(), untold, 'hidden'), id: column(id().notNull(), fact, 'api csv sql') }
type Columns = Record<string, SQLiteColumnBuilderBase & Said>
/** A table with what its columns declared, for the types derived from it. */
declare const said: unique symbol
export type Declared<C> = { readonly [said]?: C }

/** Facts about a table that Drizzle has no place for. */
type Facts<Key extends string> = {
  /** The word for one row, used in audit entries and 404s: `deposit`. */
  entity: string
  /** The column with the client of a row; without it clients and brokers cannot read the table. */
  owner?: Key
  /**
   * Selects an introducing broker's own rows instead of `owner`: the column of their affiliate, or SQL over the row
   * with one `?` for the affiliate.
   */
  broker?: Key | { sql: string }
  /** Columns that never enter the audit log, not even sealed or hashed. */
  secret?: readonly Key[]
  /** The column with the client whose personal data a row has: reading the row counts as reading the client. */
  clientColumn?: Key
  /** What some staff do not see of its rows. */
  veil?: Veil
  /** Journals and caches are records themselves, without audit rows. */
  audited?: boolean
  /** The column of the currency, for amounts that do not have it in `currency`; null for other units, such as lots. */
  currencies?: Readonly<Partial<Record<Key, Key | null>>>
  /** Its rows are about money: answers of writes to it may wait for the replica. */
  isMoney?: boolean
  /** The first columns of the list as a file after the id, if these are not `traderId createdAt`. */
  fileOrder?: string
  /** Returns whether a row's `note` is its client's own, if both sides may write it. */
  isOwnNote?: (row: Readonly<Record<string, unknown>>) => boolean
  /** Deleted rows stay, since money refers to them, but scoped reads leave them out. */
  softDelete?: boolean
}

/**
 * The declaration of a table. One with a `traderId` also says what erasing does with each column that can identify the
 * person.
 */
type TableOptions<C extends Columns> = Facts<(keyof C & string) | 'id'> &
  (C extends { traderId: SQLiteColumnBuilderBase } ? { person: Person<C> } : { person?: Person<C> })

export type Column = {
  key: string
  sql: string
  said: Said
  encode: ((value: unknown) => SqlValue) | undefined
  decode: ((value: never) => unknown) | undefined
  fallback: unknown
  /** The words of an enumeration, which stand in the text of a query; none for other columns. */
  words: readonly string[]
  /** The key of the column with the currency of its amounts; null for other columns. */
  currency: string | null
  /**
   * The value by which a row without one is ordered; null for a column that always has one, as a generated one does.
   */
  least: '' | -1 | null
}

/** Everything that reader and transaction need to know of a table, computed once. */
export type TableMeta = Facts<string> & {
  person: AnyPerson | undefined
  name: string
  prefix: string
  columns: readonly Column[]
  decoders: readonly Column[]
  /** All columns but generated ones. */
  written: readonly Column[]
  byKey: ReadonlyMap<string, Column>
  has: { version: boolean; updatedAt: boolean; createdAt: boolean; traderId: boolean }
  /** The `SELECT` list, which names columns by their keys, so that a row needs no renaming. */
  selection: string
  insertSql: string
}

const metas = new WeakMap<object, TableMeta>()
const people = new Map<string, Erasable>()
const names = new Set<string>()

/** Parses JSON, without a parser for empty values: a list of fifty rows has hundreds of them. */
function parseJson(text: string): unknown {
  if (text === '[]') return []
  return text === '{}' ? {} : JSON.parse(text)
}

/** Returns whether a column was declared with `money()`. */
export const holdsAmounts = ({ columnType }: { columnType: string }): boolean => columnType === 'SQLiteCustomColumn'

const currencyColumn = (key: string, named: Facts<string>['currencies']): string | null => {
  const own = named?.[key]
  return own === undefined ? 'currency' : own
}

/** Returns what erasing does with each column, declared by itself or by its table. */
const mergeFates = (person: AnyPerson | undefined, declared: Columns): AnyPerson | undefined => {
  if (person === undefined) return undefined
  const fates = Object.entries(declared).flatMap(([key, { fate }]) => (fate ? [[key, fate] as const] : []))
  const { own, columns, ...rest } = person
  return { ...rest, columns: { ...Object.fromEntries(fates), ...columns, ...own } }
}

function describe(
  table: SQLiteTable,
  name: string,
  prefix: string,
  declared: Columns,
  options: Facts<string> & { person?: AnyPerson },
): TableMeta {
  const columns = Object.entries(getTableColumns(table)).map(([key, column]): Column => {
    const type = column.columnType
    const plain = type === 'SQLiteText' || type === 'SQLiteInteger'
    const fallback = column.default instanceof Object && 'queryChunks' in column.default ? undefined : column.default
    const bytes = type === 'SQLiteBlobBuffer'
    const isJson = type === 'SQLiteTextJson'
    return {
      key,
      sql: getColumnName(column),
      said: declared[key] ?? {},
      fallback,
      words: column.enumValues ?? [],
      least: column.notNull || column.generated ? null : type === 'SQLiteText' ? '' : -1,
      currency: holdsAmounts(column) ? currencyColumn(key, options.currencies) : null,
      encode: plain || bytes ? undefined : (value) => column.mapToDriverValue(value) as SqlValue,
      decode: plain || bytes ? undefined : isJson ? parseJson : (value: never) => column.mapFromDriverValue(value),
    }
  })
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const generated = getTableColumns(table)
  const written = columns.filter(({ key }) => generated[key]?.generated === undefined)
  return {
    ...options,
    person: mergeFates(options.person, declared),
    name,
    prefix,
    columns,
    byKey,
    decoders: columns.filter((column) => column.decode),
    written,
    has: {
      version: byKey.has('version'),
      updatedAt: byKey.has('updatedAt'),
      createdAt: byKey.has('createdAt'),
      traderId: byKey.has('traderId'),
    },
    selection: columns.map((column) => `${name}.${column.sql} AS "${column.key}"`).join(', '),
    insertSql: `INSERT INTO ${name} (${written.map((column) => column.sql).join(', ')}) VALUES (${written.map(() => '?').join(', ')})`,
  }
}

/**
 * Declares a table whose rows belong to one tenant: it has `tenant_id` and `id`, and the scoped reader and transaction
 * are the only ways to its rows. `prefix` starts every id (`dep_…`). src/README “Tenancy”.
 */
export function tenantTable<Name extends string, C extends Columns>(
  name: Name,
  prefix: string,
  columns: C,
  options: TableOptions<C>,
): SQLiteTableWithColumns<{
  name: Name
  schema: undefined
  columns: BuildColumns<Name, typeof base & C, 'sqlite'>
  dialect: 'sqlite'
}> &
  Declared<C> {
  // names of columns are cached under the name of their table
  if (names.has(name)) throw new Error(`there are two tables called ${name}`)
  names.add(name)
  const table = sqliteTable(name, { ...base, ...columns })
  const meta = describe(table, name, prefix, { ...base, ...columns }, options)
  metas.set(table, meta)
  if (meta.person) people.set(name, toErasable(table, meta, meta.person))
  return table
}

/** Any table made by `tenantTable`. */
export type TenantTable = SQLiteTable
export type Row<T extends TenantTable> = InferSelectModel<T>
/** The values of an insert: all but the tenant, which the transaction knows. */
export type NewRow<T extends TenantTable> = Omit<InferInsertModel<T>, 'tenantId' | 'id'> & { id?: string }
export type Changes<T extends TenantTable> = Partial<Omit<Row<T>, 'tenantId' | 'id'>>

/** Returns the empty value of a column: NULL if allowed, else its default or a placeholder. */
function getEmptySql(column: { notNull: boolean; columnType: string; default: unknown }): string {
  if (!column.notNull) return 'NULL'
  if (column.columnType === 'SQLiteTextJson') return `'${JSON.stringify(column.default ?? {})}'`
  if (column.columnType === 'SQLiteText') return `'${ERASED_TEXT}'`
  throw new Error('a column that must have a value has no empty one: say what stands there instead')
}

function toErasable(table: SQLiteTable, { name, entity, columns }: TableMeta, person: AnyPerson): Erasable {
  const fates = getFates(person)
  const drizzled = getTableColumns(table)
  return {
    name,
    entity,
    person,
    columns: columns.map(({ key, sql }) => {
      const column = drizzled[key]
      const fate = fates[key]
      const empties = column !== undefined && fate !== undefined && fate.goes !== null && fate.as === null
      return { key, sql, empty: empties ? getEmptySql(column) : 'NULL' }
    }),
  }
}

/** Removes a test's table from those that erasure handles. */
export const forgetTable = (name: string): void => void people.delete(name)

/** Returns every table that declares its erasure, by name; the tables must be imported by then. */
export const tablesAboutPeople = (): readonly Erasable[] => [...people.values()]

/** Returns the facts of a tenant table; throws for any other table, so that nothing is unscoped. */
export function getTableMeta(table: TenantTable): TableMeta {
  const meta = metas.get(table)
  if (!meta) throw new Error('not a tenant table')
  return meta
}

/** Returns the currency of an amount; undefined if the column has no money, or the row no currency. */
export function findCurrency(meta: TableMeta, key: string, row: Readonly<Record<string, unknown>>): string | undefined {
  const column = meta.byKey.get(key)?.currency
  const currency = column ? row[column] : undefined
  return typeof currency === 'string' && isCurrency(currency) ? currency : undefined
}

/** Converts SQLite's values to the row's types, in place. */
export function decodeRow(meta: TableMeta, row: Record<string, unknown>): void {
  for (const column of meta.decoders) {
    const value = row[column.key]
    if (value !== null && column.decode) row[column.key] = column.decode(value as never)
  }
}

/** Converts one value for the driver. */
export function encodeValue(column: Column, value: unknown): SqlValue {
  if (value === undefined || value === null) return null
  return column.encode ? column.encode(value) : (value as SqlValue)
}
