import type { MasterBox } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'
import { count, WORDS } from './digests.ts'
import { deriveRowKey, findSeal, openSeal, type Seal, writeSeal } from './seal.ts'
import { quoted, sealedTables } from './sealed-tables.ts'

const LOG = 'CREATE TEMP TABLE seal_log (tab, added, bytes)'
const CHANGES = 'SELECT tab, added, bytes FROM temp.seal_log'
const FORGET = 'DELETE FROM temp.seal_log'

/** Makes temporary triggers, which are not in the file and log each row that this connection changes in any way. */
function noteChanges(connection: Connection, tables: ReturnType<typeof sealedTables>): void {
  const { raw } = connection
  raw.run('BEGIN')
  raw.run(LOG)
  for (const [index, { name, buildRowSql }] of tables.entries()) {
    const came = `(${index}, 1, ${buildRowSql('NEW')})`
    const went = `(${index}, 0, ${buildRowSql('OLD')})`
    for (const [event, values] of [
      ['INSERT', came],
      ['DELETE', went],
      ['UPDATE', `${went}, ${came}`],
    ])
      raw.run(
        `CREATE TEMP TRIGGER seal_${event}_${index} AFTER ${event} ON main.${quoted(name)} BEGIN INSERT INTO seal_log VALUES ${values}; END`,
      )
  }
  raw.run('COMMIT')
}

/**
 * Keeps the seal of a database up to date while this connection writes. Returns the function that renews it, which has
 * to be called in each transaction before its COMMIT. Throws if the seal is missing or not of this key.
 */
export function keepSeal(connection: Connection, secrets: MasterBox): () => void {
  const tables = sealedTables(connection)
  const key = deriveRowKey(secrets)
  /** The last seal that was written here; the database has another after a rollback or a write of another process. */
  let last: { sealed: Uint8Array; seal: Seal } | undefined
  const read = (): Seal => {
    const sealed = findSeal(connection)
    if (sealed && last && Buffer.compare(sealed, last.sealed) === 0) return last.seal
    const seal = sealed && openSeal(sealed, secrets)
    if (seal?.sums.length === tables.length * WORDS) return seal
    throw new Error(
      'The seal over the rows of the database is missing, or was not written with the key of this installation, so that somebody else changed it. Restore a copy: brokerbase restore --replace.',
    )
  }
  read()
  noteChanges(connection, tables)
  return () => {
    const changes = connection.all<{ tab: number; added: number; bytes: Uint8Array }>(CHANGES)
    if (changes.length === 0) return
    const before = read()
    const seal = { renewed: before.renewed + 1, sums: before.sums.slice() }
    for (const { tab, added, bytes } of changes) count(seal.sums, tab, key, bytes, added === 1)
    connection.run(FORGET)
    last = { seal, sealed: writeSeal(connection, secrets, seal) }
  }
}
