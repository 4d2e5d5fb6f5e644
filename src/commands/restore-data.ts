import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.ts'
import { fetchCopy, type Source } from '../modules/box/backups/backups.fetch.ts'
import { CheckReport } from '../modules/box/backups/check.model.ts'
import { checkCopy } from '../modules/box/backups/check-copy.tasks.ts'
import { sessions } from '../modules/firm/auth/auth.table.ts'
import { toIso } from '../platform/clock.ts'
import { handOver } from '../platform/db/change-owner.ts'
import { isSealedWith } from '../platform/db/key-proof.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { rebuildSearch } from '../platform/db/search-index.ts'
import { statement } from '../platform/db/statement.ts'
import {
  clearUnfinishedCopies,
  finishSwap,
  isHalfSwapped,
  scratchName,
  swapData,
  syncFile,
} from '../platform/db/swap-data.ts'
import { DATABASES } from '../platform/replication/engine-config.ts'
import { endLeftEngine } from '../platform/replication/leftover-engine.ts'
import { sealAnew } from '../platform/seals/seal.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { openStill, openWriter } from '../platform/sqlite.ts'

/** The result of a restore, or of a dry run. */
export const RestoreReport = Type.Object({
  source: Type.String({ description: 'lineage or snapshot that it came from, in words' }),
  check: CheckReport,
  target: Type.String(),
  replaced: Type.Union([Type.String(), Type.Null()], { description: 'where what lay there before is kept' }),
  done: Type.Boolean({ description: 'false for a dry run' }),
  seconds: Type.Number(),
})
export type RestoreReport = Static<typeof RestoreReport>

/** Reports a bad copy; `check` says why. Nothing was put in place. */
export class BadCopy extends Error {
  override name = 'BadCopy'
  constructor(readonly check: CheckReport) {
    super(`The copy is not good, and nothing was changed: ${check.faults.slice(0, 5).join('; ')}`)
  }
}

const SIGN_OUT = statement(sql`DELETE FROM ${sessions}`)

/** Returns whether a directory has a key file that differs from that of another one, as other data may need it. */
function hasOtherKey(directory: string, other: string): boolean {
  const [one, two] = [directory, other].map((path) => {
    const key = join(path, 'secret.key')
    return existsSync(key) ? readFileSync(key, 'utf8').trim() : undefined
  })
  return one !== undefined && one !== two
}

/** Returns the key that opens the copy. If none does, returns the first one, and the check then fails. */
function pickKey(path: string, keys: readonly Uint8Array[]): Uint8Array {
  const [first] = keys
  if (!first) throw new Error('no key to restore with')
  const copy = openStill(path)
  try {
    return keys.find((key) => isSealedWith(copy, createSecretBox(key))) ?? first
  } finally {
    copy.close()
  }
}

/** Returns `2026-11-23T09:05:00.000Z` as part of a name. */
const inName = (ms: number): string => toIso(ms).slice(0, 19).replaceAll(':', '-')

/**
 * Prepares a proven copy for a server: sessions end, the search is built from the rows, the rows are sealed, and all is
 * written to the disk.
 */
function finishCopy(scratch: string, parts: { key: Uint8Array; keepKey: boolean; asItWas: boolean }): void {
  const { key, keepKey, asItWas } = parts
  const copy = openWriter(join(scratch, 'brokerbase.db'))
  copy.exec('BEGIN IMMEDIATE')
  copy.run(SIGN_OUT)
  // an older program has its own indexes, and its snapshot is proven byte by byte
  if (!asItWas) rebuildSearch(copy)
  sealAnew(copy, createSecretBox(key))
  copy.exec('COMMIT')
  copy.close()
  if (keepKey)
    writeFileSync(join(scratch, 'secret.key'), `${Buffer.from(key).toString('base64')}\n`, { mode: 0o600, flush: true })
  for (const name of DATABASES) syncFile(join(scratch, name))
}

/** Copies the databases into a folder of the scratch directory, where proving may migrate them. */
function copyForProof(scratch: string): string {
  const beside = join(scratch, 'proof')
  mkdirSync(beside, { mode: 0o700 })
  for (const name of DATABASES) copyFileSync(join(scratch, name), join(beside, name))
  return beside
}

/** Exchanges the copy with the directory's data; returns where former data or a key that differs is kept, or null. */
export function exchange(target: string, parts: { from: string; keep: string; isTaken: boolean }): string | null {
  const { from, keep, isTaken } = parts
  swapData(target, { from, keep })
  const kept = join(target, keep)
  if (isTaken || hasOtherKey(kept, target)) return kept
  rmSync(kept, { recursive: true, force: true })
  return null
}

/** The source, the target and the options of a restore. */
type RestoreParts = {
  config: Config
  source: Source
  target: string
  /** The keys that may open the copy; the one that does is taken. */
  keys: readonly Uint8Array[]
  /** Whether the key must be written beside the data, since no configuration has it. */
  keepKey: boolean
  replace: boolean
  dryRun: boolean
  /** True if a copy is taken although nothing proves that it is of this installation. */
  trusted?: boolean
  /** True if an older program comes next: the copy keeps its schema. */
  asItWas?: boolean
  /** Called with the proven copy before anything is changed; may throw to prevent the restore. */
  agree?: (copy: string) => Promise<void>
  now: () => number
  tell: (line: string) => void
}

/**
 * Puts the data of a backup in place: it is fetched and proven beside the present data, then exchanged with it. All
 * sessions end, since some may have ended after the time of the backup. Refuses if a server runs there, or if the
 * directory has data and `replace` is false. A dry run only reads the directory, so it may run beside a server, and
 * leaves nothing behind. Throws `BadCopy` if a check fails; the report names missing documents.
 */
export async function restore(parts: RestoreParts): Promise<RestoreReport> {
  const {
    config,
    source,
    target,
    keys,
    keepKey,
    replace,
    dryRun,
    trusted = false,
    asItWas = false,
    agree,
    now,
    tell,
  } = parts
  const begun = performance.now()
  const lock = dryRun ? null : lockDataDir(target)
  const at = inName(now())
  const name = scratchName(`restore-${at}`)
  const scratch = join(target, name)
  let made: string | undefined
  try {
    if (!dryRun) {
      finishSwap(target)
      clearUnfinishedCopies(target)
    }
    const isTaken = DATABASES.some((database) => existsSync(join(target, database)))
    if (isTaken && !replace && !dryRun)
      throw new Error(`${target} holds data already. --replace puts the backup in its place and keeps what lies there.`)
    made = mkdirSync(scratch, { recursive: true, mode: 0o700 })
    tell('fetching the backup')
    const { told: from, manifest } = await fetchCopy(config, source, {
      into: scratch,
      engineIn: dryRun ? scratch : target,
      keys,
    })
    tell(`proving it: ${from}`)
    const key = pickKey(join(scratch, 'brokerbase.db'), keys)
    // proving migrates the copy to this program's schema
    const proven = asItWas ? copyForProof(scratch) : scratch
    const check = await checkCopy({ directory: proven, key, now: now(), manifest, trusted })
    if (check.faults.length > 0) throw new BadCopy(check)
    const seconds = (): number => Math.round((performance.now() - begun) / 10) / 100
    if (dryRun) return { source: from, check, target, replaced: null, done: false, seconds: seconds() }
    if (proven !== scratch) rmSync(proven, { recursive: true })
    await agree?.(join(scratch, 'brokerbase.db'))
    finishCopy(scratch, { key, keepKey, asItWas })
    await endLeftEngine(target)
    const replaced = exchange(target, { from: name, keep: `before-restore-${at}`, isTaken })
    return { source: from, check, target, replaced, done: true, seconds: seconds() }
  } finally {
    // in a dry run this is the first directory that it made: the target or one above it
    if (dryRun) rmSync(made ?? scratch, { recursive: true, force: true })
    // an exchange that a failing disk stopped continues at the next start with these files
    else if (!isHalfSwapped(target)) rmSync(scratch, { recursive: true, force: true })
    if (!dryRun) handOver(target)
    lock?.close()
  }
}
