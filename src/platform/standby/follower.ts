import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE, SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import { engineDirectory } from '../replication/engine-binary.ts'
import { type DatabaseName, engineEnvironment, writeEngineConfig } from '../replication/engine-config.ts'
import { createEngineWords } from '../replication/engine-words.ts'
import type { ReplicaKeys, ReplicaPlace } from '../replication/replica-place.ts'
import { lockFollowed, markWithoutLog, readApplied } from './followed-file.ts'

/** The pauses (ms) before the engine is started again, each longer than the one before. */
const PAUSES = [SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE]
/** An engine that applies a change for longer than this is killed in the middle of it. */
const APPLIES_FOR = 5 * SECOND

/** A copy of one database that the engine keeps up to date with its history at the place. */
export type Follower = {
  readonly path: string
  start(): void
  /**
   * Returns the number of the process that follows. Null while the file may not be one moment of the database: before
   * it was restored, or after a process was killed in the middle of a change, until the next one has made it whole.
   */
  process(): number | null
  /** Returns the number of the last change that was applied; 0 before the first. */
  applied(): number
  /** Returns why the last process ended; null if none did. */
  lastEnd(): string | null
  /** Kills the present process; another one takes its place. */
  restart(): void
  /** Looks for changes each second from now on, by another process where the present one looks less often. */
  hurry(): void
  /**
   * Ends the process and starts no other. Returns whether the file is one moment of the database: it is, unless the
   * process had to be killed in the middle of a change.
   */
  stop(): Promise<boolean>
}

type FollowerParts = {
  binary: string
  /** The directory of the copies. */
  directory: string
  database: DatabaseName
  place: ReplicaPlace
  keys: ReplicaKeys
  lineage: string
  /** Returns the number of the last change at the place. */
  readReach: () => Promise<number>
  log: Log
}

/** The shortest interval at which the engine looks for changes. */
const OFTEN = '1s'
/** The engine looks for changes this often; each look at a bucket costs money, and files.db is read by nobody. */
const readInterval = ({ place, database }: FollowerParts): string =>
  database === 'files.db' ? '60s' : place.kind === 's3' ? '10s' : OFTEN

const spawnFollower = (parts: FollowerParts, interval: string) => {
  const { binary, directory, database, place, keys, lineage } = parts
  mkdirSync(engineDirectory(directory), { recursive: true, mode: 0o700 })
  const config = writeEngineConfig({ dataDir: directory, place, keys, lineage, socket: null, name: `${database}.json` })
  const path = join(directory, database)
  const flags = ['-no-expand-env', '-config', config, '-f', '-follow-interval', interval, '-o', path]
  return Bun.spawn([binary, 'restore', ...flags, path], {
    env: engineEnvironment(keys),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}
type Child = ReturnType<typeof spawnFollower>

/** The file with the number of the process that follows a database; it is left behind if this program is killed. */
export const followerPidPath = (directory: string, database: DatabaseName): string =>
  join(engineDirectory(directory), `${database}.pid`)

/** Takes the lock under which the engine applies nothing; undefined if it applies one change for too long. */
async function lockOut(path: string): Promise<(() => void) | undefined> {
  for (const until = performance.now() + APPLIES_FOR; performance.now() < until; await Bun.sleep(20))
    try {
      return lockFollowed(path, 0)
    } catch {
      // the engine applies a change at this moment
    }
  return undefined
}

/** What is kept about the processes of one follower. */
type Kept = {
  readonly parts: FollowerParts
  readonly path: string
  /** The interval of the engine's looks, such as `10s`. */
  interval: string
  child: Child | null
  /** The present process applies changes. */
  isFollowing: boolean
  /** The file is one moment of the database from this change on. */
  wholeFrom: number
  isStopping: boolean
  lastEnd: string | null
  again: ReturnType<typeof setTimeout> | undefined
}

/** Starts a process; `pause` is the index in `PAUSES` of the wait after a failure. */
async function begin(kept: Kept, pause = 0): Promise<void> {
  const { parts, path } = kept
  try {
    // what a process that was killed in the middle of a change left is whole once the next one has applied all of this
    if (kept.wholeFrom === Number.POSITIVE_INFINITY) kept.wholeFrom = await parts.readReach()
    if (kept.isStopping) return
    // the engine goes on only with a complete file, beside which it noted the last change
    if (readApplied(path) === 0) rmSync(path, { force: true })
    const child = spawnFollower(parts, kept.interval)
    writeFileSync(followerPidPath(parts.directory, parts.database), String(child.pid), { mode: 0o600 })
    attend(kept, child, pause)
  } catch (error) {
    kept.lastEnd = error instanceof Error ? error.message : String(error)
    if (!kept.isStopping) kept.again = setTimeout(() => begin(kept, nextPause(pause)), PAUSES[pause])
    parts.log.debug({ err: error, path }, 'the follower could not be started')
  }
}

const nextPause = (pause: number): number => Math.min(pause + 1, PAUSES.length - 1)

/** Reads the output of a new process, and starts another one when it ends. */
function attend(kept: Kept, one: Child, pause: number): void {
  const { parts, path } = kept
  kept.child = one
  const noticeFollowing = (line: string): void => {
    if (kept.child !== one || !line.includes('entering follow mode')) return
    markWithoutLog(path)
    kept.isFollowing = true
  }
  const hear = createEngineWords(parts.log, noticeFollowing)
  const heard = Promise.all([one.stdout, one.stderr].map((stream) => hear(stream).catch(() => undefined)))
  one.exited.then(async (code) => {
    const said = (await heard).find((failure) => failure !== undefined)
    if (kept.child !== one) return
    kept.child = null
    // it may have ended in the middle of a change
    if (kept.isFollowing && !kept.isStopping) kept.wholeFrom = Number.POSITIVE_INFINITY
    // one that could not even begin to follow is given longer and longer pauses
    const next = kept.isFollowing ? 0 : pause
    kept.isFollowing = false
    const how = String(one.signalCode ?? code)
    kept.lastEnd = said === undefined ? how : `${how}: ${said}`
    if (kept.isStopping) return
    parts.log.warn({ why: kept.lastEnd, pauseMs: PAUSES[next] }, 'the engine stopped following and is started again')
    kept.again = setTimeout(() => begin(kept, nextPause(next)), PAUSES[next])
  })
}

/** Returns whether the file is one moment of the database. */
const isWhole = ({ path, wholeFrom }: Kept): boolean => readApplied(path) > 0 && readApplied(path) >= wholeFrom

/** Ends the present process between two changes, if possible, and starts no other. */
async function stop(kept: Kept): Promise<boolean> {
  kept.isStopping = true
  clearTimeout(kept.again)
  const last = kept.child
  if (!last) return isWhole(kept)
  const release = kept.isFollowing ? await lockOut(kept.path) : undefined
  last.kill('SIGKILL')
  await last.exited
  if (kept.isFollowing && !release) kept.wholeFrom = Number.POSITIVE_INFINITY
  release?.()
  return isWhole(kept)
}

/** Follows one database of a history into a directory. */
export function createFollower(parts: FollowerParts): Follower {
  const path = join(parts.directory, parts.database)
  const kept: Kept = {
    parts,
    path,
    interval: readInterval(parts),
    child: null,
    isFollowing: false,
    // a file that another process of this program left is not known to be whole
    wholeFrom: readApplied(path) === 0 ? 0 : Number.POSITIVE_INFINITY,
    isStopping: false,
    lastEnd: null,
    again: undefined,
  }
  const restart = (): void => kept.child?.kill('SIGKILL')
  return {
    path,
    start: () => void begin(kept),
    process: () => (kept.isFollowing && isWhole(kept) ? (kept.child?.pid ?? null) : null),
    applied: () => readApplied(path),
    lastEnd: () => kept.lastEnd,
    restart,
    hurry: () => {
      if (kept.interval !== OFTEN) restart()
      kept.interval = OFTEN
    },
    stop: () => stop(kept),
  }
}
