import { statfsSync } from 'node:fs'
import { Type } from '@sinclair/typebox'
import { isAnyBroken } from './audit/audit.ts'
import { GIB, MIB } from './bytes.ts'
import { SECOND } from './clock.ts'
import { type BoxFact, noteFact } from './db/box-facts.ts'
import type { Writer } from './db/writer.ts'
import type { Log } from './log.ts'
import type { Connection } from './sqlite.ts'

/** A check of one condition for taking work. `text` is for the operator: the figures, and what to do. */
export type Vital = { name: 'disk' | 'log' | 'writes' | 'audit'; ok: boolean; text: string }

/** With less free space than this the server is not ready: the log and a copy of the database may take it at once. */
const LEAST_FREE = GIB
/** On a small disk this share of it must be free instead. */
const LEAST_SHARE = 0.05
/**
 * A larger log shows that it cannot be reset, since a read does not end or the replica has been out of reach for long.
 */
const MOST_LOG = GIB
/** An answer is reused for this long (milliseconds): the route is public, and each check costs calls to the system. */
const LOOK_EVERY = SECOND

/** This check is reported only if it fails; only a restore repairs it. */
const CUT: Vital = {
  name: 'audit',
  ok: false,
  text: 'entries at the end of an audit log were removed: verify each firm’s, and restore a copy of before',
}

/** A fact that is written after commits failed, to check whether they succeed again. */
const PROBE: BoxFact<ReturnType<typeof Type.Boolean>> = { name: 'written after a failure', shape: Type.Boolean() }

const gigabytes = (bytes: number): string =>
  bytes < GIB ? `${(bytes / MIB).toFixed(0)} MiB` : `${(bytes / GIB).toFixed(1)} GiB`

/** Checks whether the disk of a directory has enough free space. */
export function diskVital(dataDir: string): Vital {
  const { bavail, blocks, bsize } = statfsSync(dataDir)
  const [free, size] = [bavail * bsize, blocks * bsize]
  const least = Math.min(LEAST_FREE, size * LEAST_SHARE)
  const text = `${gigabytes(free)} free of ${gigabytes(size)}`
  return free >= least
    ? { name: 'disk', ok: true, text }
    : { name: 'disk', ok: false, text: `${text}, less than ${gigabytes(least)}: make room or take a larger disk` }
}

/** Returns the check whether this server can take work; it runs at most once a second. Never throws. */
export function createReadiness(parts: {
  dataDir: string
  writer: Writer
  connection: Connection
  logBytes: () => number
  log: Log
  now: () => number
}): () => Promise<readonly Vital[]> {
  const { dataDir, writer, connection, logBytes, log, now } = parts
  let lookedAt = Number.NEGATIVE_INFINITY
  let seen: Promise<readonly Vital[]> = Promise.resolve([])
  let told = ''

  const writesVital = async (): Promise<Vital> => {
    if (!writer.isFailing()) return { name: 'writes', ok: true, text: 'the last commit succeeded' }
    try {
      await writer.submit(() => noteFact(connection, PROBE, true, now()), { local: true })
      return { name: 'writes', ok: true, text: 'commits succeed again' }
    } catch {
      return { name: 'writes', ok: false, text: 'the database cannot commit: is the disk full, or read-only?' }
    }
  }
  const logVital = (): Vital => {
    const bytes = logBytes()
    const text = `the log of the database holds ${Math.round(bytes / MIB)} MiB`
    return bytes <= MOST_LOG
      ? { name: 'log', ok: true, text }
      : { name: 'log', ok: false, text: `${text}: a read that never ends keeps it, or the replica is out of reach` }
  }
  const vitals = async (): Promise<readonly Vital[]> => {
    try {
      return [diskVital(dataDir), logVital(), await writesVital(), ...(isAnyBroken(connection) ? [CUT] : [])]
    } catch (error) {
      const text = `the data directory cannot be looked at: ${error instanceof Error ? error.message : error}`
      return [{ name: 'disk', ok: false, text }]
    }
  }
  /** Logs once which checks fail, and once that all succeed again. */
  const look = async (): Promise<readonly Vital[]> => {
    const found = await vitals()
    const failing = found.filter(({ ok }) => !ok)
    const names = failing.map(({ name }) => name).join(', ')
    if (names !== told && failing.length > 0) log.warn({ vitals: failing }, 'this server is not ready to take work')
    if (names === '' && told !== '') log.info('this server is ready to take work again')
    told = names
    return found
  }
  return () => {
    const at = performance.now()
    if (at - lookedAt >= LOOK_EVERY) {
      lookedAt = at
      seen = look()
    }
    return seen
  }
}
