import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { say } from '../../../words/say.ts'
import type { Scope } from '../../db/reader-scope.ts'
import { statement } from '../../db/statement.ts'
import { invalid } from '../../problem.ts'
import type { SqlValue } from '../../sqlite.ts'
import { Colleagues, NOBODY, SeveralOf, splitValues } from './comma-filters.ts'

/** A named query parameter of a list: its wire schema and its predicate, with one `?` for each parameter. */
export type Filter<S extends TSchema = TSchema> = {
  schema: S
  sql: string
  /** Returns the predicate for several values, which are one parameter, a JSON list. */
  severalSql?: (text: string) => string
  params: (value: never, scope: Scope) => SqlValue[]
  /**
   * An integer column that rises with creation. A list with this filter is ordered by it, since sorting all matches of
   * a search would cost more than finding them.
   */
  orderBy?: string
  /** What a search gathers before other filters narrow its rows. */
  gathers?: readonly Gathering[]
}

/**
 * A part of a search that is gathered by itself, with at most `most` rows, so that two letters do not gather a whole
 * firm. If it has that many rows, the list may have rows that the search does not find.
 */
export type Gathering = { sql: string; params: (value: string, scope: Scope) => SqlValue[]; most: number }

/**
 * A filter by one predicate over columns, with a `?` for each parameter; `params` turns the wire value into the
 * parameters. A column that does not exist does not compile.
 */
export const filter = <S extends TSchema>(
  schema: S,
  predicate: SQL,
  params?: (value: Static<S>, scope: Scope) => SqlValue[],
  orderBy?: string,
): Filter<S> => ({
  schema,
  sql: statement(predicate),
  ...(orderBy === undefined ? {} : { orderBy }),
  params: params ?? ((value: Static<S>) => [value as SqlValue]),
})

/**
 * A filter for a column that equals the value. If the column has its own list of words, the value may be several of
 * them, separated by commas; otherwise `schema` defines the allowed values.
 */
export function equals<const V extends readonly [string, ...string[]]>(
  column: SQLiteColumn & { enumValues: V },
): Filter<ReturnType<typeof SeveralOf<V>>>
export function equals<S extends TSchema>(
  column: SQLiteColumn,
  schema: S,
  toValue?: (value: Static<S>) => SqlValue,
): Filter<S>
export function equals(
  column: SQLiteColumn,
  schema?: TSchema,
  toValue: (value: never) => SqlValue = (value) => value as SqlValue,
): Filter {
  const [first, ...rest] = column.enumValues ?? []
  if (schema === undefined && first === undefined)
    throw new Error(`${column.name} has no words of its own: give a schema`)
  if (schema === undefined) return equalsAny(column, SeveralOf([first ?? '', ...rest]))
  return {
    schema,
    sql: statement(sql`${column} = ?`),
    params: (value) => [toValue(value)],
  }
}

/**
 * A filter for a column that equals one of the values in a comma-separated list. One value makes the same statement as
 * `equals`, so that it costs no more and keeps the index's order.
 */
export const equalsAny = <S extends TSchema>(column: SQLiteColumn, schema: S): Filter<S> => {
  const several = statement(matchAny(column))
  return {
    schema,
    sql: statement(sql`${column} = ?`),
    severalSql: () => several,
    params: (text: string) => [text.includes(',') ? JSON.stringify(splitValues(text)) : text],
  }
}

const matchAny = (column: SQLiteColumn): SQL => sql`${column} IN (SELECT value FROM json_each(?))`

/** A filter for the colleague whom a column names, or several of them; `none` finds the rows that name nobody. */
export const assignedTo = (column: SQLiteColumn): Filter<typeof Colleagues> => {
  const several = statement(matchAny(column))
  const severalOrNone = statement(sql`(${column} IS NULL OR ${matchAny(column)})`)
  const holdsNone = (text: string): boolean => splitValues(text).includes(NOBODY)
  return {
    schema: Colleagues,
    // IS finds NULL by the same index, in the same order
    sql: statement(sql`${column} IS ?`),
    severalSql: (text) => (holdsNone(text) ? severalOrNone : several),
    params: (text: string) => [text.includes(',') ? JSON.stringify(splitValues(text)) : text === NOBODY ? null : text],
  }
}

/** Some proxies do not accept a longer address. */
const LONGEST_IDS = 8000

/** A filter by up to `most` ids, such as those of the rows of another list. */
export const anyId = (column: SQLiteColumn, most: number, of: string) =>
  filter(
    Type.String({
      pattern: `^[^,]{1,64}(,[^,]{1,64}){0,${most - 1}}$`,
      maxLength: Math.min(most * 65 - 1, LONGEST_IDS),
      description: `up to ${most} ${of}, comma-separated`,
    }),
    sql`${column} IN (SELECT value FROM json_each(?))`,
    (text) => [JSON.stringify(splitValues(text))],
  )

/** Returns a time parameter in milliseconds; an invalid date is a 422 that names the parameter. */
export const parseTime = (name: string, text: string): number => {
  const ms = Date.parse(text)
  if (Number.isNaN(ms)) throw invalid(`query.${name}`, 'format', say('problems.field.time_format'))
  return ms
}

/** The schema of a parameter that is a moment. */
export const TimeParam = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 40, description: `${description} (ISO 8601)` })

/** A filter that bounds a time of the row: `predicate` compares its column with the requested time. */
export const timeFilter = (name: string, predicate: SQL, description: string) =>
  filter(TimeParam(description), predicate, (text) => [parseTime(name, text)])

/** The parameters of a predicate whose one `?` is the tenant. */
export const byTenant = ({ tenantId }: Scope): SqlValue[] => [tenantId]

/** A filter that keeps only the rows of which `predicate` is true. */
export const flagFilter = (predicate: SQL, description: string, params: (scope: Scope) => SqlValue[] = () => []) =>
  filter(Type.Literal('true', { description }), predicate, (_, scope) => params(scope))
