import type { SecretBox } from '../secrets.ts'
import type { Connection } from './client.ts'

const TABLE = `CREATE TABLE IF NOT EXISTS key_proof (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sealed BLOB NOT NULL
) STRICT`

/**
 * Proves that this database is sealed with this key, by a constant sealed at its
 * first start. A wrong key would otherwise be noticed only where something is opened,
 * long after other things were sealed with it. Throws in words for the operator.
 */
export function proveKey(connection: Connection, secrets: SecretBox, dataDir: string): void {
  connection.raw.run(TABLE)
  const proof = connection.raw.prepare<{ sealed: Uint8Array }, []>('SELECT sealed FROM key_proof').get()
  if (!proof) {
    connection.raw.run('INSERT INTO key_proof (id, sealed) VALUES (1, ?)', [secrets.seal('brokerbase', 'key_proof')])
    return
  }
  try {
    secrets.open(proof.sealed, 'key_proof')
  } catch {
    throw new Error(
      `The secret key is not the one that the database in ${dataDir} is sealed with. Put the right secret.key back (or the right key in the configuration); nothing was changed.`,
    )
  }
}
