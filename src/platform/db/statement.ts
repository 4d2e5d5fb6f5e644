import { type Column, type Name, type SQL, sql } from 'drizzle-orm'
import { CasingCache } from 'drizzle-orm/casing'

const casing = new CasingCache('snake_case')
const rendering: Parameters<SQL['toQuery']>[0] = {
  casing,
  // unquoted, since SQLite reads an unknown name in double quotes as text
  escapeName: (name) => name,
  escapeParam: () => {
    throw new Error('a statement is made once, at load: values come as parameters, ?1, ?2 …')
  },
  escapeString: (text) => `'${text.replaceAll("'", "''")}'`,
}

const rendered = new Set<string>()

/**
 * Returns the text of SQL over columns: ``statement(sql`… ${users.email} = ?2`)``. An unknown column does not compile.
 * It is rendered once, where it is declared, so requests do not pay for it; parameters are `?1`, `?2` … in the text.
 */
export function statement(query: SQL): string {
  const text = query.toQuery(rendering).sql
  rendered.add(text)
  return text
}

/** Returns every declared statement, for the contract test of their tenants. */
export const statements = (): ReadonlySet<string> => rendered

/** Returns the SQL name of a column: `createdAt` is `created_at`. */
export const getColumnName = (column: Column): string => casing.getColumnCasing(column)

/** Returns a column without its table, as for INSERT and SET. */
export const bare = (column: Column): Name => sql.identifier(getColumnName(column))

/** Returns the list of a SELECT, each under its key: `{ id: users.id }` is `users.id AS id`. */
export const listed = (columns: Readonly<Record<string, Column | SQL>>): SQL =>
  sql.join(
    Object.entries(columns).map(([key, column]) => sql`${column} AS ${sql.raw(key)}`),
    sql.raw(', '),
  )
