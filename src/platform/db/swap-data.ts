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

/** The files of the data: the databases with their logs, the key, and the state of the replication. */
export const DATA_FILES = [
  ...['brokerbase.db', 'files.db'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
  'secret.key',
  'replica.json',
  'engine',
] as const

/** Directories below the data directory: of the new data, and for the old. */
const Swap = Type.Object({ from: Type.String(), keep: Type.String() })

const JOURNAL = 'swap.json'

/** Copies are made and proven in directories with this prefix, below the data directory. */
const SCRATCH = 'brokerbase-scratch-'

/** Returns the directory of a copy for a purpose; copies at the same time have different ones. */
export const scratchName = (purpose: string): string => `${SCRATCH}${purpose}`

/**
 * Removes copies that killed processes left; the caller has the lock of the directory and has called `finishSwap`. A
 * drill that a command makes beside the server at this moment fails.
 */
export function clearUnfinishedCopies(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (name.startsWith(SCRATCH) || name === `${JOURNAL}.partial`)
      rmSync(join(dataDir, name), { recursive: true, force: true })
}

/** Writes a file, or the names in a directory, to the disk for good. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Returns whether an exchange of this directory's data was interrupted. */
export const isHalfSwapped = (dataDir: string): boolean => existsSync(join(dataDir, JOURNAL))

/**
 * Continues an interrupted exchange; the caller has the lock of the directory. Each file is moved by one rename, so one
 * that was moved is not moved again.
 */
export function finishSwap(dataDir: string): void {
  const journal = join(dataDir, JOURNAL)
  if (!existsSync(journal)) return
  const { from, keep } = Value.Decode(Swap, JSON.parse(readFileSync(journal, 'utf8')))
  const source = join(dataDir, from)
  const kept = join(dataDir, keep)
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  // files that were moved in are no longer in their source, and must not be moved out
  const marker = join(kept, '.out')
  if (!existsSync(marker)) {
    for (const name of DATA_FILES)
      if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(kept, name))
    syncFile(kept)
    writeFileSync(marker, '')
    syncFile(kept)
  }
  for (const name of DATA_FILES) if (existsSync(join(source, name))) renameSync(join(source, name), join(dataDir, name))
  syncFile(dataDir)
  rmSync(journal)
  rmSync(marker)
  rmSync(source, { recursive: true, force: true })
  syncFile(dataDir)
}

/**
 * Replaces the data of a directory by that of a directory below it, and keeps the old data in another. An interrupted
 * exchange leaves a note, with which the next start continues.
 */
export function swapData(dataDir: string, swap: { from: string; keep: string }): void {
  const partial = join(dataDir, `${JOURNAL}.partial`)
  writeFileSync(partial, JSON.stringify(swap), { mode: 0o600, flush: true })
  renameSync(partial, join(dataDir, JOURNAL))
  syncFile(dataDir)
  finishSwap(dataDir)
}
