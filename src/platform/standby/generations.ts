import { rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE, SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import { runTask } from '../query-runner/task.ts'
import { type Heartbeat, readHeartbeat } from '../replication/heartbeat.ts'
import { openStill } from '../sqlite.ts'
import type { Follower } from './follower.ts'

/** A generation is used for this long, or for this many times as long as its copy took, up to a minute. */
const LASTS = 5 * SECOND
const TIMES_AS_LONG = 20
const LASTS_AT_MOST = MINUTE
/** A copy that takes longer is given up. */
const COPIES_FOR = 10 * MINUTE

/** A copy of the followed database as it was at one moment, which nobody changes. */
export type Generation = {
  readonly path: string
  /** The newest heartbeat of the primary in it; undefined if the primary has written none yet. */
  readonly heartbeat: Heartbeat | undefined
}

/** The generations of a standby; there are at most two with readers, the newest and one before it. */
export type Generations = {
  /**
   * Returns the newest generation, after making one if there is none or it has lasted long enough. Undefined if none
   * could be made yet. `release` has to be called when it is no longer read.
   */
  take(): Promise<{ generation: Generation; release(): void } | undefined>
  /** Returns why there is no newer one; null if nothing failed. */
  failure(): string | null
  /** Makes no further one, and resolves when the last reader has left. */
  close(): Promise<void>
}

type Made = { generation: Generation; madeAt: number; lasts: number; readers: number }

/** Throws if the disk has no room for two copies. */
function demandRoom(from: string, directory: string): void {
  const { size } = statSync(from)
  const { bavail, bsize } = statfsSync(directory)
  if (bavail * bsize < 2 * size)
    throw new Error(`there is no room for two copies of ${Math.ceil(size / 1_000_000)} MB in ${directory}`)
}

/** Copies the followed file. Throws unless one engine followed during the whole copy: it may then mix two moments. */
async function copyFollowed(follower: Follower, to: string): Promise<void> {
  const before = follower.process()
  if (before === null) throw new Error(follower.lastEnd() ?? 'the copy of the database is not complete yet')
  await runTask('standby.copy', { from: follower.path, to }, { deadlineMs: COPIES_FOR, hasPlace: true })
  if (follower.process() !== before) throw new Error('the engine ended while the database was copied')
}

/** Keeps the files of generations: the newest, and each older one until its last reader has left. */
function createShelf() {
  const made = new Set<Made>()
  const emptied = Promise.withResolvers<void>()
  let newest: Made | undefined
  let isClosed = false
  const removeUnread = (one: Made): void => {
    if (one.readers > 0 || (one === newest && !isClosed)) return
    rmSync(one.generation.path, { force: true })
    made.delete(one)
    if (isClosed && made.size === 0) emptied.resolve()
  }
  return {
    newest: () => newest,
    isClosed: () => isClosed,
    put: (one: Made): void => {
      const old = newest
      newest = one
      made.add(one)
      if (old) removeUnread(old)
    },
    read: (one: Made): { generation: Generation; release(): void } => {
      one.readers += 1
      let isReleased = false
      const release = (): void => {
        if (isReleased) return
        isReleased = true
        one.readers -= 1
        removeUnread(one)
      }
      return { generation: one.generation, release }
    },
    /** Removes all, and resolves when the last reader has left. */
    close: async (making: Promise<void> | undefined): Promise<void> => {
      isClosed = true
      await making
      for (const one of [...made]) removeUnread(one)
      if (made.size > 0) await emptied.promise
    },
  }
}

/** Reads the heartbeat in a copy. */
function readCopy(path: string): Heartbeat | undefined {
  const copy = openStill(path)
  try {
    return readHeartbeat(copy)
  } finally {
    copy.close()
  }
}

/** Makes the generations of a followed database in a directory. `steady` is a clock in milliseconds. */
export function createGenerations(parts: {
  follower: Follower
  directory: string
  steady: () => number
  log: Log
}): Generations {
  const { follower, directory, steady, log } = parts
  const shelf = createShelf()
  let making: Promise<void> | undefined
  let count = 0
  let failure: string | null = null

  async function make(): Promise<void> {
    const began = steady()
    count += 1
    const path = join(directory, `generation-${count}.db`)
    try {
      demandRoom(follower.path, directory)
      await copyFollowed(follower, path)
      const lasts = Math.min(Math.max(LASTS, TIMES_AS_LONG * (steady() - began)), LASTS_AT_MOST)
      shelf.put({ generation: { path, heartbeat: readCopy(path) }, madeAt: steady(), lasts, readers: 0 })
      failure = null
    } catch (error) {
      rmSync(path, { force: true })
      const why = error instanceof Error ? error.message : String(error)
      if (failure !== why) log.warn({ why }, 'no newer copy could be made to read from')
      failure = why
    }
    making = undefined
  }

  return {
    take: async () => {
      if (shelf.isClosed()) return undefined
      const last = shelf.newest()
      if (!last || steady() - last.madeAt >= last.lasts) {
        making ??= make()
        await making
      }
      const one = shelf.newest()
      return one && shelf.read(one)
    },
    failure: () => failure,
    close: () => shelf.close(making),
  }
}
