import type { MasterBox } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'
import { count, type Sums, WORDS } from './digests.ts'
import { quoted, type SealedTable, sealedTables } from './sealed-tables.ts'

const CONTEXT = 'table_seals'
const READ = 'SELECT sealed FROM table_seals WHERE id = 1 AND (SELECT count(*) FROM table_seals) = 1'
const WRITE = 'INSERT INTO table_seals (id, sealed) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET sealed = ?1'

/** The number of times that a seal was renewed, and the sum of each table in the order of their names. */
export type Seal = { renewed: number; sums: Sums }

/** The bytes of `renewed`, which comes before the sums. */
const HEAD = 8

/** Returns the key of the digests of rows. */
export const deriveRowKey = (secrets: MasterBox): Uint8Array => secrets.digestKey('rows')

/** Returns the encrypted seal of a database; undefined if it has none, or the table was removed. */
export function findSeal(connection: Connection): Uint8Array | undefined {
  const hasTable = connection.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'table_seals'`)
  return hasTable === undefined ? undefined : connection.get<{ sealed: Uint8Array }>(READ)?.sealed
}

/** Returns the seal of a database; undefined if it has none, and null if it is not of this key. */
export function readSeal(connection: Connection, secrets: MasterBox): Seal | null | undefined {
  const sealed = findSeal(connection)
  return sealed && openSeal(sealed, secrets)
}

/** Decrypts a seal; null if it is not of this key. */
export function openSeal(sealed: Uint8Array, secrets: MasterBox): Seal | null {
  try {
    const bytes = secrets.open(sealed, CONTEXT)
    const words = new Uint32Array(bytes.slice().buffer)
    return { renewed: Number(new BigUint64Array(words.buffer, 0, 1)[0]), sums: words.subarray(HEAD / 4) }
  } catch {
    return null
  }
}

/** Replaces the seal of a database, in the transaction that it seals. Returns the encrypted seal. */
export function writeSeal(connection: Connection, secrets: MasterBox, { renewed, sums }: Seal): Uint8Array {
  const words = new Uint32Array(HEAD / 4 + sums.length)
  new BigUint64Array(words.buffer, 0, 1)[0] = BigInt(renewed)
  words.set(sums, HEAD / 4)
  const sealed = secrets.seal(new Uint8Array(words.buffer), CONTEXT)
  connection.run(WRITE, [sealed])
  return sealed
}

/** Returns the sums over all rows that the tables have now. */
export function sumRows(connection: Connection, secrets: MasterBox, tables: readonly SealedTable[]): Sums {
  const key = deriveRowKey(secrets)
  const sums = new Uint32Array(tables.length * WORDS)
  for (const [index, { name, buildRowSql }] of tables.entries()) {
    const rows = connection.raw.prepare<{ row: Uint8Array }, []>(
      `SELECT ${buildRowSql('t')} AS row FROM main.${quoted(name)} t`,
    )
    try {
      for (const { row } of rows.iterate()) count(sums, index, key, row, true)
    } finally {
      rows.finalize()
    }
  }
  return sums
}

/**
 * Seals all rows of a database as they are, without a comparison with the seal before: for a new database, after a
 * change of the schema, and for a copy that was checked. It has to be called in the transaction of the change.
 */
export function sealAnew(connection: Connection, secrets: MasterBox): void {
  const renewed = (readSeal(connection, secrets)?.renewed ?? 0) + 1
  writeSeal(connection, secrets, { renewed, sums: sumRows(connection, secrets, sealedTables(connection)) })
}
