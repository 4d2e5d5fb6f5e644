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

/**
 * What the installation notes of itself, by itself: a drill that another test began may end at any moment, and the sums
 * over rows follow whatever a request may note.
 */
const OF_THE_BOX = new Set(['box_facts', 'table_seals'])

type Watched = { before: Connection; now: Connection }
const watched = new WeakMap<Platform, readonly Watched[]>()

/** Connections to both databases: one that goes on seeing the rows of a moment, and one that sees those of now. */
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

/** SQLite's own word on whether anybody committed a change since it was asked last. */
const versionOf = (db: Connection): unknown => db.get<{ data_version: number }>('PRAGMA data_version')?.data_version

/**
 * Remembers every row of now, files included, until it is called again; what it answers names the tables whose rows are
 * others since then.
 */
export function watchRows(platform: Platform): () => string[] {
  const databases = watch(platform).map(({ before, now }) => {
    if (before.raw.inTransaction) before.raw.run('COMMIT')
    // a transaction sees what was there at its first read, however much is committed meanwhile
    before.raw.run('BEGIN')
    before.get('SELECT count(*) FROM sqlite_schema')
    return { before, now, version: versionOf(now) }
  })
  return () =>
    databases.flatMap(({ before, now, version }) => {
      // most refusals never come as far as a commit
      if (versionOf(now) === version) return []
      const [then, since] = [digestOfTables(before), digestOfTables(now)]
      return Object.keys({ ...then, ...since }).filter((name) => !OF_THE_BOX.has(name) && then[name] !== since[name])
    })
}
