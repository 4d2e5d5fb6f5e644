import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from '@sinclair/typebox'
import { type Column as DrizzleColumn, getTableColumns } from 'drizzle-orm'
import type { SQLiteColumnBuilderBase as Builder } from 'drizzle-orm/sqlite-core'
import { toIso } from '../clock.ts'
import { formatAmount } from '../money.ts'
import { type Id, Nullable, OneOf } from '../wire/fields.ts'
import { getFates } from './erasure.ts'
import { type Column, type Declared, getTableMeta, holdsAmounts, type Row, type TenantTable } from './tenant-table.ts'

type DataOf<B extends Builder> = B['_'] extends { $type: infer T } ? T : B['_']['data']
type ValueOf<B extends Builder> = B extends { wire: infer S extends TSchema } ? Static<S> : DataOf<B>
type Present<B extends Builder> = B['_'] extends { notNull: true } ? ValueOf<B> : ValueOf<B> | null
type KeysOf<C, Said> = { [K in keyof C]: C[K] extends Said ? K : never }[keyof C] & string
type InApi<C> = KeysOf<C, { shown: `api${string}` }>
type InFile<C> = KeysOf<C, { shown: `${string}csv${string}` }>
type Made<C> = KeysOf<C, { taken: `create${string}` }>
type Patched<C> = KeysOf<C, { taken: `${string}patch` }>
type Columns = Record<string, Builder>
type Of<C extends Columns> = TenantTable & Declared<C>
/** Every row has an id; a table that redeclares it as hidden does not show it. */
type WithId<C, T> = C extends { id: { shown: 'hidden' } } ? object : { id: T }
type Wire<C extends Columns> = WithId<C, string> & { [K in InApi<C>]: Present<C[K]> }
type Fields<C extends Columns> = WithId<C, typeof Id> & { [K in InApi<C>]: TUnsafe<Present<C[K]>> }

/** Returns the schema of a column: its own, or that of its type. */
function valueSchema({ said }: Column, { columnType, enumValues = [] }: DrizzleColumn): TSchema {
  const [first, ...others] = enumValues
  const text = first === undefined ? Type.String() : OneOf([first, ...others])
  const byType = new Map<string, TSchema>([
    ['SQLiteText', text],
    ['SQLiteInteger', Type.Integer()],
    ['SQLiteBoolean', Type.Boolean()],
  ])
  const schema = said.wire ?? byType.get(columnType)
  if (!schema) throw new Error(`say by shownAs what ${columnType} is on the wire`)
  return schema
}

const listColumns = (table: TenantTable, shows: (column: Column) => boolean | undefined) => {
  const drizzled = getTableColumns(table)
  return getTableMeta(table).columns.flatMap((column) => {
    const own = drizzled[column.key]
    return own && shows(column) ? [{ ...column, own }] : []
  })
}

const inApi = ({ said }: Column) => said.shown?.startsWith('api')

/**
 * Returns the schemas of an answer's row, by its columns and in their order. Fields without a column, `more`, come
 * after the column `behind`.
 */
export function wireFields<C extends Columns, X extends Record<string, TSchema> = Record<never, TSchema>>(
  table: Of<C>,
  behind?: InApi<C>,
  more?: X,
): Fields<C> & X {
  const fields = listColumns(table, inApi).flatMap((column): [string, TSchema][] => {
    const schema = valueSchema(column, column.own)
    const field: [string, TSchema] = [column.key, column.own.notNull ? schema : Nullable(schema)]
    return column.key === behind ? [field, ...Object.entries(more ?? {})] : [field]
  })
  return Object.fromEntries(fields) as Fields<C> & X
}

/** Returns the JavaScript that writes a column of `row` in an answer. */
function buildExpression({ key, currency, said, own }: Column & { own: DrizzleColumn }): string {
  const value = `row.${key}`
  const amount = holdsAmounts(own) && `formatAmount(${value}, row.${currency})`
  const written = amount || (said.isTime && `toIso(${value})`) || value
  return own.notNull || written === value ? written : `${value} === null ? null : ${written}`
}

/** Returns the empty value that a client sees of a column of the firm's own. */
function hidden({ key, own }: Column & { own: DrizzleColumn }): string {
  if (!own.notNull) return 'null'
  if (own.columnType === 'SQLiteTextJson') return JSON.stringify(own.default)
  throw new Error(`${key} is the firm's own and always has a value: it cannot be in an answer that clients see`)
}

/**
 * Compiles a mapper once, at load, from the names of columns: an object literal is several times as fast as a loop over
 * columns, for lists of rows.
 */
function compile<C extends Columns>(
  table: Of<C>,
  expression: (column: Column & { own: DrizzleColumn }) => string,
): (row: Row<Of<C>>) => Wire<C> {
  const fields = listColumns(table, inApi).map((column) => `${column.key}: ${expression(column)}`)
  const make = new Function('toIso', 'formatAmount', 'isOwnNote', `return (row) => ({ ${fields.join(', ')} })`)
  return make(toIso, formatAmount, getTableMeta(table).isOwnNote)
}

export const wireMapper = <C extends Columns>(table: Of<C>) => compile(table, buildExpression)

/** Makes the wire form that the row's client sees: without the firm's own columns, and only with their own notes. */
export function ownMapper<C extends Columns>(table: Of<C>) {
  const { person, isOwnNote } = getTableMeta(table)
  const fates = person ? getFates(person) : {}
  return compile(table, (column) => {
    if (fates[column.key]?.ours) return hidden(column)
    const shown = buildExpression(column)
    return column.key === 'note' && isOwnNote ? `isOwnNote(row) ? ${shown} : null` : shown
  })
}

type NamesIn<M> = M[keyof M] extends infer N ? (N extends readonly string[] ? N[number] : never) : never

/** Returns the columns of a list as a file. Cells without a column of the table come after a given column. */
export function fileColumns<
  C extends Columns,
  const M extends { readonly [K in InFile<C>]?: readonly string[] } = object,
>(table: Of<C>, more?: M): ('id' | InFile<C> | NamesIn<M>)[] {
  const { name, fileOrder } = getTableMeta(table)
  const keys = listColumns(table, ({ said }) => said.shown?.includes('csv')).map(({ key }) => key)
  const first = fileOrder?.split(' ') ?? ['traderId', 'createdAt'].filter((key) => keys.includes(key))
  const wrong = first.find((key) => !keys.includes(key))
  if (wrong !== undefined) throw new Error(`${name}.${wrong} is not in the file that it stands first in`)
  // people read notes last
  const notes = keys.filter((key) => /note$/i.test(key))
  const sorted = new Set(['id', ...first, ...keys.filter((key) => !notes.includes(key)), ...notes])
  const behind: Readonly<Record<string, readonly string[] | undefined>> = more ?? {}
  return [...sorted].flatMap((key) => [key, ...(behind[key] ?? [])]) as ('id' | InFile<C> | NamesIn<M>)[]
}

type TakenOf<B extends Builder> = B extends { takes: infer S extends TSchema } ? Static<S> : ValueOf<B>
type Field<B extends Builder> = TUnsafe<B['_'] extends { notNull: true } ? TakenOf<B> : TakenOf<B> | null>
type IfRequired<B extends Builder, Yes, No> = B['_'] extends { hasDefault: true }
  ? No
  : B['_'] extends { notNull: true }
    ? Yes
    : No
type CreateFields<C extends Columns> = {
  [K in Made<C>]: IfRequired<C[K], Field<C[K]>, TOptional<Field<C[K]>>>
}
type PatchFields<C extends Columns> = { [K in Patched<C>]: TOptional<Field<C[K]>> }

const takenBy = (table: TenantTable, body: 'create' | 'patch') =>
  listColumns(table, ({ said }) => said.taken?.includes(body))
const bodyFields = <F>(table: TenantTable, body: 'create' | 'patch', isOptional: (column: DrizzleColumn) => boolean) =>
  Object.fromEntries(
    takenBy(table, body).map((column) => {
      const schema = column.said.takes ?? valueSchema(column, column.own)
      const field = column.own.notNull ? schema : Nullable(schema)
      return [column.key, isOptional(column.own) ? Type.Optional(field) : field]
    }),
  ) as F

/** Returns the schemas of a body that makes a row; columns that may be empty or have a default are optional. */
export const createFields = <C extends Columns>(table: Of<C>): CreateFields<C> =>
  bodyFields(table, 'create', ({ notNull, hasDefault }) => !notNull || hasDefault)

/** Returns the schemas of a body that changes a row; all are optional. */
export const patchFields = <C extends Columns>(table: Of<C>): PatchFields<C> => bodyFields(table, 'patch', () => true)

/** Returns the fields of a body that its columns take as they are. */
export function taken<C extends Columns, I extends object>(table: Of<C>, input: I): Pick<I, Made<C> & keyof I> {
  const keys = takenBy(table, 'create').map(({ key }) => key)
  return Object.fromEntries(Object.entries(input).filter(([key]) => keys.includes(key))) as Pick<I, Made<C> & keyof I>
}
