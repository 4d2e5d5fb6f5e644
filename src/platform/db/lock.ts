import { Database } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Takes a data directory for one server: a second one would run every job twice. The lock is the operating system's,
 * held through SQLite, so it is gone with the process however that ends. Throws in words when another server has it.
 */
export function lockDataDir(dataDir: string): { close(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const db = new Database(join(dataDir, 'serve.lock'), { create: true })
  try {
    db.run('PRAGMA locking_mode = EXCLUSIVE')
    db.run('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    throw new Error(`Another Brokerbase is serving ${dataDir}. Stop it first, or name another directory.`, { cause })
  }
  return { close: () => db.close() }
}
