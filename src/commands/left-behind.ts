import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { findTakeover, listLeftBehind, writePapers } from '../modules/box/standby/left-behind.ts'
import { loadOrCreateKey } from '../platform/key-file.ts'
import { readOwnHistories } from '../platform/replication/histories.ts'
import { createNotes } from '../platform/replication/notes.ts'
import { openStore } from '../platform/replication/open-store.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { openReader } from '../platform/sqlite.ts'

/**
 * Prints as CSV what the data directory has and the server lacks that took over from it, for `brokerbase left-behind`;
 * with `papers`, writes the documents of that time into that directory. Throws a sentence if nobody took over.
 */
export async function leftBehind(
  { dataDir, secretKey, replica }: Config,
  papers: string | undefined,
  print: (text: string) => void,
): Promise<void> {
  const path = join(dataDir, 'brokerbase.db')
  if (!existsSync(path))
    throw new ConfigError(`There is no data in ${dataDir}. --data-dir or BROKERBASE_DATA_DIR names its directory.`)
  if (!replica) throw new ConfigError('The place of the replica is needed: BROKERBASE_REPLICA_URL.')
  const key = loadOrCreateKey(join(dataDir, 'secret.key'), { configuredBase64: secretKey, sealed: [path] })
  const store = openStore(replica.place, replica.keys)
  const books = openReader(path)
  try {
    const notes = createNotes(store, [key])
    const note = await findTakeover(books, await readOwnHistories(store, notes), notes)
    if (!note) throw new Error('No standby took over from the data here, as far as its place shows.')
    for (const text of listLeftBehind(books, note)) print(text)
    if (papers === undefined) return
    const parts = { path: join(dataDir, 'files.db'), secrets: createSecretBox(key), into: papers }
    const written = writePapers(books, note, parts)
    process.stderr.write(`${written} documents written to ${papers}\n`)
  } finally {
    books.close()
  }
}
