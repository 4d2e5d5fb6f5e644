import type { MasterBox } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'
import { WORDS } from './digests.ts'
import { readSeal, type Seal, sumRows } from './seal.ts'
import { sealedTables } from './sealed-tables.ts'

/** The result of a check; `seal` is null if the database has none, or none of this key. */
type SealCheck = { seal: Seal | null; faults: string[] }

/** Returns the names of the tables whose sums differ. */
export function differing(connection: Connection, one: Seal['sums'], other: Seal['sums']): string[] {
  const isSame = (table: number): boolean =>
    Array.from({ length: WORDS }, (_, word) => table * WORDS + word).every((at) => one[at] === other[at])
  return sealedTables(connection).flatMap(({ name }, table) => (isSame(table) ? [] : [name]))
}

/** Sums all rows of a database and compares the sums with its seal; `faults` names tables that others changed. */
export function checkSeal(connection: Connection, secrets: MasterBox): SealCheck {
  const tables = sealedTables(connection)
  const seal = readSeal(connection, secrets)
  if (seal === undefined) return { seal: null, faults: ['nothing proves that its rows are those of this installation'] }
  if (seal === null || seal.sums.length !== tables.length * WORDS)
    return { seal: null, faults: ['the seal over its rows is not of this installation'] }
  const changed = differing(connection, seal.sums, sumRows(connection, secrets, tables))
  return { seal, faults: changed.map((name) => `rows of ${name} are not those that this program wrote`) }
}
