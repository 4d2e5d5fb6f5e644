import type { SQLiteColumnBuilderBase } from 'drizzle-orm/sqlite-core'

type Columns = Record<string, SQLiteColumnBuilderBase>
/** Columns that say by themselves what becomes of them. */
type Fated<C extends Columns> = { [K in keyof C]: C[K] extends { fate: Fate } ? K : never }[keyof C]
/** The same, but for those that say that they tell nothing. */
type FatedText<C extends Columns> = {
  [K in keyof C]: C[K] extends { fate: infer F } ? (F extends Fact ? never : K) : never
}[keyof C]

/**
 * What becomes of one column when the person of its row is erased. `personal` goes,
 * with every audit entry about such rows; `words` go, with the audit entries that
 * hold them, while what was done stays in the audit; `kept` stays, and says why.
 */
export type Fate = ({ goes: 'personal' | 'words'; as: string | null } | { goes: null; why: string }) & {
  /** The firm's own: the person neither sees it nor is told of it in the copy of their data. */
  ours?: true
  /** The person sees it, and it is of no interest in the copy of their data. */
  untold?: true
}

/** Tells who somebody is: it goes. */
export const personal: Fate = { goes: 'personal', as: null }
/** Free words that may name somebody: they go, and a fact beside them stays. */
export const words: Fate = { goes: 'words', as: null }
/** As `personal`, where the column cannot be empty: `sql` is what stands there instead. */
export const personalAs = (sql: string): Fate => ({ goes: 'personal', as: sql })
/**
 * As `words`, where an empty column would say something else: what was there is replaced, what was not stays absent.
 */
export const markedWords: Fate = { goes: 'words', as: 'marked' }

/** It stays, and says why. */
export const stays = (why: string): Fate => ({ goes: null, why })
/** As `stays`, of several columns. */
export const kept = <const K extends string>(why: string, ...columns: readonly K[]): { [Key in K]: Fate } =>
  Object.fromEntries(columns.map((column) => [column, { goes: null, why }])) as { [Key in K]: Fate }

/** As `fate`, of what the firm notes for itself: a person who asks for their data is not told. */
export const ours = <F extends Fate>(fate: F): F & { ours: true } => ({ ...fate, ours: true })

/** Stays and tells a person nothing of themselves: it names who of the staff did something. */
export const colleague: Fate = ours(stays('names colleagues, not the client'))
/** As `colleague`, of several columns. */
export const colleagues = <const K extends string>(...columns: readonly K[]): { [Key in K]: Fate } =>
  Object.fromEntries(columns.map((column) => [column, colleague])) as { [Key in K]: Fate }

/** Stays, since it can tell nobody who somebody is: a number, a time, a flag or a word of a fixed list. */
type Fact = Fate & { isFact: true }
export const fact: Fact = { goes: null, why: 'says what was done, not who somebody is', isFact: true }
/** As `fact`, of what says nothing in the copy of somebody's data: whose row it is, its version. */
export const untold: Fact = { ...fact, untold: true }
/** As `fact`, of what the firm notes for itself. */
export const internal: Fact = ours(fact)

/**
 * Columns that can hold something about a person: free text, JSON and bytes. Numbers,
 * times, flags and words of a fixed list say what was done, not who somebody is; in a
 * person's own record (`Everything`) they can, so there each has to be named.
 */
type CanTell<C extends Columns> = {
  [K in keyof C & string]: string extends C[K]['_']['data'] ? K : C[K]['_']['data'] extends object ? K : never
}[keyof C & string]
type Everything<C extends Columns> = Exclude<keyof C & string, 'version' | 'createdAt' | 'updatedAt' | 'deletedAt'>

/**
 * How the rows of a table that are about a person are found: by
 * a column, or by SQL with the firm as ?1 and the trader as ?2.
 */
type Of<C extends Columns> = (keyof C & string) | 'id' | { sql: string }

/** What is left to say of columns: nothing, where each says it where it is declared. */
type Rest<K extends string> = [K] extends [never] ? { columns?: never } : { columns: { [Key in K]: Fate } }

/**
 * What erasing a person does with a table. A column that can
 * tell something and says nothing of it, there or here, does not compile.
 */
export type Person<C extends Columns> =
  | ({ of: Of<C> } & Rest<Exclude<CanTell<C>, FatedText<C> | 'traderId'>>)
  /** The person's own record, where numbers tell something too. */
  | { of: Of<C>; own: { [K in Exclude<Everything<C>, Fated<C> | 'traderId'>]: Fate } }
  /** The whole row goes. */
  | { of: Of<C>; row: 'goes' }
  /** What erasing means for it is told by SQL, since it is more than emptying columns. */
  | { of: Of<C>; by: string; audit: 'goes' | 'stays' }

/** The same without the types of the columns, for those who only read it. */
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

/** Every fate by its column, whichever way it is declared. */
export const fatesOf = ({ columns, own }: AnyPerson): Readonly<Record<string, Fate>> => own ?? columns ?? {}

const rowsOf = ({ columns, person: { of } }: Erasable): string => {
  if (typeof of !== 'string') return of.sql
  return `${columns.find(({ key }) => key === of)?.sql ?? of} = ?2`
}

/** The statement that erases a person (?2) of a firm (?1) from one table; null where nothing of it goes. */
export function eraseStatement(table: Erasable): string | null {
  const { person, name, columns } = table
  if (person.by !== undefined) return person.by
  const where = `WHERE tenant_id = ?1 AND ${rowsOf(table)}`
  if (person.row === 'goes') return `DELETE FROM ${name} ${where}`
  const sets = Object.entries(fatesOf(person)).flatMap(([key, fate]) => {
    const column = columns.find((candidate) => candidate.key === key)
    if (fate.goes === null || !column) return []
    const marked = `iif(${column.sql} IS NULL, NULL, '(erased)')`
    return [`${column.sql} = ${fate.as === null ? column.empty : fate.as === 'marked' ? marked : fate.as}`]
  })
  return sets.length === 0 ? null : `UPDATE ${name} SET ${sets.join(', ')} ${where}`
}

/** Whether the audit entries about rows of a table go as a whole. */
export const auditGoes = ({ person }: Erasable): boolean =>
  person.row === 'goes' ||
  person.audit === 'goes' ||
  Object.values(fatesOf(person)).some(({ goes }) => goes === 'personal')

/** Names of the fields whose words go out of audit entries that stay otherwise. */
export const wordKeysOf = ({ person }: Erasable): string[] =>
  Object.entries(fatesOf(person)).flatMap(([key, { goes }]) => (goes === 'words' ? [key] : []))
