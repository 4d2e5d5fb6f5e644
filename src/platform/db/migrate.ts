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

type Applied = { version: number; name: string; checksum: string }

/** What a database lacks. It had `from` migrations, `mends` bring other texts of them in line; `pending` are new. */
export type Lacking = {
  from: number
  to: number
  mends: readonly { version: number; checksum: string; sql: string }[]
  pending: readonly Migration[]
}

/**
 * What a database lacks of a list of migrations; changes nothing. Refuses a newer schema, and a migration whose text
 * changed, unless that text is a known variant.
 */
export function lackingOf(connection: Connection, list: readonly Migration[] = migrations): Lacking {
  const hasBook = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`) !== undefined
  const applied = hasBook
    ? connection.all<Applied>('SELECT version, name, checksum FROM schema_migrations ORDER BY version')
    : []
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
  return { from: applied.length, to: list.length, mends, pending: list.slice(applied.length) }
}

/** Whether a database with data in it would be changed: such a change is rehearsed first. */
export const isUpgrade = ({ from, mends, pending }: Lacking): boolean => from > 0 && mends.length + pending.length > 0

/**
 * Brings the schema up to a list of migrations, all steps in one IMMEDIATE transaction with their lines in the book:
 * one that fails leaves everything as it was. `atEnd` runs in that transaction, after the last step. Refuses what
 * `lackingOf` refuses. Returns the names applied.
 */
export function migrate(
  connection: Connection,
  { now, list = migrations, atEnd }: { now: number; list?: readonly Migration[]; atEnd?: () => void },
): string[] {
  const { from, mends, pending } = lackingOf(connection, list)
  if (mends.length + pending.length === 0) return []
  connection.raw.run('BEGIN IMMEDIATE')
  try {
    connection.raw.run(BOOK)
    for (const { version, checksum, sql } of mends) {
      connection.exec(sql)
      connection.raw.run('UPDATE schema_migrations SET checksum = ? WHERE version = ?', [checksum, version])
    }
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
