import type { SQLiteColumnBuilderBase } from 'drizzle-orm/sqlite-core'

type Columns = Record<string, SQLiteColumnBuilderBase>
/** The columns that declare their own fate. */
type Fated<C extends Columns> = { [K in keyof C]: C[K] extends { fate: Fate } ? K : never }[keyof C]
/** Those of these columns that are not facts. */
type FatedText<C extends Columns> = {
  [K in keyof C]: C[K] extends { fate: infer F } ? (F extends Fact ? never : K) : never
}[keyof C]

/**
 * What erasing a person does with one column of their rows. `personal` is removed, with every audit entry about such
 * rows. Free text (`words`) is removed from rows and from audit entries, and the entries stay. A null `goes` keeps the
 * column, for the reason `why`.
 */
export type Fate = ({ goes: 'personal' | 'words'; as: string | null } | { goes: null; why: string }) & {
  /** The firm's own: the person neither sees it nor gets it in the copy of their data. */
  ours?: true
  /** The person sees it, but it is of no use in the copy of their data. */
  untold?: true
}

/** What stands in place of a text that was erased where a column cannot be empty. */
export const ERASED_TEXT = '(erased)'

/** Identifies the person: it is removed. */
export const personal: Fate = { goes: 'personal', as: null }
/** Free text that may name a person: it is removed, and facts beside it stay. */
export const freeText: Fate = { goes: 'words', as: null }
/** Like `personal` for a column that cannot be empty: `sql` is the replacement. */
export const personalAs = (sql: string): Fate => ({ goes: 'personal', as: sql })
/** Like `freeText` for a column that must not become empty: text is replaced, and an empty value stays empty. */
export const markedFreeText: Fate = { goes: 'words', as: 'marked' }

/** It stays, for this reason. */
export const stays = (why: string): Fate => ({ goes: null, why })
/** Like `stays` for several columns. */
export const kept = <const K extends string>(why: string, ...columns: readonly K[]): { [Key in K]: Fate } =>
  Object.fromEntries(columns.map((column) => [column, { goes: null, why }])) as { [Key in K]: Fate }

/** Marks a fate as the firm's own: the copy of a person's data does not have it. */
export const ours = <F extends Fate>(fate: F): F & { ours: true } => ({ ...fate, ours: true })

/** Stays, and is no data about the client: it names a colleague who acted. */
export const colleague: Fate = ours(stays('names colleagues, not the client'))
/** Like `colleague` for several columns. */
export const colleagues = <const K extends string>(...columns: readonly K[]): { [Key in K]: Fate } =>
  Object.fromEntries(columns.map((column) => [column, colleague])) as { [Key in K]: Fate }

/** Stays, since it cannot identify a person: a number, a time, a flag or a word of a fixed list. */
type Fact = Fate & { isFact: true }
export const fact: Fact = { goes: null, why: 'says what was done, not who somebody is', isFact: true }
/** A fact that is of no use in the copy of a person's data: the owner of the row, its version. */
export const untold: Fact = { ...fact, untold: true }
/** A fact that the firm notes for itself. */
export const internal: Fact = ours(fact)

/**
 * Columns that can have data about a person: free text, JSON and bytes. Numbers, times, flags and words of a fixed list
 * usually cannot; in a person's own record (`Everything`) they can, so there each has to be named.
 */
type CanTell<C extends Columns> = {
  [K in keyof C & string]: string extends C[K]['_']['data'] ? K : C[K]['_']['data'] extends object ? K : never
}[keyof C & string]
type Everything<C extends Columns> = Exclude<keyof C & string, 'version' | 'createdAt' | 'updatedAt' | 'deletedAt'>

/** How the rows of a person are found: by a column, or by SQL with the firm as ?1 and the client as ?2. */
type Of<C extends Columns> = (keyof C & string) | 'id' | { sql: string }

/** The columns that are still to be classified; there are none if every column declares its fate. */
type Rest<K extends string> = [K] extends [never] ? { columns?: never } : { columns: { [Key in K]: Fate } }

/**
 * What erasing a person does with a table. A column that can have personal data and is not classified does not compile.
 */
export type Person<C extends Columns> =
  | ({ of: Of<C> } & Rest<Exclude<CanTell<C>, FatedText<C> | 'traderId'>>)
  /** The person's own record, in which numbers may be personal too. */
  | { of: Of<C>; own: { [K in Exclude<Everything<C>, Fated<C> | 'traderId'>]: Fate } }
  /** The whole row is removed. */
  | { of: Of<C>; row: 'goes' }
  /** SQL erases the rows, since emptying columns is not enough. */
  | { of: Of<C>; by: string; audit: 'goes' | 'stays' }

/** `Person` without the types of the columns, for code that reads it. */
export type AnyPerson = {
  of: string | { sql: string }
  columns?: Readonly<Record<string, Fate>>
  own?: Readonly<Record<string, Fate>>
  row?: 'goes'
  by?: string
  audit?: 'goes' | 'stays'
}

/** What the statements need to know of a table. */
export type Erasable = {
  name: string
  entity: string
  columns: readonly { key: string; sql: string; empty: string }[]
  person: AnyPerson
}

/** Returns every fate by its column, however it is declared. */
export const getFates = ({ columns, own }: AnyPerson): Readonly<Record<string, Fate>> => own ?? columns ?? {}

const buildCondition = ({ columns, person: { of } }: Erasable): string => {
  if (typeof of !== 'string') return of.sql
  return `${columns.find(({ key }) => key === of)?.sql ?? of} = ?2`
}

/** Returns the statement that erases a person (?2) of a firm (?1) from one table; null if nothing is removed. */
export function eraseStatement(table: Erasable): string | null {
  const { person, name, columns } = table
  if (person.by !== undefined) return person.by
  const where = `WHERE tenant_id = ?1 AND ${buildCondition(table)}`
  if (person.row === 'goes') return `DELETE FROM ${name} ${where}`
  const sets = Object.entries(getFates(person)).flatMap(([key, fate]) => {
    const column = columns.find((candidate) => candidate.key === key)
    if (fate.goes === null || !column) return []
    const marked = `iif(${column.sql} IS NULL, NULL, '${ERASED_TEXT}')`
    return [`${column.sql} = ${fate.as === null ? column.empty : fate.as === 'marked' ? marked : fate.as}`]
  })
  return sets.length === 0 ? null : `UPDATE ${name} SET ${sets.join(', ')} ${where}`
}

/** Returns whether audit entries about rows of a table are removed completely. */
export const auditGoes = ({ person }: Erasable): boolean =>
  person.row === 'goes' ||
  person.audit === 'goes' ||
  Object.values(getFates(person)).some(({ goes }) => goes === 'personal')

/** Returns the fields whose text is removed from audit entries that stay. */
export const listFreeTextKeys = ({ person }: Erasable): string[] =>
  Object.entries(getFates(person)).flatMap(([key, { goes }]) => (goes === 'words' ? [key] : []))
