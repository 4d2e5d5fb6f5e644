import { SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import { createHistogram, type Histogram } from '../metrics.ts'
import type { Connection } from '../sqlite.ts'
import type { Queued, ReplicaGate, WriteHooks } from './writer-queue.ts'

/** Reports a failed COMMIT: nothing of the group is on disk. It becomes a 503. */
export class CommitFailed extends Error {
  override name = 'CommitFailed'
}

/** One COMMIT has at most this many writes. */
export const MAX_GROUP = 256
const GROUP_BOUNDS = [1, 4, 16, 64, MAX_GROUP]
const COMMIT_BOUNDS = [0.0005, 0.002, 0.01, 0.05, 0.25, 1]

/** The transactions of the one read-write connection, and their listeners. */
export type Commits = {
  readonly connection: Connection
  /** Begins a transaction; throws if another process holds the lock. */
  begin(): void
  /** Commits this many writes; throws if the disk refuses, and then `lose` has to be called. */
  commit(size: number): void
  /** Notes that a COMMIT is on disk; returns a function that brings the replica up to it, once for all callers. */
  committed(): () => Promise<void>
  /** Notifies the listeners of COMMITs, after the writes of this one were answered. */
  tellCommitted(): void
  /** Rejects these writes, since nothing of them is on disk, and makes the caches read again. */
  lose(items: readonly Queued[], cause: unknown): void
  /** Rolls back a transaction that may be open. */
  rollBack(): void
  /** Returns whether the answer of a write waits for the replica; throws if that is known to be out of reach. */
  mustWait(item: Pick<Queued, 'local'>, hooks: Pick<WriteHooks, 'isMoney'>): boolean
  /** From now on answers wait as this gate says. */
  waitFor(gate: ReplicaGate): void
  /** Throws `ReplicaBehind` if the answer of an earlier write may not be repeated yet. */
  demandOwed(): void
  /** Called before each COMMIT, in its transaction; one that throws loses the group. */
  readonly finishers: (() => void)[]
  /** Called between the steps of a long write. */
  readonly stepListeners: (() => void)[]
  readonly commitListeners: (() => void)[]
  /** Called when a COMMIT failed or another process wrote. */
  readonly lostListeners: (() => void)[]
  isFailing(): boolean
  /** Returns the number of failed COMMITs. */
  failures(): number
  /** The number of writes in one COMMIT, and the seconds until they were on disk. */
  readonly groupSizes: Histogram
  readonly commitSeconds: Histogram
}

/**
 * Returns a check, run at the begin of each transaction, that notifies these listeners if another connection wrote
 * since the last one.
 */
function watchOthers(connection: Connection, listeners: readonly (() => void)[]): () => void {
  /** SQLite's count of what other connections committed, as of the last transaction. */
  let dataVersion: number | undefined
  return () => {
    const current = connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    // a command beside the server, or the backup, wrote, so the caches are out of date
    if (dataVersion !== undefined && current !== dataVersion) for (const listener of listeners) listener()
    dataVersion = current
  }
}

/** Decides how answers wait for the replica; without a gate they do not. */
function createWaiting() {
  let gate: ReplicaGate | undefined
  return {
    /** Notes a COMMIT; returns a function that brings the replica up to it, once for all callers. */
    noteCommit: (): (() => Promise<void>) => {
      gate?.committed()
      let arrival: Promise<void> | undefined
      return () => {
        arrival ??= gate?.reached() ?? Promise.resolve()
        return arrival
      }
    },
    mustWait: ({ local }: Pick<Queued, 'local'>, { isMoney }: Pick<WriteHooks, 'isMoney'>): boolean => {
      if (!gate || local || !gate.wants(isMoney)) return false
      gate.demand()
      return true
    },
    waitFor: (given: ReplicaGate): void => {
      gate = given
    },
    demandOwed: (): void => gate?.demandOwed(),
  }
}

/** Rolls back a transaction of this connection that may be open. */
function rollBackOn(connection: Connection, log: Log): void {
  if (!connection.raw.inTransaction) return
  try {
    connection.run('ROLLBACK')
  } catch (error) {
    log.error({ err: error }, 'a rollback failed')
  }
}

/** Returns the transactions of a connection; none is open yet. */
export function createCommits(connection: Connection, log: Log): Commits {
  const groupSizes = createHistogram(GROUP_BOUNDS)
  const commitSeconds = createHistogram(COMMIT_BOUNDS)
  const finishers: (() => void)[] = []
  const stepListeners: (() => void)[] = []
  const commitListeners: (() => void)[] = []
  const lostListeners: (() => void)[] = []
  const { noteCommit, ...waiting } = createWaiting()
  const noticeOthers = watchOthers(connection, lostListeners)
  let failing = false
  let failures = 0

  return {
    connection,
    ...waiting,
    begin: () => {
      connection.run('BEGIN IMMEDIATE')
      noticeOthers()
    },
    commit: (size) => {
      for (const finish of finishers) finish()
      const started = performance.now()
      connection.run('COMMIT')
      commitSeconds.observe((performance.now() - started) / SECOND)
      groupSizes.observe(size)
    },
    committed: () => {
      if (failing) log.warn('commits succeed again')
      failing = false
      return noteCommit()
    },
    tellCommitted: () => {
      for (const listener of commitListeners) listener()
    },
    lose: (items, cause) => {
      // repeating the line would fill a full disk further
      log[failing ? 'debug' : 'error']({ err: cause, writes: items.length }, 'commit failed')
      failing = true
      failures += 1
      rollBackOn(connection, log)
      for (const listener of lostListeners) listener()
      const failure = new CommitFailed('the database could not commit', { cause })
      for (const item of items) item.reject(failure)
    },
    rollBack: () => rollBackOn(connection, log),
    finishers,
    stepListeners,
    commitListeners,
    lostListeners,
    isFailing: () => failing,
    failures: () => failures,
    groupSizes,
    commitSeconds,
  }
}
