import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { makeDataDir, mustBeUsable } from '../file-rights.ts'

type Lock = { close(): void }

/**
 * Takes a lock of the operating system through SQLite, so that it ends with the process in any case. Throws the error
 * of `refused` if another process has it.
 */
function lockFile(path: string, refused: (cause: unknown) => Error): Lock {
  mustBeUsable(path, { writes: true })
  const db = new Database(path, { create: true })
  try {
    db.run('PRAGMA locking_mode = EXCLUSIVE')
    db.run('BEGIN EXCLUSIVE')
  } catch (cause) {
    db.close()
    throw refused(cause)
  }
  return { close: () => db.close() }
}

/**
 * Takes a data directory for one server, since a second one would run every job twice. Throws a sentence if another
 * server has it.
 */
export function lockDataDir(dataDir: string): Lock {
  makeDataDir(dataDir)
  const refused = (cause: unknown): Error =>
    new Error(`Another Brokerbase is serving ${dataDir}. Stop it first, or name another directory.`, { cause })
  return lockFile(join(dataDir, 'serve.lock'), refused)
}

/** Lets one process at a time write files for analysis. Throws a sentence if another one does. */
export const lockAnalysis = (dataDir: string): Lock =>
  lockFile(
    join(dataDir, 'parquet.lock'),
    (cause) => new Error('Files for analysis are being written already. Try again when they are done.', { cause }),
  )

/** Takes the scratch space for copies of a data directory, which a server and the commands beside it share. */
export const lockCopies = (dataDir: string, refused: (cause: unknown) => Error): Lock =>
  lockFile(join(dataDir, 'copies.lock'), refused)
