import { sha256Hex } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'
import { type Migration, migrations } from './migrations.ts'

/** Refuses a database of a newer program. */
export class NewerSchema extends Error {
  override name = 'NewerSchema'
}

const BOOK = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at INTEGER NOT NULL
) STRICT`

/** Returns when a database was made, in milliseconds. */
export const bornAt = (connection: Connection): number =>
  connection.get<{ at: number }>('SELECT min(applied_at) AS at FROM schema_migrations')?.at ?? 0

/** Returns how many migrations a database has had. */
export const countMigrations = (connection: Connection): number =>
  connection.get<{ n: number }>('SELECT count(*) AS n FROM schema_migrations')?.n ?? 0

type Applied = { name: string; checksum: string }

/** What a database lacks: it had `from` migrations, and `pending` are new. */
export type Lacking = { from: number; to: number; pending: readonly Migration[] }

/**
 * Returns which migrations of a list a database lacks. Refuses a newer schema, and a migration whose text was changed.
 */
export function findLacking(connection: Connection, list: readonly Migration[] = migrations): Lacking {
  const hasBook = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`) !== undefined
  const applied = hasBook
    ? connection.all<Applied>('SELECT name, checksum FROM schema_migrations ORDER BY version')
    : []
  // compares the applied migrations first, so that a database of another history is not reported as newer
  for (const [index, known] of list.slice(0, applied.length).entries()) {
    const had = applied[index]
    if (known.name !== had?.name || sha256Hex(known.sql) !== had.checksum)
      throw new Error(
        `Migration ${had?.name} in the database is not the one in this program; the database comes from another build.`,
      )
  }
  if (applied.length > list.length) {
    throw new NewerSchema(
      `This database was last used by a newer Brokerbase (schema ${applied.length}, this program knows ${list.length}). Use that version or a later one.`,
    )
  }
  return { from: applied.length, to: list.length, pending: list.slice(applied.length) }
}

/** Returns whether a database with data would be changed: such a change is rehearsed first. */
export const isUpgrade = ({ from, pending }: Lacking): boolean => from > 0 && pending.length > 0

/**
 * Migrates the schema to a list of migrations, all steps in one IMMEDIATE transaction with their records, so that a
 * failure changes nothing. `atEnd` runs in that transaction, after the last step. Refuses what `findLacking` refuses.
 * Returns the applied names.
 */
export function migrate(
  connection: Connection,
  { now, list = migrations, atEnd }: { now: number; list?: readonly Migration[]; atEnd?: () => void },
): string[] {
  const { from, pending } = findLacking(connection, list)
  if (pending.length === 0) return []
  connection.raw.run('BEGIN IMMEDIATE')
  try {
    connection.raw.run(BOOK)
    for (const [offset, { name, sql }] of pending.entries()) {
      connection.exec(sql)
      connection.raw.run('INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?,?,?,?)', [
        from + offset + 1,
        name,
        sha256Hex(sql),
        now,
      ])
    }
    atEnd?.()
    connection.raw.run('COMMIT')
  } catch (error) {
    if (connection.raw.inTransaction) connection.raw.run('ROLLBACK')
    throw error
  }
  return pending.map((migration) => migration.name)
}
