import { join } from 'node:path'
import type { Platform } from '../platform/platform.ts'
import { type Connection, openReader } from '../platform/sqlite.ts'

/**
 * A refused request may still change these columns: they note that a session or a key was used, and extend the session.
 */
const NOTED: Readonly<Record<string, readonly string[]>> = {
  sessions: ['last_seen_at', 'expires_at'],
  api_keys: ['last_used_at'],
}
/** A failed sign-in is recorded in the audit, although it is refused. */
const FAILED_LOGIN = `SELECT tenant_id || seq FROM audit WHERE action = 'auth.login_failed'`

function listTables(db: Connection): { name: string; sql: string }[] {
  return db
    .all<{ name: string; sql: string }>(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .filter(({ sql, name }) => !sql.startsWith('CREATE VIRTUAL') && !name.startsWith('sqlite_'))
}

function readRows(db: Connection, table: string): unknown[] {
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

const hashRows = (rows: unknown[]): string => `${rows.length} rows ${Bun.hash(JSON.stringify(rows))}`

/** Returns a hash of the rows of each table of a database. */
export const hashTables = (db: Connection): Record<string, string> =>
  Object.fromEntries(listTables(db).map(({ name }) => [name, hashRows(readRows(db, name))]))

/**
 * The installation itself changes these tables at any moment: a drill that another test began may end, and the seals
 * follow every row that a request may change.
 */
const OF_THE_BOX = new Set(['box_facts', 'table_seals'])

type Watched = { before: Connection; now: Connection }
const watched = new WeakMap<Platform, readonly Watched[]>()

/** Opens two connections to each database: one for the rows of a past moment, and one for the current rows. */
function watch(platform: Platform): readonly Watched[] {
  const known = watched.get(platform)
  if (known) return known
  const made = ['brokerbase.db', 'files.db'].map((name) => {
    const path = join(platform.config.dataDir, name)
    return { before: openReader(path), now: openReader(path) }
  })
  watched.set(platform, made)
  return made
}

/** Returns SQLite's data version, which changes with every commit of another connection. */
const readDataVersion = (db: Connection): unknown =>
  db.get<{ data_version: number }>('PRAGMA data_version')?.data_version

/** Remembers all current rows, files included. The returned function names the tables that have changed since then. */
export function watchRows(platform: Platform): () => string[] {
  const databases = watch(platform).map(({ before, now }) => {
    if (before.raw.inTransaction) before.raw.run('COMMIT')
    // a transaction keeps seeing what its first read saw, whatever is committed meanwhile
    before.raw.run('BEGIN')
    before.get('SELECT count(*) FROM sqlite_schema')
    return { before, now, version: readDataVersion(now) }
  })
  return () =>
    databases.flatMap(({ before, now, version }) => {
      // most refusals commit nothing
      if (readDataVersion(now) === version) return []
      const [then, since] = [hashTables(before), hashTables(now)]
      return Object.keys({ ...then, ...since }).filter((name) => !OF_THE_BOX.has(name) && then[name] !== since[name])
    })
}
