import { SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import { createHistogram, type Histogram } from '../metrics.ts'
import type { ReplicaGate } from '../replication/gate.ts'
import type { Connection } from './client.ts'
import type { Queued, WriteHooks } from './writer-queue.ts'

/** COMMIT failed: nothing of the group is on disk. Becomes a 503. */
export class CommitFailed extends Error {
  override name = 'CommitFailed'
}

/** The largest group of writes that one COMMIT holds. */
export const MAX_GROUP = 256
const GROUP_BOUNDS = [1, 4, 16, 64, MAX_GROUP]
const COMMIT_BOUNDS = [0.0005, 0.002, 0.01, 0.05, 0.25, 1]

/** The transactions of the one read-write connection: how they begin and end, and who hears of that. */
export type Commits = {
  readonly connection: Connection
  /** Begins a transaction; throws where another process holds the lock. */
  begin(): void
  /** Commits so many writes; throws where the disk refuses, and then `lose` has to be called. */
  commit(size: number): void
  /** Notes that a COMMIT is on disk; answers a function that brings the replica up to it, once for all who ask. */
  committed(): () => Promise<void>
  /** Tells those who listen for COMMITs, after the writes of this one were answered. */
  tellCommitted(): void
  /** Nothing of these is on disk: everybody is told, and what is remembered of the disk is read afresh. */
  lose(items: readonly Queued[], cause: unknown): void
  /** Ends a transaction that may be open, with nothing of it left. */
  rollBack(): void
  /** Whether the answer of a write waits for the replica; throws where that is known to be out of reach. */
  mustWait(item: Pick<Queued, 'local'>, hooks: Pick<WriteHooks, 'isMoney'>): boolean
  /** From now on answers wait as this gate says. */
  waitFor(gate: ReplicaGate): void
  /** Throws `ReplicaBehind` where the answer of a write of before may not be repeated yet. */
  demandOwed(): void
  /** Called before each COMMIT, in its transaction; one that throws loses the group. */
  readonly finishers: (() => void)[]
  readonly commitListeners: (() => void)[]
  /** Called when a COMMIT failed or another process wrote. */
  readonly lostListeners: (() => void)[]
  isFailing(): boolean
  /** COMMITs that failed. */
  failures(): number
  /** Writes in one COMMIT, and the seconds that it took until they were on disk. */
  readonly groupSizes: Histogram
  readonly commitSeconds: Histogram
}

/** The transactions of a connection, of which none is open. */
export function createCommits(connection: Connection, log: Log): Commits {
  const groupSizes = createHistogram(GROUP_BOUNDS)
  const commitSeconds = createHistogram(COMMIT_BOUNDS)
  const finishers: (() => void)[] = []
  const commitListeners: (() => void)[] = []
  const lostListeners: (() => void)[] = []
  let gate: ReplicaGate | undefined
  let failing = false
  let failures = 0
  /** SQLite's count of what other connections committed, as of the last transaction. */
  let dataVersion: number | undefined

  /** Another process wrote (a command beside the server, the backup): what is remembered of the disk is out of date. */
  function noticeOthers(): void {
    const current = connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    if (dataVersion !== undefined && current !== dataVersion) for (const listener of lostListeners) listener()
    dataVersion = current
  }

  function rollBack(): void {
    if (!connection.raw.inTransaction) return
    try {
      connection.run('ROLLBACK')
    } catch (error) {
      log.error({ err: error }, 'a rollback failed')
    }
  }

  function commit(size: number): void {
    for (const finish of finishers) finish()
    const started = performance.now()
    connection.run('COMMIT')
    commitSeconds.observe((performance.now() - started) / SECOND)
    groupSizes.observe(size)
  }

  function committed(): () => Promise<void> {
    if (failing) log.warn('commits succeed again')
    failing = false
    gate?.committed()
    let arrival: Promise<void> | undefined
    return () => {
      arrival ??= gate?.reached() ?? Promise.resolve()
      return arrival
    }
  }

  function lose(items: readonly Queued[], cause: unknown): void {
    // a full disk would be filled further by one and the same line
    log[failing ? 'debug' : 'error']({ err: cause, writes: items.length }, 'commit failed')
    failing = true
    failures += 1
    rollBack()
    for (const listener of lostListeners) listener()
    const failure = new CommitFailed('the database could not commit', { cause })
    for (const item of items) item.reject(failure)
  }

  return {
    connection,
    begin: () => {
      connection.run('BEGIN IMMEDIATE')
      noticeOthers()
    },
    commit,
    committed,
    tellCommitted: () => {
      for (const listener of commitListeners) listener()
    },
    lose,
    rollBack,
    mustWait: ({ local }, { isMoney }) => {
      if (!gate || local || !gate.wants(isMoney)) return false
      gate.demand()
      return true
    },
    waitFor: (given) => {
      gate = given
    },
    demandOwed: () => gate?.demandOwed(),
    finishers,
    commitListeners,
    lostListeners,
    isFailing: () => failing,
    failures: () => failures,
    groupSizes,
    commitSeconds,
  }
}
