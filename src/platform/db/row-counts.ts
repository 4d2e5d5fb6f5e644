import { createHash } from 'node:crypto'
import type { Connection } from '../sqlite.ts'

// a virtual table has “shadow” tables, whose rows SQLite manages like its own
const TABLES = `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
  AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`
const ENTRIES = 'SELECT tenant_id, id, account, currency, amount FROM ledger_entries ORDER BY tenant_id, id'

/** Returns how many rows each table of a database has, whatever its schema. It reads them all. */
export const countRows = (connection: Connection): Map<string, number> =>
  new Map(
    connection
      .all<{ name: string }>(TABLES)
      .map(({ name }) => [name, connection.get<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`)?.n ?? 0]),
  )

/** Returns a digest of every ledger entry, in any schema that has them: equal if nothing was changed. */
export function ledgerDigest(connection: Connection): string {
  if (connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'ledger_entries'`) === undefined) return ''
  const hash = createHash('sha256')
  const statement = connection.raw.prepare<Record<string, string | number>, []>(ENTRIES)
  try {
    for (const entry of statement.iterate()) hash.update(`${Object.values(entry).join('\n')}\n\n`)
  } finally {
    statement.finalize()
  }
  return hash.digest('hex')
}
