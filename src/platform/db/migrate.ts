import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { sha256Hex } from '../secrets.ts'
import type { Connection } from './client.ts'
import { migrations } from './migrations.ts'

/** The database was made by a newer program. */
export class NewerSchema extends Error {
  override name = 'NewerSchema'
}

const BOOK = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`

type Applied = { version: number; name: string; checksum: string }

/**
 * Brings the schema up to this program's: each migration in one IMMEDIATE transaction together with its line in
 * the book. Before the first one of an upgrade the database is copied to `snapshots/`; a repeated try replaces
 * its own copy, so that a restart loop cannot fill the disk. Refuses a newer schema and a migration whose text
 * changed. `beforeUpgrade` comes before either, on an existing database only. Returns the names applied.
 */
export function migrate(
  connection: Connection,
  options: {
    dataDir: string
    now: number
    log: Log
    list?: typeof migrations
    beforeUpgrade?: (() => void) | undefined
  },
): string[] {
  const list = options.list ?? migrations
  connection.raw.run(BOOK)
  const applied = connection.raw
    .prepare<Applied, []>('SELECT version, name, checksum FROM schema_migrations ORDER BY version')
    .all()
  if (applied.length > list.length) {
    throw new NewerSchema(
      `This database was last used by a newer Brokerbase (schema ${applied.length}, this program knows ${list.length}). Use that version or a later one.`,
    )
  }
  for (const [index, row] of applied.entries()) {
    const known = list[index]
    if (!known || known.name !== row.name || sha256Hex(known.sql) !== row.checksum) {
      throw new Error(
        `Migration ${row.name} in the database is not the one in this program; the database comes from another build.`,
      )
    }
  }
  const pending = list.slice(applied.length)
  if (pending.length > 0 && applied.length > 0) {
    options.beforeUpgrade?.()
    const directory = join(options.dataDir, 'snapshots')
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const target = join(directory, `schema-${applied.length}-before-${list.length}.db`)
    // a half-written copy never takes the place of a whole one
    rmSync(`${target}.partial`, { force: true })
    connection.raw.run('VACUUM INTO ?', [`${target}.partial`])
    renameSync(`${target}.partial`, target)
    options.log.info({ target }, 'snapshot taken before the upgrade')
  }
  for (const [offset, migration] of pending.entries()) {
    connection.raw.run('BEGIN IMMEDIATE')
    try {
      connection.exec(migration.sql)
      connection.raw.run('INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?,?,?,?)', [
        applied.length + offset + 1,
        migration.name,
        sha256Hex(migration.sql),
        options.now,
      ])
      connection.raw.run('COMMIT')
    } catch (error) {
      if (connection.raw.inTransaction) connection.raw.run('ROLLBACK')
      throw error
    }
  }
  return pending.map((migration) => migration.name)
}
