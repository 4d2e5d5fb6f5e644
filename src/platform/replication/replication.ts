import { SECOND } from '../clock.ts'
import type { ReplicaGate } from '../db/writer-queue.ts'
import type { Log } from '../log.ts'
import { residentBytes } from '../query-runner/limits.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createDamage } from './damage.ts'
import type { DatabaseName } from './engine-config.ts'
import { createGate } from './gate.ts'
import { findLack } from './held-place.ts'
import { type Lineage, writeClaim } from './histories.ts'
import { createNotes, type Notes } from './notes.ts'
import { openStore } from './open-store.ts'
import { createProgress, type ReplicaSeen } from './progress.ts'
import { createReplicationStatus, type State } from './replication-state.ts'
import { sleepUntil } from './sleep-until.ts'
import type { Store } from './store.ts'
import { createPresent, createWatch, type Present, syncAll } from './watch.ts'
import { createTenure, type Tenure, type TenureParts } from './writing-place.ts'

/** The time that the last sync may take when the server stops. */
const LAST_SYNC = 10 * SECOND
/** The time that a server which stops waits for calls that may hang, and for giving up its lease. */
const FAREWELL = 2 * SECOND

/** The state of replication, for the operator. */
type ReplicationSeen = {
  state: State
  /** The reason why it does not run; null while it does. */
  why: string | null
  url: string
  lineage: string | null
  /** The reason why the place can no longer restore the history that was there; null while it can. */
  lost: string | null
  /** The number of such losses since this process began. */
  losses: number
  engine: { version: string; pid: number | null; rssBytes: number | null; restarts: number } | null
  databases: ReplicaSeen[]
}

export type Replication = {
  /** Begins in the background. Failures are in `seen` and in the log, and are tried again. */
  start(): void
  /** Resolves once it is known whether this server writes: it or another one has the place, or the place is away. */
  readonly decided: Promise<void>
  /** Resolves once it runs, or after `patience` milliseconds. */
  settled(patience: number): Promise<void>
  seen(): ReplicationSeen
  /** Brings the replica up to date; resolves with a time (ms) until which it has everything. Rejects if it cannot. */
  reachedAt(): Promise<number>
  gate: ReplicaGate
  /** Records what is committed now; the returned function says whether the replica has it. */
  owe(): () => boolean
  /** Records that a database has a new commit. */
  committed(name: DatabaseName): void
  /** Syncs a last time and ends the engine; called after the databases were closed. */
  stop(): Promise<void>
}

/** Returns the facts of the engine; null until its program was found. */
function engineSeen(tenure: Tenure, { engine }: Present): ReplicationSeen['engine'] {
  const binary = tenure.binary()
  if (!binary) return null
  const pid = engine?.pid() ?? null
  const rssBytes = pid === null ? null : residentBytes(pid)
  return { version: binary.version, pid, rssBytes, restarts: engine?.restarts() ?? 0 }
}

/** Syncs the last writes, if the place answers in time, ends the engine and gives the place up. */
async function leave(
  { engine }: Present,
  tenure: Tenure,
  sync: (patience: number) => Promise<void>,
  log: Log,
): Promise<void> {
  try {
    if (engine?.isAlive()) await sync(LAST_SYNC)
  } catch (error) {
    log.warn({ err: error }, 'the replica lacks the last writes of this server')
  }
  await engine?.stop()
  const released = tenure.release().catch((error: unknown) => log.debug({ err: error }, 'the place was not given up'))
  await Promise.race([released, Bun.sleep(FAREWELL)])
}

/** Makes a function that checks that the place has a first copy of both databases, and notes it there. */
function completing(
  { loss }: TenureParts,
  { store, notes, present }: { store: Store; notes: Notes; present: Present },
): (lineage: Lineage) => Promise<void> {
  return async (lineage) => {
    const { lack } = await findLack(store, lineage.id, (name) => present.reached.get(name) ?? 0)
    if (lack !== null) return present.lose(lack)
    await writeClaim(store, notes, { ...lineage, complete: true })
    if (present.lost === null) return
    await loss(present.lost, true)
    present.lost = null
  }
}

/** Resolves once the role is no longer `starting`, another server holds the place, or nobody can know who does. */
function decision({ roles }: TenureParts): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  roles.onChange((role) => {
    if (role.name !== 'starting' || role.by !== null || role.isUnknown) resolve()
  })
  return promise
}

/**
 * Replicates the databases of the data directory to the place in the configuration. The engine is Litestream.
 * `checkpointAfter` sets the pages of log after which the databases make a checkpoint; 0 leaves it to the engine.
 */
export function createReplication(
  parts: TenureParts & { checkpointAfter: (pages: number) => void; key: Uint8Array },
): Replication {
  const { replica, clock, log, key } = parts
  const store = openStore(replica.place, replica.keys)
  const notes = createNotes(store, [key])
  const ending = new AbortController()
  const present = createPresent(log)
  const progress = createProgress(clock)
  const status = createReplicationStatus(log, () => ({ lineage: present.lineage?.id ?? null, url: replica.url }))
  const damage = createDamage()
  const checkpoints = createCheckpoints(parts.checkpointAfter)
  const complete = completing(parts, { store, notes, present })
  const watch = createWatch({ present, progress, status, damage, complete, log })
  const tenure = createTenure({ ...parts, store, notes }, { present, progress, status, damage, checkpoints, watch })
  const sync = (patience: number): Promise<void> => syncAll({ present, progress, status }, patience)
  const isAway = (): boolean => status.state !== 'running' || present.lost !== null || !tenure.isSure()
  const committed = (): void => progress.committed('brokerbase.db')
  let whole: Promise<void> = Promise.resolve()
  const decided = decision(parts)
  return {
    decided,
    start: () => {
      checkpoints.begin()
      whole = tenure.run(ending.signal)
    },
    settled: async (patience) => {
      await Promise.race([status.ran, sleepUntil(patience, ending.signal)])
    },
    seen: () => ({
      state: status.state,
      why: status.why,
      url: replica.url,
      lineage: present.lineage?.id ?? null,
      lost: present.lost,
      losses: present.losses,
      engine: engineSeen(tenure, present),
      databases: progress.seen(),
    }),
    reachedAt: async () => {
      const now = clock.now()
      await sync(LAST_SYNC)
      return now
    },
    gate: createGate({ ...replica, sync, isAway, isSure: tenure.isSure, committed, owe: progress.owe, log }),
    owe: progress.owe,
    committed: progress.committed,
    stop: async () => {
      ending.abort()
      checkpoints.stop()
      watch.end()
      await Promise.race([whole, Bun.sleep(FAREWELL)])
      await leave(present, tenure, sync, log)
    },
  }
}
