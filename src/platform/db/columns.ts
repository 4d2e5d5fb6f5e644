import { type TSchema, Type } from '@sinclair/typebox'
import { type SQLiteColumnBuilderBase as Builder, blob, customType, integer, text } from 'drizzle-orm/sqlite-core'
import { Amount, Currency, Id, Line, Metadata, Time, Version } from '../wire/fields.ts'
import { type Fate, fact, untold } from './erasure.ts'

const minorUnits = customType<{ data: bigint; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => {
    const minor = Number(value)
    if (!Number.isSafeInteger(minor)) throw new RangeError('amount outside ±(2^53−1) minor units')
    return minor
  },
  fromDriver: (value) => BigInt(value),
})

/** Gives a column another wire schema than that of its type. */
export const shownAs = <B extends Builder, S extends TSchema>(builder: B, wire: S): B & { wire: S } =>
  Object.assign(builder, { wire })

/** Gives a column a schema for bodies that is narrower than its wire form. */
export const takenAs = <B extends Builder, S extends TSchema>(builder: B, takes: S): B & { takes: S } =>
  Object.assign(builder, { takes })

/**
 * Amounts in minor units: bigint in code, INTEGER in SQLite (CHECKed within ±(2^53−1), so the driver's number is
 * exact).
 */
export const money = () => shownAs(minorUnits(), Amount)
/** A time in milliseconds UTC. */
export const time = () => Object.assign(shownAs(integer({ mode: 'number' }), Time), { isTime: true as const })
/** The id of a row. */
export const id = () => shownAs(text(), Id)
/** The currency of the row's amounts. */
export const currency = () => shownAs(text(), Currency)
/** A text with a description in the document. */
export const described = (description: string) => shownAs(text(), Type.String({ description }))
/** A text of one line. */
export const line = (maxLength?: number) => takenAs(text(), Line(maxLength))
/** A boolean, 0/1 in SQLite. */
export const flag = () => integer({ mode: 'boolean' })
/** JSON text, checked by json_valid in the schema. */
export const json = <T>() => text({ mode: 'json' }).$type<T>()
/** JSON of an object that answers show completely. */
export const freeForm = <T>() => shownAs(json<T>(), Type.Object({}, { additionalProperties: true }))
/** Data that the firm's programs store with a row. */
export const metadata = () => takenAs(freeForm<Record<string, unknown>>(), Metadata)
/** Bytes sealed by the secret box. */
export const sealed = () => blob({ mode: 'buffer' }).$type<Uint8Array>()

/** Where staff see a column: answers of the API, the list as a file, the SQL page. */
type Shown = 'hidden' | 'api' | 'api csv' | 'api sql' | 'api csv sql' | 'csv' | 'csv sql' | 'sql'
/** The bodies that take a column as it is. */
type Taken = 'create' | 'patch' | 'create patch'

/**
 * Declares a column completely: what erasing its client does with it, and so what clients read about it; where staff
 * see it; which bodies take it. Its wire form is that of its type.
 */
export function column<B extends Builder, F extends Fate, S extends Shown>(
  builder: B,
  fate: F,
  shown: S,
): B & { fate: F; shown: S }
export function column<B extends Builder, F extends Fate, S extends Shown, P extends Taken>(
  builder: B,
  fate: F,
  shown: S,
  taken: P,
): B & { fate: F; shown: S; taken: P }
export function column(builder: Builder, fate: Fate, shown: Shown, taken?: Taken) {
  return Object.assign(builder, { fate, shown }, taken && { taken })
}

/** The last columns of most tables. */
export const stamps = {
  version: column(shownAs(integer().notNull().default(1), Version), untold, 'api'),
  createdAt: column(time().notNull().default(0), fact, 'api csv sql'),
  updatedAt: column(time().notNull().default(0), untold, 'api sql'),
}

/** What a column may declare besides its type. */
export type Said = {
  readonly fate?: Fate
  readonly shown?: Shown
  readonly taken?: Taken
  readonly wire?: TSchema
  readonly takes?: TSchema
  readonly isTime?: true
}
