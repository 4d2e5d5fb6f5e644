import { sha256Hex } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'
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

type Applied = { name: string; checksum: string }

/** What a database lacks: it had `from` migrations, and `pending` are new. */
export type Lacking = { from: number; to: number; pending: readonly Migration[] }

/** What a database lacks of a list of migrations; changes nothing. Refuses a newer schema, and a text that changed. */
export function lackingOf(connection: Connection, list: readonly Migration[] = migrations): Lacking {
  const hasBook = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`) !== undefined
  const applied = hasBook
    ? connection.all<Applied>('SELECT name, checksum FROM schema_migrations ORDER BY version')
    : []
  // the beginning first: a database of another history is not told to be a newer one
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

/** Whether a database with data in it would be changed: such a change is rehearsed first. */
export const isUpgrade = ({ from, pending }: Lacking): boolean => from > 0 && pending.length > 0

/**
 * Brings the schema up to a list of migrations, all steps in one IMMEDIATE transaction with their lines in the book:
 * one that fails leaves everything as it was. `atEnd` runs in that transaction, after the last step. Refuses what
 * `lackingOf` refuses. Returns the names applied.
 */
export function migrate(
  connection: Connection,
  { now, list = migrations, atEnd }: { now: number; list?: readonly Migration[]; atEnd?: () => void },
): string[] {
  const { from, pending } = lackingOf(connection, list)
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
