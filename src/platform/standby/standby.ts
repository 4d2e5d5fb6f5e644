import { hostname } from 'node:os'
import { type Clock, MINUTE, SECOND, toIso } from '../clock.ts'
import type { Log } from '../log.ts'
import { readChain } from '../replication/chain.ts'
import type { DatabaseName } from '../replication/engine-config.ts'
import type { Heartbeat } from '../replication/heartbeat.ts'
import { createClaims, type Found, lineageAt, readHistories } from '../replication/histories.ts'
import { readRenewal } from '../replication/lease.ts'
import { createNotes, type Notes } from '../replication/notes.ts'
import { openStore } from '../replication/open-store.ts'
import type { ReplicaPlace } from '../replication/replica-place.ts'
import { sleepUntil } from '../replication/sleep-until.ts'
import { SHOWN_EVERY, type StandbyNote, standbyName } from '../replication/standby-notes.ts'
import type { Store } from '../replication/store.ts'
import { readFollowedHeartbeat } from './followed-file.ts'
import {
  catchUp,
  endEngines,
  endFollowing,
  endLeftFollowers,
  type Following,
  type FollowParts,
  findRound,
  follow,
  forget,
} from './followed-history.ts'
import type { Generation, Generations } from './generations.ts'
import { createSigns, readClockAhead, type Signs } from './primary-signs.ts'
import { createStallWatch } from './stall-watch.ts'

/** The place is looked at this often; each look at a bucket costs money. */
const LOOKS_EVERY = { file: 5 * SECOND, sftp: 5 * SECOND, s3: 15 * SECOND } satisfies Record<
  ReplicaPlace['kind'],
  number
>
/** The clock of the primary is looked at this often. */
const CLOCK_EVERY = 20 * SECOND
/** The changes of files.db at the place are read this often. */
const FILES_EVERY = 5 * MINUTE
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
  /** For how long (ms) there was no new heartbeat and no renewal of the lease. */
  silentMs: number
  /** By how many milliseconds the primary's clock is ahead of this one's, give or take a second; null if unknown. */
  clockAheadMs: number | null
  /** Why the last nightly proof found the copy not good; null if it was good, or there was none. */
  doubt: string | null
  /** Why nothing newer can be served; null if nothing failed. */
  failure: string | null
}

/** Follows the place of another server's replica, and has copies to read from. */
export type Standby = {
  start(): void
  /** As `Generations.take`, of the newest history that was proven. */
  take: Generations['take']
  seen(): StandbySeen
  /** Proves the present copy. Returns why it is not good, or null; undefined if there is none. */
  proveAgain(): Promise<string | null | undefined>
  /**
   * Follows until it has everything that the place has. Rejects if nothing is served yet, or a newer history is there.
   */
  catchUp(): Promise<void>
  /**
   * Ends the engines, so that nothing changes the followed files any more. Returns their directory, and how long the
   * last proof of their history took (ms). Only `take`, `seen` and `stop` may be called after it.
   */
  freeze(): Promise<{ directory: string; provedIn: number | null }>
  isFrozen(): boolean
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

type Stalls = Readonly<Record<DatabaseName, ReturnType<typeof createStallWatch>>>
const watchStalls = (): Stalls => ({ 'brokerbase.db': createStallWatch(steady), 'files.db': createStallWatch(steady) })

/** What is followed: the history that is served, and one that is fetched beside it. */
type Histories = {
  readonly parts: StandbyParts
  readonly store: Store
  readonly notes: Notes
  readonly readClaims: () => Promise<Found[]>
  served: Following | undefined
  next: Following | undefined
  /** Watches whether each database still gets further. */
  stalls: Stalls
  /** When the changes of files.db at the place were last read, by the steady clock. */
  filesSeenAt: number
  failure: string | null
  /** Histories that are no longer followed, but still have readers. */
  readonly leaving: Set<Promise<void>>
}

/** Makes what is followed, before the place was looked at. */
const followNothing = (parts: StandbyParts, store: Store, notes: Notes): Histories => ({
  parts,
  store,
  notes,
  served: undefined,
  next: undefined,
  failure: null,
  readClaims: createClaims(store, notes),
  stalls: watchStalls(),
  filesSeenAt: steady(),
  leaving: new Set(),
})

function leave({ leaving }: Histories, one: Following | undefined): void {
  if (!one) return
  const left = forget(one).finally(() => leaving.delete(left))
  leaving.add(left)
}

/** Begins to follow a history beside the one that is served. */
function begin(all: Histories, lineage: Found, round: number): void {
  leave(all, all.next)
  all.next = follow(all.parts, all.store, lineage, round)
  all.stalls = watchStalls()
}

/** Begins to follow the newest history if it is another one. */
async function lookForHistory(all: Histories): Promise<void> {
  const found = await readHistories(all.store, all.notes, all.readClaims)
  const ours = found.filter(({ proof }) => proof === 'ours')
  if (ours.length === 0 && found.length > 0)
    throw new Error('the place has histories, but none of this key: is secret.key that of the other machine?')
  const newest = lineageAt(ours, null)
  if (!newest) throw new Error('no history of this installation has a first copy at the place yet')
  const known = (all.next ?? all.served)?.lineage.id
  if (known === newest.id) return
  if (known !== undefined) all.parts.log.info({ history: newest.id }, 'the primary began another history')
  begin(all, newest, all.served ? 0 : findRound(all.parts, newest))
}

/** Serves the history that is fetched beside, if a copy of it is there and is proven. */
async function proveNext(all: Histories): Promise<void> {
  const one = all.next
  if (!one || one.followers.get('brokerbase.db')?.process() === null) return
  const taken = await one.generations.take()
  if (!taken) return
  const began = steady()
  const why = await all.parts.prove(taken.generation).finally(taken.release)
  if (all.next !== one) return
  one.provedIn = steady() - began
  if (why !== null) throw new Error(`the copy of the history ${one.lineage.id} is not served: ${why}`)
  leave(all, all.served)
  all.served = one
  all.next = undefined
  all.parts.log.info({ history: one.lineage.id }, 'a history is served from now on')
}

/** Returns whether a database is looked at now: files.db, whose engine looks each minute, each fifth minute. */
function isDue(all: Histories, database: DatabaseName): boolean {
  if (database !== 'files.db') return true
  if (steady() - all.filesSeenAt < FILES_EVERY) return false
  all.filesSeenAt = steady()
  return true
}

/** Helps a follower of the served history that stands still. */
async function lookForStall(all: Histories): Promise<void> {
  const { served, next, store } = all
  if (!served || next) return
  for (const [database, follower] of served.followers) {
    if (!isDue(all, database)) continue
    const { reach } = await readChain(store, served.lineage.id, database)
    const applied = follower.applied()
    const remedy = all.stalls[database](reach, applied)
    if (remedy === 'none') continue
    all.parts.log.error({ remedy, database, reach, applied }, 'the standby does not apply what its place has')
    if (remedy === 'restart') follower.restart()
    else return begin(all, served.lineage, served.round + 1)
  }
}

/** Looks at the place once. A failure is kept, and logged when it is another one. */
async function look(all: Histories): Promise<void> {
  try {
    await lookForHistory(all)
    await proveNext(all)
    await lookForStall(all)
    all.failure = null
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    if (why !== all.failure) all.parts.log.warn({ why }, 'the standby could not look at its place, or use what it has')
    all.failure = why
  }
}

/** Does something at an interval (ms) until the signal aborts; a failure is logged, and tried again. */
async function repeat(act: () => Promise<void>, every: number, signal: AbortSignal, log: Log): Promise<void> {
  for (; !signal.aborted; await sleepUntil(every, signal))
    await act().catch((error: unknown) => log.debug({ err: error }, 'a part of the standby failed, and is tried again'))
}

/** The state of a standby. */
type Kept = {
  readonly parts: StandbyParts
  readonly histories: Histories
  readonly ending: AbortController
  readonly signs: Signs
  newest: Heartbeat | null
  clockAheadMs: number | null
  doubt: string | null
  work: Promise<unknown>
}

function see({ parts, histories, newest, signs, clockAheadMs, doubt }: Kept): StandbySeen {
  const { clock, place } = parts
  const ageSeconds = newest ? Math.max(0, Math.round((clock.now() - newest.at) / SECOND)) : null
  return {
    history: histories.served?.lineage.id ?? null,
    heartbeat: newest,
    ageSeconds,
    isStale: ageSeconds === null || ageSeconds * SECOND > STALE_AFTER[place.kind],
    silentMs: signs.silentFor(),
    clockAheadMs,
    doubt,
    failure: histories.failure ?? histories.served?.generations.failure() ?? null,
  }
}

/** Writes the note with which the standby shows itself at the place. */
function show(kept: Kept): Promise<void> {
  const { id, url, clock } = kept.parts
  const { ageSeconds, history } = see(kept)
  const note: StandbyNote = { host: hostname(), url, ageSeconds, history: history ?? '', seenAt: toIso(clock.now()) }
  return kept.histories.notes.write(standbyName(id), note)
}

/** Reads the newest heartbeat, since a copy is made only when somebody reads. */
async function checkPulse(kept: Kept): Promise<void> {
  const main = kept.histories.served?.followers.get('brokerbase.db')
  if (main && main.process() !== null) kept.newest = readFollowedHeartbeat(main.path) ?? kept.newest
  kept.signs.heartbeat(kept.newest?.at ?? null)
}

/** Compares the primary's clock with this one's: the age is their difference. */
async function checkClock(kept: Kept): Promise<void> {
  const url = kept.newest?.url ?? ''
  if (url !== '') kept.clockAheadMs = await readClockAhead(url, kept.parts.clock.now)
}

function start(kept: Kept): void {
  const { parts, histories, ending } = kept
  const { place, log } = parts
  endLeftFollowers(parts)
  const always = (act: () => Promise<void>, every: number) => repeat(act, every, ending.signal, log)
  // shown before the first look, since the primary writes heartbeats only for a standby that it has seen
  const shown = always(() => show(kept), SHOWN_EVERY)
  const looked = always(async () => {
    await look(histories)
    kept.signs.renewal(await readRenewal(histories.notes))
  }, LOOKS_EVERY[place.kind])
  const pulse = always(() => checkPulse(kept), SECOND)
  kept.work = Promise.all([shown, looked, pulse, always(() => checkClock(kept), CLOCK_EVERY)])
}

async function proveAgain(kept: Kept): Promise<string | null | undefined> {
  const { served } = kept.histories
  const taken = await served?.generations.take()
  if (!served || !taken) return undefined
  const began = steady()
  kept.doubt = await kept.parts.prove(taken.generation).finally(taken.release)
  served.provedIn = steady() - began
  return kept.doubt
}

async function catchUpWith({ histories, ending }: Kept): Promise<void> {
  await lookForHistory(histories)
  const { served, next, store } = histories
  if (!served || next) throw new Error(`the copy of ${next?.lineage.id ?? 'a history'} is not complete and proven yet`)
  await catchUp(served, store, ending.signal)
}

async function freeze(kept: Kept): Promise<{ directory: string; provedIn: number | null }> {
  kept.ending.abort()
  await kept.work
  const { served } = kept.histories
  if (!served) throw new Error('nothing is followed')
  return { directory: await endEngines(served), provedIn: served.provedIn }
}

async function stop(kept: Kept): Promise<void> {
  const { parts, histories, ending } = kept
  ending.abort()
  await kept.work
  const { leaving, next, served, notes } = histories
  await Promise.all([...leaving, ...[next, served].map((one) => one && endFollowing(one))])
  await notes
    .remove(standbyName(parts.id))
    .catch((error: unknown) => parts.log.debug({ err: error }, 'a note is left behind'))
}

/** Makes a standby that has not begun. */
export function createStandby(parts: StandbyParts): Standby {
  const store = openStore(parts.place, parts.keys)
  const histories = followNothing(parts, store, createNotes(store, [parts.key]))
  const kept: Kept = {
    parts,
    histories,
    ending: new AbortController(),
    signs: createSigns(steady),
    newest: null,
    clockAheadMs: null,
    doubt: null,
    work: Promise.resolve(),
  }
  return {
    start: () => start(kept),
    take: async () => {
      const taken = await histories.served?.generations.take()
      kept.newest ??= taken?.generation.heartbeat ?? null
      return taken
    },
    seen: () => see(kept),
    proveAgain: () => proveAgain(kept),
    catchUp: () => catchUpWith(kept),
    isFrozen: () => kept.ending.signal.aborted,
    freeze: () => freeze(kept),
    stop: () => stop(kept),
  }
}
