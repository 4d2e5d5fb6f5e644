import { SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import { createHistogram, type Histogram } from '../metrics.ts'
import type { ReplicaGate } from '../replication/gate.ts'
import type { Connection } from './client.ts'

/** What a write may ask for beside its rows. */
export type WriteHooks = {
  /**
   * Runs when this write's savepoint is released, before COMMIT: promote in-memory state that the next write must see.
   */
  onRelease: (() => void) | undefined
  /** Set by a write about money: its answer may have to wait for the replica. */
  isMoney: boolean
}

/** How a write is queued. `local`: it is answered from this disk alone, whatever waits for the replica. */
type WriteOptions = { local?: boolean }

type Queued = {
  /** A short write, or the steps of a long one. */
  work: { run: (hooks: WriteHooks) => unknown } | { steps: (hooks: WriteHooks) => Generator<void, unknown> }
  local: boolean
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

/** Settles a promise once its group is committed; `reached` brings the replica up to that. */
type Settle = (reached: () => Promise<void>) => void

/** COMMIT failed: nothing of the group is on disk. Becomes a 503. */
export class CommitFailed extends Error {
  override name = 'CommitFailed'
}

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
/** A group stops growing here, so that one tick cannot hold the event loop for long. */
const MAX_GROUP = 256
const MAX_GROUP_MS = 25
/** How long the steps of a long write may hold the event loop at a stretch. */
const STRETCH_MS = 8
const GROUP_BOUNDS = [1, 4, 16, 64, MAX_GROUP]
const COMMIT_BOUNDS = [0.0005, 0.002, 0.01, 0.05, 0.25, 1]

/** The group-commit writer over the one read-write connection. src/README “Group commit”. */
export function createWriter(connection: Connection, log: Log): Writer {
  let queue: Queued[] = []
  let scheduled = false
  let closed = false
  let failing = false
  let gate: ReplicaGate | undefined
  let failures = 0
  const groupSizes = createHistogram(GROUP_BOUNDS)
  const commitSeconds = createHistogram(COMMIT_BOUNDS)
  const commitListeners: (() => void)[] = []
  const finishers: (() => void)[] = []
  const lostListeners: (() => void)[] = []
  let idle: (() => void) | undefined

  /** Another process wrote (a command beside the server, the backup): what is remembered of the disk is out of date. */
  let dataVersion: number | undefined
  function noticeOthers(): void {
    const current = connection.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    if (dataVersion !== undefined && current !== dataVersion) for (const listener of lostListeners) listener()
    dataVersion = current
  }

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(drain)
  }

  /** Runs one callback in a savepoint; returns how to settle its promise once the group's fate is known. */
  function runOne(item: Queued, run: (hooks: WriteHooks) => unknown): Settle {
    const hooks: WriteHooks = { onRelease: undefined, isMoney: false }
    connection.run('SAVEPOINT w')
    try {
      const value = run(hooks)
      const waits = mustWait(item, hooks)
      connection.run('RELEASE w')
      hooks.onRelease?.()
      if (!waits) return () => item.resolve(value as never)
      return (reached) => void reached().then(() => item.resolve(value as never), item.reject)
    } catch (error) {
      connection.run('ROLLBACK TO w')
      connection.run('RELEASE w')
      return () => item.reject(error)
    }
  }

  /** Whether the answer waits for the replica; throws where that is known to be out of reach. */
  function mustWait(item: Queued, { isMoney }: WriteHooks): boolean {
    if (!gate || item.local || !gate.wants(isMoney)) return false
    gate.demand()
    return true
  }

  /** Tells of a COMMIT, and answers a function that brings the replica up to it, once for all who ask. */
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

  function begin(): void {
    connection.run('BEGIN IMMEDIATE')
    noticeOthers()
  }

  function commitGroup(size: number): void {
    for (const finish of finishers) finish()
    const started = performance.now()
    connection.run('COMMIT')
    commitSeconds.observe((performance.now() - started) / SECOND)
    groupSizes.observe(size)
  }

  function rollBack(): void {
    if (!connection.raw.inTransaction) return
    try {
      connection.run('ROLLBACK')
    } catch (error) {
      log.error({ err: error }, 'a rollback failed')
    }
  }

  /** Nothing of these is on disk: everybody is told, and what is remembered of the disk is read afresh. */
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

  function next(): void {
    scheduled = false
    if (queue.length > 0) schedule()
    else idle?.()
  }

  function drain(): void {
    const [first] = queue
    if (first && 'steps' in first.work) {
      queue = queue.slice(1)
      runLong(first, first.work.steps)
    } else {
      runGroup()
      next()
    }
  }

  function runGroup(): void {
    const started = performance.now()
    const settle: Settle[] = []
    const group: Queued[] = []
    try {
      begin()
      for (const item of queue) {
        if (!('run' in item.work) || group.length >= MAX_GROUP || performance.now() - started > MAX_GROUP_MS) break
        group.push(item)
        settle.push(runOne(item, item.work.run))
      }
      commitGroup(group.length)
    } catch (cause) {
      // BEGIN itself may have failed: then nobody ran, and those that waited longest are told
      const lost = group.length > 0 ? group : queue.slice(0, MAX_GROUP)
      queue = queue.slice(lost.length)
      lose(lost, cause)
      return
    }
    const reached = committed()
    queue = queue.slice(group.length)
    for (const done of settle) done(reached)
    for (const listener of commitListeners) listener()
  }

  /**
   * One long write in a transaction of its own, a stretch at a
   * time. `scheduled` stays set, so nothing else writes in between.
   */
  function runLong(item: Queued, steps: (hooks: WriteHooks) => Generator<void, unknown>): void {
    const hooks: WriteHooks = { onRelease: undefined, isMoney: false }
    const commit = (value: unknown): void => {
      const waits = mustWait(item, hooks)
      try {
        hooks.onRelease?.()
        commitGroup(1)
      } catch (cause) {
        lose([item], cause)
        return
      }
      const reached = committed()
      if (waits) reached().then(() => item.resolve(value as never), item.reject)
      else item.resolve(value as never)
      for (const listener of commitListeners) listener()
    }
    try {
      begin()
    } catch (cause) {
      lose([item], cause)
      next()
      return
    }
    const generator = steps(hooks)
    const stretch = (): void => {
      const until = performance.now() + STRETCH_MS
      try {
        let step = generator.next()
        while (!step.done && performance.now() < until) step = generator.next()
        if (!step.done) return void setImmediate(stretch)
        commit(step.value)
      } catch (error) {
        rollBack()
        item.reject(error)
      }
      next()
    }
    stretch()
  }

  const enqueue = <T>(work: Queued['work'], local = false): Promise<T> =>
    new Promise((resolve, reject) => {
      if (closed) return reject(new WriterBusy('shutting down'))
      if (queue.length >= MAX_QUEUE) return reject(new WriterBusy('too many writes wait'))
      queue.push({ work, local, resolve, reject })
      schedule()
    })

  return {
    submit: (run, { local = false } = {}) => enqueue({ run }, local),
    submitSteps: (steps) => enqueue({ steps }),
    beforeCommit: (listener) => void finishers.push(listener),
    onCommit: (listener) => void commitListeners.push(listener),
    onLost: (listener) => void lostListeners.push(listener),
    waitFor: (given) => {
      gate = given
    },
    demandOwed: () => gate?.demandOwed(),
    close: async () => {
      closed = true
      if (scheduled) await new Promise<void>((resolve) => (idle = resolve))
    },
    isFailing: () => failing,
    get depth() {
      return queue.length
    },
    groupSizes,
    commitSeconds,
    get failures() {
      return failures
    },
  }
}
