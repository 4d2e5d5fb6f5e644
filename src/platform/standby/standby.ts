import { hostname } from 'node:os'
import { type Clock, SECOND, toIso } from '../clock.ts'
import { readChain } from '../replication/chain.ts'
import type { Heartbeat } from '../replication/heartbeat.ts'
import { type Found, lineageAt, readHistories } from '../replication/histories.ts'
import { createNotes, type Notes } from '../replication/notes.ts'
import { openStore } from '../replication/open-store.ts'
import type { ReplicaPlace } from '../replication/replica-place.ts'
import { sleepUntil } from '../replication/sleep-until.ts'
import { SHOWN_EVERY, type StandbyNote, standbyName } from '../replication/standby-notes.ts'
import type { Store } from '../replication/store.ts'
import { readFollowedHeartbeat } from './followed-file.ts'
import { endFollowing, type Following, type FollowParts, findRound, follow, forget } from './followed-history.ts'
import type { Generation, Generations } from './generations.ts'
import { createStallWatch } from './stall-watch.ts'

/** The place is looked at this often; each look at a bucket costs money. */
const LOOKS_EVERY = { file: 5 * SECOND, sftp: 5 * SECOND, s3: 15 * SECOND } satisfies Record<
  ReplicaPlace['kind'],
  number
>
/** A copy that is older than this is stale. */
const STALE_AFTER = { file: 30 * SECOND, sftp: 30 * SECOND, s3: 60 * SECOND } satisfies Record<
  ReplicaPlace['kind'],
  number
>

/** What a standby says of itself. */
export type StandbySeen = {
  /** The history that is served; null before there is one. */
  history: string | null
  /** The newest heartbeat that arrived. */
  heartbeat: Heartbeat | null
  /** The age of what arrived in seconds: this machine's clock less the heartbeat; null without one. */
  ageSeconds: number | null
  isStale: boolean
  /** Why nothing newer can be served; null if nothing failed. */
  failure: string | null
}

/** Follows the place of another server's replica, and has copies to read from. */
export type Standby = {
  start(): void
  /** As `Generations.take`, of the newest history that was proven. */
  take: Generations['take']
  seen(): StandbySeen
  stop(): Promise<void>
}

export type StandbyParts = FollowParts & {
  /** The key of the installation, with which the notes at the place are sealed. */
  key: Uint8Array
  /** The name of this standby's note at the place. */
  id: string
  /** The address under which people reach this standby; empty if unknown. */
  url: string
  /** Returns why the copy of a history may not be served; null if it may. */
  prove: (generation: Generation) => Promise<string | null>
  clock: Clock
}

const steady = (): number => performance.now()
const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Follows the newest history of a place. A newer one, or the same fetched anew, is followed beside the one that is
 * served, and takes its place once a copy of it is proven.
 */
function createHistories(parts: StandbyParts, store: Store, notes: Notes) {
  const { prove, log } = parts
  let served: Following | undefined
  let next: Following | undefined
  let stall = createStallWatch(steady)
  let failure: string | null = null
  /** Histories that are no longer followed, but still have readers. */
  const leaving = new Set<Promise<void>>()
  const leave = (one: Following | undefined): void => {
    if (!one) return
    const left = forget(one).finally(() => leaving.delete(left))
    leaving.add(left)
  }
  const begin = (lineage: Found, round: number): void => {
    leave(next)
    next = follow(parts, store, lineage, round)
    stall = createStallWatch(steady)
  }

  /** Begins to follow the newest history if it is another one. */
  async function lookForHistory(): Promise<void> {
    const ours = (await readHistories(store, notes)).filter(({ proof }) => proof === 'ours')
    const newest = lineageAt(ours, null)
    if (!newest) throw new Error('no history of this installation has a first copy at the place yet')
    const known = (next ?? served)?.lineage.id
    if (known === newest.id) return
    if (known !== undefined) log.info({ history: newest.id }, 'the primary began another history, which is fetched')
    begin(newest, served ? 0 : findRound(parts, newest))
  }

  /** Serves the history that is fetched beside, if a copy of it is there and is proven. */
  async function proveNext(): Promise<void> {
    const one = next
    const main = one?.followers.get('brokerbase.db')
    if (!one || main?.process() === null) return
    const taken = await one.generations.take()
    if (!taken) return
    const why = await prove(taken.generation).finally(taken.release)
    if (next !== one) return
    if (why !== null) throw new Error(`the copy of the history ${one.lineage.id} is not served: ${why}`)
    leave(served)
    served = one
    next = undefined
    log.info({ history: one.lineage.id }, 'a history is served from now on')
  }

  /** Helps a follower of the served history that stands still. */
  async function lookForStall(): Promise<void> {
    const main = served?.followers.get('brokerbase.db')
    if (!served || !main || next) return
    const { reach } = await readChain(store, served.lineage.id, 'brokerbase.db')
    const remedy = stall(reach, main.applied())
    if (remedy === 'none') return
    log.error({ remedy, reach, applied: main.applied() }, 'the standby does not apply what its place has')
    if (remedy === 'restart') main.restart()
    else begin(served.lineage, served.round + 1)
  }

  return {
    served: () => served,
    failure: () => failure ?? served?.generations.failure() ?? null,
    /** Looks once; a failure is kept, and logged when it is another one. */
    look: async (): Promise<void> => {
      try {
        await lookForHistory()
        await proveNext()
        await lookForStall()
        failure = null
      } catch (error) {
        const why = said(error)
        if (why !== failure) log.warn({ why }, 'the standby could not look at its place, or use what it has')
        failure = why
      }
    },
    close: async (): Promise<void> => {
      await Promise.all([...leaving, ...[next, served].map((one) => one && endFollowing(one))])
    },
  }
}

/** Makes a standby that has not begun. */
export function createStandby(parts: StandbyParts): Standby {
  const { place, keys, key, id, url, clock, log } = parts
  const store = openStore(place, keys)
  const notes = createNotes(store, [key])
  const histories = createHistories(parts, store, notes)
  const ending = new AbortController()
  let newest: Heartbeat | null = null
  let work: Promise<unknown> = Promise.resolve()

  const seen = (): StandbySeen => {
    const ageSeconds = newest ? Math.max(0, Math.round((clock.now() - newest.at) / SECOND)) : null
    return {
      history: histories.served()?.lineage.id ?? null,
      heartbeat: newest,
      ageSeconds,
      isStale: ageSeconds === null || ageSeconds * SECOND > STALE_AFTER[place.kind],
      failure: histories.failure(),
    }
  }
  async function show(): Promise<void> {
    const { ageSeconds, history } = seen()
    const note: StandbyNote = { host: hostname(), url, ageSeconds, history: history ?? '', seenAt: toIso(clock.now()) }
    await notes.write(standbyName(id), note)
  }
  /** Reads the newest heartbeat each second, since a copy is made only when somebody reads. */
  async function feelPulse(): Promise<void> {
    for (; !ending.signal.aborted; await sleepUntil(SECOND, ending.signal)) {
      const main = histories.served()?.followers.get('brokerbase.db')
      if (main && main.process() !== null) newest = readFollowedHeartbeat(main.path) ?? newest
    }
  }
  async function run(): Promise<void> {
    let shownAt = Number.NEGATIVE_INFINITY
    for (; !ending.signal.aborted; await sleepUntil(LOOKS_EVERY[place.kind], ending.signal)) {
      // first, since the primary writes heartbeats only for a standby that it has seen
      if (steady() - shownAt >= SHOWN_EVERY) {
        shownAt = steady()
        await show().catch((error: unknown) => log.debug({ err: error }, 'the standby could not show itself'))
      }
      await histories.look()
    }
  }

  return {
    start: () => {
      work = Promise.all([run(), feelPulse()])
    },
    take: async () => histories.served()?.generations.take(),
    seen,
    stop: async () => {
      ending.abort()
      await work
      await histories.close()
      await notes.remove(standbyName(id)).catch((error: unknown) => log.debug({ err: error }, 'a note is left behind'))
    },
  }
}
