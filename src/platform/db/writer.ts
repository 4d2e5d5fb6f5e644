import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../log.ts'
import type { Histogram } from '../metrics.ts'
import type { Connection } from '../sqlite.ts'
import { type Commits, createCommits } from './writer-commit.ts'
import { runGroup } from './writer-group.ts'
import { runLong } from './writer-long.ts'
import type { Queue, Queued, ReplicaGate, WriteHooks } from './writer-queue.ts'

/**
 * How a write is queued. `local`: it is answered from this disk alone, whatever waits for the replica. `always`: it is
 * taken whoever may write, for what this server remembers of its own place.
 */
type WriteOptions = { local?: boolean; always?: boolean }

/** More writes wait than can be served in reasonable time. Becomes a 503. */
export class WriterBusy extends Error {
  override name = 'WriterBusy'
}

export type Writer = {
  /**
   * Queues a synchronous callback; resolves with its result after the COMMIT that holds it is on disk. A
   * callback that throws is rolled back alone. Rejects with `CommitFailed` when the disk refused the group.
   */
  submit<T>(run: (hooks: WriteHooks) => T, options?: WriteOptions): Promise<T>
  /**
   * Queues a write that is too long for one tick: a generator that yields often. It has a transaction of
   * its own; between its steps reads go on and other writes wait. Resolves and rejects as `submit` does.
   */
  submitSteps<T>(steps: (hooks: WriteHooks) => Generator<void, T>): Promise<T>
  /**
   * Called before each COMMIT, in its transaction, for what belongs
   * to the group as a whole. One that throws loses the group.
   */
  beforeCommit(listener: () => void): void
  /** Called now and then between the steps of a long write, in its transaction, which may still be undone. */
  betweenSteps(listener: () => void): void
  /** Called after each COMMIT, e.g. to wake the outbox. */
  onCommit(listener: () => void): void
  /** Called when a COMMIT failed or another process wrote, and in-memory heads must be read afresh. */
  onLost(listener: () => void): void
  /** From now on answers wait as this gate says, before a write for leave and after its COMMIT for the replica. */
  waitFor(gate: ReplicaGate): void
  /** Throws `ReplicaBehind` where the answer of a write of before may not be repeated yet. */
  demandOwed(): void
  /** Commits what is queued and refuses more. */
  close(): Promise<void>
  /** Whether a COMMIT failed and none has succeeded since. */
  isFailing(): boolean
  readonly depth: number
  /** Writes in one COMMIT, and the seconds that it took until they were on disk. */
  readonly groupSizes: Histogram
  readonly commitSeconds: Histogram
  /** COMMITs that failed. */
  readonly failures: number
}

const MAX_QUEUE = 10_000

/** How others hear of what the writer does. */
const listening = (commits: Commits): Pick<Writer, 'beforeCommit' | 'betweenSteps' | 'onCommit' | 'onLost'> => ({
  beforeCommit: (listener) => void commits.finishers.push(listener),
  betweenSteps: (listener) => void commits.stepListeners.push(listener),
  onCommit: (listener) => void commits.commitListeners.push(listener),
  onLost: (listener) => void commits.lostListeners.push(listener),
})

/** The group-commit writer over the one read-write connection. src/README “Group commit”. */
export function createWriter(connection: Connection, log: Log, demandLeave: () => void = () => {}): Writer {
  const commits = createCommits(connection, log)
  /** Writes are done for nobody in particular: what hears of a commit must not go on as whoever wrote first. */
  const outside = AsyncLocalStorage.snapshot()
  const queue: Queue = { items: [] }
  /** Whether a turn is planned or a long write is under way: nothing else may begin to write. */
  let scheduled = false
  let closed = false
  let idle: (() => void) | undefined

  const schedule = () => {
    if (!scheduled) setImmediate(() => outside(drain))
    scheduled = true
  }
  function next(): void {
    scheduled = false
    if (queue.items.length > 0) schedule()
    else idle?.()
  }
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
    ...listening(commits),
    waitFor: commits.waitFor,
    demandOwed: commits.demandOwed,
    close: async () => {
      closed = true
      if (scheduled) await new Promise<void>((resolve) => (idle = resolve))
    },
    isFailing: commits.isFailing,
    get depth() {
      return queue.items.length
    },
    groupSizes: commits.groupSizes,
    commitSeconds: commits.commitSeconds,
    get failures() {
      return commits.failures()
    },
  }
}
