import { type Column, type Name, type SQL, sql } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'

const casing = new CasingCache('snake_case')
const rendering: Parameters<SQL['toQuery']>[0] = {
  casing,
  // Unquoted: SQLite takes a name in double quotes that no column has for a text.
  escapeName: (name) => name,
  escapeParam: () => {
    throw new Error('a statement is made once, at load: values come as parameters, ?1, ?2 …')
  },
  escapeString: (text) => `'${text.replaceAll("'", "''")}'`,
}

const rendered = new Set<string>()

/**
 * The text of SQL over columns: ``statement(sql`… ${users.email} = ?2`)``. One that is not there does not compile.
 * It is rendered once, where it is declared, so that no request pays; what a run brings is `?1`, `?2` … in the text.
 */
export function statement(query: SQL): string {
  const text = query.toQuery(rendering).sql
  rendered.add(text)
  return text
}

/** Every statement that was declared so far, for the contract test of their tenants. */
export const statements = (): ReadonlySet<string> => rendered

/** What SQL calls a column: `createdAt` is `created_at`. */
export const nameOf = (column: Column): string => casing.getColumnCasing(column)

/** A column without its table, as INSERT and SET want it. */
export const bare = (column: Column): Name => sql.identifier(nameOf(column))

/** What a SELECT lists, each under its key: `{ id: users.id }` is `users.id AS id`. */
export const listed = (columns: Readonly<Record<string, Column | SQL>>): SQL =>
  sql.join(
    Object.entries(columns).map(([key, column]) => sql`${column} AS ${sql.raw(key)}`),
    sql.raw(', '),
  )
