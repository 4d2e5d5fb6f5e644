import type { MasterBox } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'
import { count, type Sums, WORDS } from './digests.ts'
import { quoted, type SealedTable, sealedTables } from './sealed-tables.ts'

const CONTEXT = 'table_seals'
const READ = 'SELECT sealed FROM table_seals WHERE id = 1 AND (SELECT count(*) FROM table_seals) = 1'
const WRITE = 'INSERT INTO table_seals (id, sealed) VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET sealed = ?1'

/** What a seal says: how often it was renewed, and the sum of each table in the order of their names. */
export type Seal = { renewed: number; sums: Sums }

/** Bytes of the count before the sums. */
const HEAD = 8

/** The key of the digests of rows. */
export const deriveRowKey = (secrets: MasterBox): Uint8Array => secrets.digestKey('rows')

/** The seal as it lies in a database; undefined as well where somebody removed its table. */
export function findSeal(connection: Connection): Uint8Array | undefined {
  const hasTable = connection.get(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'table_seals'`)
  return hasTable === undefined ? undefined : connection.get<{ sealed: Uint8Array }>(READ)?.sealed
}

/** What the seal of a database says; undefined where it has none, and null where it is not of this key. */
export function readSeal(connection: Connection, secrets: MasterBox): Seal | null | undefined {
  const sealed = findSeal(connection)
  return sealed && openSeal(sealed, secrets)
}

/** What a seal says; null where it is not of this key. */
export function openSeal(sealed: Uint8Array, secrets: MasterBox): Seal | null {
  try {
    const bytes = secrets.open(sealed, CONTEXT)
    const words = new Uint32Array(bytes.slice().buffer)
    return { renewed: Number(new BigUint64Array(words.buffer, 0, 1)[0]), sums: words.subarray(HEAD / 4) }
  } catch {
    return null
  }
}

/** Puts a seal in place of the one before, in the transaction that it seals. Returns it as it lies there. */
export function writeSeal(connection: Connection, secrets: MasterBox, { renewed, sums }: Seal): Uint8Array {
  const words = new Uint32Array(HEAD / 4 + sums.length)
  new BigUint64Array(words.buffer, 0, 1)[0] = BigInt(renewed)
  words.set(sums, HEAD / 4)
  const sealed = secrets.seal(new Uint8Array(words.buffer), CONTEXT)
  connection.run(WRITE, [sealed])
  return sealed
}

/** The sums of all rows as they are, counted one by one. */
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
 * Seals all rows of a database as they are, without asking what was sealed before: for a new one, after a change of the
 * schema, and for a copy that was proven. To be called in the transaction of what changed them.
 */
export function sealAnew(connection: Connection, secrets: MasterBox): void {
  const renewed = (readSeal(connection, secrets)?.renewed ?? 0) + 1
  writeSeal(connection, secrets, { renewed, sums: sumRows(connection, secrets, sealedTables(connection)) })
}
