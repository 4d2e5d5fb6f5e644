import { join } from 'node:path'
import type { Platform } from '../platform/platform.ts'
import { type Connection, openReader } from '../platform/sqlite.ts'

/** What a request may note of itself even where it is refused: when a credential was used last. */
const NOTED: Readonly<Record<string, readonly string[]>> = {
  sessions: ['last_seen_at', 'expires_at'],
  api_keys: ['last_used_at'],
}
/** A failed sign-in is a fact worth its audit entry. */
const FAILED_LOGIN = `SELECT tenant_id || seq FROM audit WHERE action = 'auth.login_failed'`

function tablesOf(db: Connection): { name: string; sql: string }[] {
  return db
    .all<{ name: string; sql: string }>(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .filter(({ sql, name }) => !sql.startsWith('CREATE VIRTUAL') && !name.startsWith('sqlite_'))
}

function rowsOf(db: Connection, table: string): unknown[] {
  const columns = db
    .all<{ name: string; type: string }>('SELECT name, type FROM pragma_table_info(?)', [table])
    .filter(({ name }) => !NOTED[table]?.includes(name))
    .map(({ name, type }) => (type === 'BLOB' ? `hex("${name}")` : `"${name}"`))
  const where = table === 'audit' || table === 'audit_data' ? ` WHERE tenant_id || seq NOT IN (${FAILED_LOGIN})` : ''
  const statement = db.raw.prepare(`SELECT ${columns.join(', ')} FROM "${table}"${where}`)
  try {
    return statement.values()
  } finally {
    statement.finalize()
  }
}

const hashOf = (rows: unknown[]): string => `${rows.length} rows ${Bun.hash(JSON.stringify(rows))}`

/** A hash of every row of every table of a database, by table. */
export const digestOfTables = (db: Connection): Record<string, string> =>
  Object.fromEntries(tablesOf(db).map(({ name }) => [name, hashOf(rowsOf(db, name))]))

const remembered = new WeakMap<Platform, { version: unknown; digest: Record<string, string> }>()

/**
 * What the installation notes of itself, by itself: a drill that another test began may end at any moment, and the sums
 * over rows follow whatever a request may note.
 */
const OF_THE_BOX = new Set(['box_facts', 'table_seals'])

/** A hash of every row of every table, files included, by table: equal digests mean that nothing was changed. */
export function digestOf(platform: Platform): Record<string, string> {
  const { reader, config } = platform
  // SQLite's own word on whether anybody committed a change since: most refusals never come that far
  const version = Object.values(reader.get<object>('PRAGMA data_version') ?? {})[0]
  const last = remembered.get(platform)
  const read = last && last.version === version ? last.digest : digestOfTables(reader)
  const digest = Object.fromEntries(Object.entries(read).filter(([name]) => !OF_THE_BOX.has(name)))
  remembered.set(platform, { version, digest })
  const files = openReader(join(config.dataDir, 'files.db'))
  try {
    return {
      ...digest,
      ...Object.fromEntries(Object.entries(digestOfTables(files)).map(([name, hash]) => [`files.${name}`, hash])),
    }
  } finally {
    files.close()
  }
}
