import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../log.ts'
import type { Histogram } from '../metrics.ts'
import type { Connection } from '../sqlite.ts'
import { type Checkpoint, createCheckpoint } from './writer-checkpoint.ts'
import { type Commits, createCommits } from './writer-commit.ts'
import { runGroup } from './writer-group.ts'
import { runLong } from './writer-long.ts'
import type { Queue, Queued, ReplicaGate, WriteHooks } from './writer-queue.ts'

/**
 * How a write is queued. `local`: its answer waits for this disk only, never for the replica. `always`: it is accepted
 * in any role of the server, for the server's own notes.
 */
type WriteOptions = { local?: boolean; always?: boolean }

/** Reports more waiting writes than can be served in reasonable time. It becomes a 503. */
export class WriterBusy extends Error {
  override name = 'WriterBusy'
}

export type Writer = {
  /**
   * Queues a synchronous callback; resolves with its result after its COMMIT is on disk. A callback that throws is
   * rolled back alone. Rejects with `CommitFailed` if the disk refused the group.
   */
  submit<T>(run: (hooks: WriteHooks) => T, options?: WriteOptions): Promise<T>
  /**
   * Queues a write that is too long for one tick: a generator that yields often. It has its own transaction; between
   * its steps reads run and other writes wait. Resolves and rejects like `submit`.
   */
  submitSteps<T>(steps: (hooks: WriteHooks) => Generator<void, T>): Promise<T>
  /**
   * Adds a listener called before each COMMIT, in its transaction, for the group as a whole. One that throws loses the
   * group.
   */
  beforeCommit(listener: () => void): void
  /** Adds a listener called between steps of a long write, in its transaction, which may still be undone. */
  betweenSteps(listener: () => void): void
  /** Adds a listener called after each COMMIT, e.g. to wake the outbox. */
  onCommit(listener: () => void): void
  /** Adds a listener called when a COMMIT failed or another process wrote, so that caches must be read again. */
  onLost(listener: () => void): void
  readonly checkpoint: Pick<Checkpoint, 'after' | 'pages'>
  /** From now on writes ask this gate for permission, and answers wait for the replica after COMMIT. */
  waitFor(gate: ReplicaGate): void
  /** Throws `ReplicaBehind` if the answer of an earlier write may not be repeated yet. */
  demandOwed(): void
  /** Commits queued writes and refuses more. */
  close(): Promise<void>
  /** Returns whether a COMMIT failed and none has succeeded since. */
  isFailing(): boolean
  readonly depth: number
  /** The number of writes in one COMMIT, and the seconds until they were on disk. */
  readonly groupSizes: Histogram
  readonly commitSeconds: Histogram
  /** The number of failed COMMITs. */
  readonly failures: number
}

const MAX_QUEUE = 10_000

/** Returns what the transactions themselves offer: listeners, the gate of the replica, and figures. */
const offer = (
  commits: Commits,
): Omit<Writer, 'submit' | 'submitSteps' | 'checkpoint' | 'close' | 'depth' | 'failures'> => ({
  beforeCommit: (listener) => void commits.finishers.push(listener),
  betweenSteps: (listener) => void commits.stepListeners.push(listener),
  onCommit: (listener) => void commits.commitListeners.push(listener),
  onLost: (listener) => void commits.lostListeners.push(listener),
  waitFor: commits.waitFor,
  demandOwed: commits.demandOwed,
  isFailing: commits.isFailing,
  groupSizes: commits.groupSizes,
  commitSeconds: commits.commitSeconds,
})

/** Creates the group-commit writer over the one read-write connection. src/README “Group commit”. */
export function createWriter(connection: Connection, log: Log, demandLeave: () => void = () => {}): Writer {
  const commits = createCommits(connection, log)
  const checkpoint = createCheckpoint(connection, log)
  /** Listeners of a commit must not run in the async context of the first writer. */
  const outside = AsyncLocalStorage.snapshot()
  const queue: Queue = { items: [] }
  /** Whether a turn is planned or a long write runs: then no other write may begin. */
  let scheduled = false
  let closed = false
  let idle: (() => void) | undefined

  const schedule = () => {
    if (!scheduled) setImmediate(() => outside(drain))
    scheduled = true
  }
  const proceed = (): void => {
    scheduled = false
    if (queue.items.length > 0) schedule()
    else idle?.()
  }
  const next = (): void => checkpoint.before(proceed)
  function drain(): void {
    const [first] = queue.items
    if (first && 'steps' in first.work) {
      queue.items = queue.items.slice(1)
      runLong(commits, first, first.work.steps, next)
    } else {
      runGroup(commits, queue)
      next()
    }
  }

  const enqueue = <T>(work: Queued['work'], { local = false, always = false }: WriteOptions = {}): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!always) demandLeave()
      if (closed) return reject(new WriterBusy('shutting down'))
      if (queue.items.length >= MAX_QUEUE) return reject(new WriterBusy('too many writes wait'))
      queue.items.push({ work, within: AsyncLocalStorage.snapshot(), local, resolve, reject })
      schedule()
    })

  return {
    submit: (run, options) => enqueue({ run }, options),
    submitSteps: (steps) => enqueue({ steps }),
    ...offer(commits),
    checkpoint,
    close: async () => {
      closed = true
      if (scheduled) await new Promise<void>((resolve) => (idle = resolve))
    },
    get depth() {
      return queue.items.length
    },
    get failures() {
      return commits.failures()
    },
  }
}
