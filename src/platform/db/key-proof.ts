import type { SecretBox } from '../secrets.ts'
import type { Connection } from '../sqlite.ts'

/** The table of the proof, which exists before any migration. */
export const KEY_PROOF = `CREATE TABLE IF NOT EXISTS key_proof (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sealed BLOB NOT NULL
) STRICT`

const PROOF = 'SELECT sealed FROM key_proof'
const CONTEXT = 'key_proof'

const opens = (sealed: Uint8Array, secrets: SecretBox): boolean => {
  try {
    secrets.open(sealed, CONTEXT)
    return true
  } catch {
    return false
  }
}

/** Returns whether a database is sealed with this key; also true if no server ever used the database. */
export function isSealedWith(connection: Connection, secrets: SecretBox): boolean {
  const hasProof = connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'key_proof'`) !== undefined
  const proof = hasProof ? connection.get<{ sealed: Uint8Array }>(PROOF) : undefined
  return proof === undefined || opens(proof.sealed, secrets)
}

/**
 * Proves that this database is sealed with this key, by a constant sealed at its first start. Otherwise a wrong key
 * would be noticed only when something is opened, after other data was sealed with it. Throws a sentence for the
 * operator.
 */
export function proveKey(connection: Connection, secrets: SecretBox, dataDir: string): void {
  connection.raw.run(KEY_PROOF)
  const proof = connection.raw.prepare<{ sealed: Uint8Array }, []>(PROOF).get()
  if (!proof) {
    connection.raw.run('INSERT INTO key_proof (id, sealed) VALUES (1, ?)', [secrets.seal('brokerbase', CONTEXT)])
    return
  }
  if (!opens(proof.sealed, secrets))
    throw new Error(
      `The secret key is not the one that the database in ${dataDir} is sealed with. Put the right secret.key back (or the right key in the configuration); nothing was changed.`,
    )
}
