import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

/** What belongs to the data as it stands: the databases with their logs, the key, and what the replication knows. */
const OWN = [
  ...['brokerbase.db', 'files.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
  'secret.key',
  'replica.json',
  'engine',
] as const

/** Directories below the data directory: where the new data lies, and where the old is kept. */
const Swap = Type.Object({ from: Type.String(), keep: Type.String() })

const JOURNAL = 'swap.json'

/** Where copies are made and proven before they are put in place, below the data directory. */
const SCRATCH = 'brokerbase-scratch-'

/** The directory of a copy for a purpose. Two that may be there at once have different ones. */
export const scratchName = (purpose: string): string => `${SCRATCH}${purpose}`

/**
 * Removes copies of the data that processes which were killed left behind; to be called with the lock of the directory,
 * after `finishSwap`. A drill that a command makes beside the server at this moment fails.
 */
export function clearUnfinishedCopies(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(SCRATCH) || name === `${JOURNAL}.partial`)
      rmSync(join(dataDir, name), { recursive: true, force: true })
}

const syncDirectory = (path: string): void => {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

/** Whether other data was being put in place of this directory's when the process ended. */
export const isHalfSwapped = (dataDir: string): boolean => existsSync(join(dataDir, JOURNAL))

/**
 * Goes on with an exchange where it stopped; to be called with the lock of the directory. Each file is moved by one
 * rename, and one that has been moved is not there to be moved again.
 */
export function finishSwap(dataDir: string): void {
  const journal = join(dataDir, JOURNAL)
  if (!existsSync(journal)) return
  const { from, keep } = Value.Decode(Swap, JSON.parse(readFileSync(journal, 'utf8')))
  const source = join(dataDir, from)
  const kept = join(dataDir, keep)
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  // what was moved in already lies in the directory and no longer in its source: it must not be moved out
  const marker = join(kept, '.out')
  if (!existsSync(marker)) {
    for (const name of OWN) if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(kept, name))
    syncDirectory(kept)
    writeFileSync(marker, '')
    syncDirectory(kept)
  }
  for (const name of OWN) if (existsSync(join(source, name))) renameSync(join(source, name), join(dataDir, name))
  syncDirectory(dataDir)
  rmSync(journal)
  rmSync(marker)
  rmSync(source, { recursive: true, force: true })
  syncDirectory(dataDir)
}

/**
 * Puts the data of one directory below the data directory in place of what lies in that, which is kept in another.
 * A process that ends in the middle leaves a note, by which the next start goes on.
 */
export function swapData(dataDir: string, swap: { from: string; keep: string }): void {
  const partial = join(dataDir, `${JOURNAL}.partial`)
  writeFileSync(partial, JSON.stringify(swap), { mode: 0o600, flush: true })
  renameSync(partial, join(dataDir, JOURNAL))
  syncDirectory(dataDir)
  finishSwap(dataDir)
}
