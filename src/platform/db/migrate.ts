import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { sha256Hex } from '../secrets.ts'
import type { Connection } from './client.ts'
import { type Migration, migrations } from './migrations.ts'

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

/** When a database was made, milliseconds. */
export const bornAt = (connection: Connection): number =>
  connection.get<{ at: number }>('SELECT min(applied_at) AS at FROM schema_migrations')?.at ?? 0

/** How many migrations a database has had. */
export const schemaOf = (connection: Connection): number =>
  connection.get<{ n: number }>('SELECT count(*) AS n FROM schema_migrations')?.n ?? 0

type Applied = { version: number; name: string; checksum: string }

/**
 * Brings the schema up to this program's: each migration in one IMMEDIATE transaction together with its line in
 * the book. Before the first one of an upgrade the database is copied to `snapshots/`; a repeated try replaces
 * its own copy, so that a restart loop cannot fill the disk. Refuses a newer schema and a migration whose text
 * changed, unless that text is a known variant, which is mended first. `beforeUpgrade` comes before any of it, on an
 * existing database only. Returns the names applied.
 */
export function migrate(
  connection: Connection,
  options: {
    dataDir: string
    now: number
    log: Log
    list?: readonly Migration[]
    beforeUpgrade?: (() => void) | undefined
    /** False for a copy, which needs no copy of itself. */
    snapshot?: boolean
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
  const mends: { version: number; checksum: string; sql: string }[] = []
  for (const [index, row] of applied.entries()) {
    const known = list[index]
    const checksum = known && sha256Hex(known.sql)
    if (checksum === row.checksum && known?.name === row.name) continue
    const variant = known?.variants?.find((other) => other.checksum === row.checksum)
    if (checksum === undefined || !variant || known?.name !== row.name) {
      throw new Error(
        `Migration ${row.name} in the database is not the one in this program; the database comes from another build.`,
      )
    }
    mends.push({ version: row.version, checksum, sql: variant.mend })
  }
  const pending = list.slice(applied.length)
  const snapshot = (): void => {
    const directory = join(options.dataDir, 'snapshots')
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    const target = join(directory, `schema-${applied.length}-before-${list.length}.db`)
    // a half-written copy never takes the place of a whole one
    rmSync(`${target}.partial`, { force: true })
    connection.raw.run('VACUUM INTO ?', [`${target}.partial`])
    renameSync(`${target}.partial`, target)
    options.log.info({ target }, 'snapshot taken before the upgrade')
  }
  if (pending.length + mends.length > 0 && applied.length > 0) {
    options.beforeUpgrade?.()
    if (options.snapshot !== false) snapshot()
  }
  const within = (run: () => void): void => {
    connection.raw.run('BEGIN IMMEDIATE')
    try {
      run()
      connection.raw.run('COMMIT')
    } catch (error) {
      if (connection.raw.inTransaction) connection.raw.run('ROLLBACK')
      throw error
    }
  }
  for (const { version, checksum, sql } of mends)
    within(() => {
      connection.exec(sql)
      connection.raw.run('UPDATE schema_migrations SET checksum = ? WHERE version = ?', [checksum, version])
    })
  for (const [offset, { name, sql }] of pending.entries())
    within(() => {
      connection.exec(sql)
      connection.raw.run('INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?,?,?,?)', [
        applied.length + offset + 1,
        name,
        sha256Hex(sql),
        options.now,
      ])
    })
  return pending.map((migration) => migration.name)
}
