import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, HOUR, MINUTE, SECOND } from '../clock.ts'
import type { PackedBinary } from '../embedded.ts'
import type { Log } from '../log.ts'
import { residentBytes } from '../query-runner/limits.ts'
import { BrokenState, DATABASES, type DatabaseName, type Engine, endLeftEngine, superviseEngine } from './engine.ts'
import { type EngineBinary, engineBinary, engineDirectory } from './engine-binary.ts'
import { ANSWER_WITHIN, createGate, type ReplicaGate } from './gate.ts'
import { createLease, type Lease } from './lease.ts'
import { beginLineage, completeLineage, type Mark } from './lineage.ts'
import { openStore } from './open-store.ts'
import type { ReplicaSettings } from './place.ts'

/** An engine that is dead checkpoints nothing: after so long the databases do it by themselves again. */
const CHECKPOINTS_AFTER = 10 * SECOND
/** Pages of log after which SQLite checkpoints where nobody else does. */
const OWN_CHECKPOINTS = 1000
/**
 * Until the engine lives it needs what is in the log; beyond so many pages, 256 MiB, it is cheaper for it to begin with
 * another snapshot. A server that is killed within its first seconds again and again would fill the disk otherwise.
 */
const MOST_PAGES_BEFORE_ENGINE = 65_536
/** How often the replica is asked for what it does not have yet. */
const LOOK_EVERY = 2 * SECOND
const TRY_AGAIN = 10 * SECOND
/** So often, with no success between, the engine has to say that its state is broken before another history begins. */
const BROKEN_LOOKS = 3
/** Another history is another whole copy: where a disk spoils one after the other, the alarm is for its operator. */
const RESETS_EVERY = HOUR
/** What the last sync may take when the server stops. */
const LAST_SYNC = 10 * SECOND
/** How long a server that stops waits for calls of a place that may hang, and for its lease to be given up. */
const FAREWELL = 2 * SECOND
/** A replica so far behind is worth a line in the log, and then worth waking somebody. */
export const LAG_WARNS = 30 * SECOND
export const LAG_ALARMS = 5 * MINUTE

/** How far the replica of one database is: `lagMs` is 0 while it has everything. */
type ReplicaSeen = { name: DatabaseName; lagMs: number; syncedAt: number | null }

/** How replication stands, for who operates the box. */
type ReplicationSeen = {
  state: 'waiting' | 'starting' | 'running' | 'down'
  /** Why it does not run, in words; null while it does. */
  why: string | null
  url: string
  lineage: string | null
  engine: { version: string; pid: number | null; rssBytes: number | null; restarts: number } | null
  databases: ReplicaSeen[]
}

export type Replication = {
  /** Begins in the background. What goes wrong is told by `seen` and the log, and tried again. */
  start(): void
  /** Resolves once it runs, or after so many milliseconds. */
  settled(patience: number): Promise<void>
  seen(): ReplicationSeen
  /** Brings the replica up to now; resolves with a moment of which it has everything. Rejects where it cannot. */
  reachedAt(): Promise<number>
  gate: ReplicaGate
  /** Tells that something was committed to a database. */
  committed(name: DatabaseName): void
  /** After the databases were closed: a last sync, then the end of the engine. */
  stop(): Promise<void>
}

/** What was committed to a database, what the replica has of it, and since when it lacks something. */
type Progress = { commits: number; synced: number; since: number; syncedAt: number | null }

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Sleeps until the time has passed or the signal ends it. */
async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const wake = (): void => resolve()
  const timer = setTimeout(wake, ms)
  signal.addEventListener('abort', wake, { once: true })
  await promise
  clearTimeout(timer)
  signal.removeEventListener('abort', wake)
}

/** Replicates the databases of the data directory to where the configuration says. The engine is Litestream. */
export function createReplication(parts: {
  dataDir: string
  replica: ReplicaSettings
  /** The operator's engine in place of the one inside this program; empty for that. */
  litestream: string
  /** Puts the sealed key beside the replica, where the operator wants it there. */
  keepKey: () => Promise<void>
  packed: PackedBinary | null
  clock: Clock
  log: Log
  /** After how many pages of log the databases checkpoint by themselves; 0 leaves it to the engine. */
  checkpointAfter: (pages: number) => void
  mark: { known: () => Mark | undefined; note: (mark: Mark) => Promise<void> }
  schema: number
  version: string
}): Replication {
  const { dataDir, replica, litestream, keepKey, packed, clock, log, checkpointAfter, mark, schema, version } = parts
  const store = openStore(replica.place, replica.keys)
  const ending = new AbortController()
  // what a process before this one committed may be missing too
  const unknown = (): Progress => ({ commits: 1, synced: 0, since: performance.now(), syncedAt: null })
  const progress: Record<DatabaseName, Progress> = { 'brokerbase.db': unknown(), 'files.db': unknown() }
  const running = Promise.withResolvers<void>()
  let state: ReplicationSeen['state'] = 'starting'
  let why: string | null = 'it is being started'
  let lineage: string | null = null
  let binary: EngineBinary | null = null
  let engine: Engine | null = null
  let lease: Lease | null = null
  let checkpoints: ReturnType<typeof setTimeout> | undefined
  let looking: ReturnType<typeof setInterval> | undefined
  let isBehind = false
  let isComplete = false
  let brokenLooks = 0
  let resetAt = Number.NEGATIVE_INFINITY
  /** Set when what the engine keeps is broken, until another history has begun for that. */
  let isBroken = false
  /** Ends the engine of the present history, for another one. */
  let reset = new AbortController()
  let whole: Promise<void> = Promise.resolve()

  const become = (next: ReplicationSeen['state'], reason: string | null): void => {
    const isNews = next !== state || reason !== why
    state = next
    why = reason
    if (next === 'running') running.resolve()
    if (!isNews) return
    if (reason === null) log.info({ lineage, url: replica.url }, 'replication runs')
    else log[next === 'starting' ? 'debug' : 'warn']({ why: reason }, 'replication does not run')
  }
  const letEngineCheckpoint = (isAlive: boolean): void => {
    clearTimeout(checkpoints)
    // the databases are closed by then
    if (ending.signal.aborted) return
    if (isAlive) checkpointAfter(0)
    else checkpoints = setTimeout(() => checkpointAfter(OWN_CHECKPOINTS), CHECKPOINTS_AFTER)
  }
  const lagOf = ({ commits, synced, since }: Progress): number => (commits === synced ? 0 : performance.now() - since)

  /** Brings the replica of a database up to now. */
  async function sync(name: DatabaseName, patience: number): Promise<void> {
    const one = progress[name]
    const { commits } = one
    if (one.synced >= commits) return
    if (!engine?.isAlive()) throw new Error(engine?.lastEnd() ?? why ?? 'the engine does not run')
    const begun = performance.now()
    await engine.sync(name, patience)
    one.syncedAt = clock.now()
    one.synced = Math.max(one.synced, commits)
    // what was committed while this was under way waits since then at the longest
    one.since = Math.max(one.since, begun)
  }

  function committed(name: DatabaseName): void {
    const one = progress[name]
    if (one.commits === one.synced) one.since = performance.now()
    one.commits += 1
  }

  /** Begins another history where the engine says again and again that it cannot go on with this one. */
  function judge(error: unknown): void {
    // an answer that came too late says nothing of the state
    if (error instanceof BrokenState) brokenLooks += 1
    if (brokenLooks < BROKEN_LOOKS || performance.now() - resetAt < RESETS_EVERY) return
    log.warn({ why: said(error) }, 'what the engine keeps is damaged, and a new history begins')
    resetAt = performance.now()
    isBroken = true
    reset.abort()
  }

  let isLooking = false
  async function look(): Promise<void> {
    if (isLooking || !engine) return
    isLooking = true
    try {
      if (!engine.isAlive()) throw new Error(engine.lastEnd() ?? 'the engine does not answer yet')
      await Promise.all(DATABASES.map((name) => sync(name, ANSWER_WITHIN)))
      // an answer that waits for the replica must not leave before a restore would look there
      if (!isComplete && lineage !== null) await completeLineage(store, lineage)
      isComplete = true
      brokenLooks = 0
      become('running', null)
    } catch (error) {
      judge(error)
      // a first copy of a large database takes its time
      if (state !== 'starting' || !engine?.isAlive()) become('down', said(error))
    }
    isLooking = false
    const lagMs = Math.max(...DATABASES.map((name) => lagOf(progress[name])))
    if (lagMs > LAG_WARNS && !isBehind) log.warn({ lagMs: Math.round(lagMs), why }, 'the replica is behind')
    if (lagMs < LAG_WARNS && isBehind) log.info('the replica is up to date again')
    isBehind = lagMs > LAG_WARNS
  }

  /** Replicates while this process holds the place; ends with who else has it. */
  async function hold(held: Lease, program: EngineBinary, signal: AbortSignal): Promise<void> {
    const url = replica.url
    const begun = {
      store,
      dataDir,
      place: url,
      known: mark.known(),
      note: mark.note,
      forget: () => {
        for (const name of DATABASES) rmSync(join(engineDirectory(dataDir), name), { recursive: true, force: true })
      },
      isBroken,
      now: clock.now(),
      schema,
      version,
    }
    lineage = (await beginLineage(begun)).id
    isBroken = false
    isComplete = false
    reset = new AbortController()
    // what another history had, this one need not have
    for (const name of DATABASES) committed(name)
    await keepKey()
    // a server that stops does not wait for the calls above, and an engine that began now would outlive it
    if (signal.aborted) return
    const one = superviseEngine({
      binary: program.path,
      dataDir,
      place: replica.place,
      keys: replica.keys,
      lineage,
      log,
      changed: (isAlive) => {
        letEngineCheckpoint(isAlive)
        if (isAlive) void look()
        else if (!ending.signal.aborted) become('down', one.lastEnd() ?? 'the engine ended')
      },
    })
    engine = one
    one.start()
    looking = setInterval(look, LOOK_EVERY)
    const other = await held.keep(AbortSignal.any([signal, reset.signal]))
    if (signal.aborted) return
    clearInterval(looking)
    engine = null
    await one.stop()
    letEngineCheckpoint(false)
    if (other === null) become('starting', 'a new history begins')
    else become('waiting', `${other} took this place over`)
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await endLeftEngine(dataDir)
        binary ??= await engineBinary(dataDir, { named: litestream, packed })
        lease ??= createLease({ store, dataDir, now: clock.now, sleep: sleepUntil })
        await lease.take(signal, (who) => become('waiting', `${who}, replicates to this place`))
        if (!signal.aborted) await hold(lease, binary, signal)
      } catch (error) {
        if (signal.aborted) return
        become('down', said(error))
        await sleepUntil(TRY_AGAIN, signal)
      }
    }
  }

  return {
    start: () => {
      checkpointAfter(MOST_PAGES_BEFORE_ENGINE)
      letEngineCheckpoint(false)
      whole = run(ending.signal)
    },
    settled: async (patience) => {
      await Promise.race([running.promise, sleepUntil(patience, ending.signal)])
    },
    seen: () => {
      const pid = engine?.pid() ?? null
      return {
        state,
        why,
        url: replica.url,
        lineage,
        engine: binary && {
          version: binary.version,
          pid,
          rssBytes: pid === null ? null : residentBytes(pid),
          restarts: engine?.restarts() ?? 0,
        },
        databases: DATABASES.map((name) => ({
          name,
          lagMs: Math.round(lagOf(progress[name])),
          syncedAt: progress[name].syncedAt,
        })),
      }
    },
    reachedAt: async () => {
      const now = clock.now()
      await Promise.all(DATABASES.map((name) => sync(name, LAST_SYNC)))
      return now
    },
    gate: createGate({
      wait: replica.wait,
      degrade: replica.degrade,
      sync: async (patience) => {
        await Promise.all(DATABASES.map((name) => sync(name, patience)))
      },
      isAway: () => state !== 'running',
      committed: () => committed('brokerbase.db'),
      owe: () => {
        const owed = DATABASES.map((name) => [progress[name], progress[name].commits] as const)
        return () => owed.every(([one, commits]) => one.synced >= commits)
      },
      log,
    }),
    committed,
    stop: async () => {
      ending.abort()
      clearTimeout(checkpoints)
      clearInterval(looking)
      await Promise.race([whole, Bun.sleep(FAREWELL)])
      try {
        if (engine?.isAlive()) await Promise.all(DATABASES.map((name) => sync(name, LAST_SYNC)))
      } catch (error) {
        log.warn({ err: error }, 'the replica lacks the last writes of this server')
      }
      await engine?.stop()
      const released = lease
        ?.release()
        .catch((error: unknown) => log.debug({ err: error }, 'the place was not given up'))
      await Promise.race([released, Bun.sleep(FAREWELL)])
    },
  }
}
