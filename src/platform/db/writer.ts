import type { Log } from '../log.ts'
import type { Connection } from './client.ts'

/** What a write may ask for beside its rows. */
export type WriteHooks = {
  /** Runs when this write's savepoint is released, before COMMIT: promote in-memory state that the next write must see. */
  onRelease: (() => void) | undefined
}

type Queued = {
  run: (hooks: WriteHooks) => unknown
  resolve: (value: never) => void
  reject: (error: unknown) => void
}

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
   * Queues a synchronous callback; resolves with its result after the COMMIT that holds it is on disk. A callback that throws is rolled
   * back alone. Rejects with `CommitFailed` when the disk refused the group.
   */
  submit<T>(run: (hooks: WriteHooks) => T): Promise<T>
  /** Called after each COMMIT, e.g. to wake the outbox. */
  onCommit(listener: () => void): void
  /** Called when a COMMIT failed or another process wrote, and in-memory heads must be read afresh. */
  onLost(listener: () => void): void
  /** Commits what is queued and refuses more. */
  close(): Promise<void>
  readonly depth: number
}

const MAX_QUEUE = 10_000
/** A group stops growing here, so that one tick cannot hold the event loop for long. */
const MAX_GROUP = 256
const MAX_GROUP_MS = 25

/** The group-commit writer over the one read-write connection. DESIGN §4.4. */
export function createWriter(connection: Connection, log: Log): Writer {
  let queue: Queued[] = []
  let scheduled = false
  let closed = false
  const commitListeners: (() => void)[] = []
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
  function runOne(item: Queued): () => void {
    const hooks: WriteHooks = { onRelease: undefined }
    connection.run('SAVEPOINT w')
    try {
      const value = item.run(hooks)
      connection.run('RELEASE w')
      hooks.onRelease?.()
      return () => item.resolve(value as never)
    } catch (error) {
      connection.run('ROLLBACK TO w')
      connection.run('RELEASE w')
      return () => item.reject(error)
    }
  }

  function drain(): void {
    scheduled = false
    const started = performance.now()
    const settle: (() => void)[] = []
    const group: Queued[] = []
    try {
      connection.run('BEGIN IMMEDIATE')
      noticeOthers()
      for (const item of queue) {
        if (group.length >= MAX_GROUP || performance.now() - started > MAX_GROUP_MS) break
        group.push(item)
        settle.push(runOne(item))
      }
      connection.run('COMMIT')
    } catch (cause) {
      if (connection.raw.inTransaction) {
        try {
          connection.run('ROLLBACK')
        } catch (error) {
          log.error({ err: error }, 'rollback after a failed commit failed')
        }
      }
      log.error({ err: cause, writes: group.length }, 'commit failed')
      for (const listener of lostListeners) listener()
      // BEGIN itself may have failed: then nobody ran, and those that waited longest are told
      const lost = group.length > 0 ? group : queue.slice(0, MAX_GROUP)
      queue = queue.slice(lost.length)
      const failure = new CommitFailed('the database could not commit', { cause })
      for (const item of lost) item.reject(failure)
      if (queue.length > 0) schedule()
      else idle?.()
      return
    }
    queue = queue.slice(group.length)
    for (const done of settle) done()
    for (const listener of commitListeners) listener()
    if (queue.length > 0) schedule()
    else idle?.()
  }

  return {
    submit: (run) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new WriterBusy('shutting down'))
        if (queue.length >= MAX_QUEUE) return reject(new WriterBusy('too many writes wait'))
        queue.push({ run, resolve, reject })
        schedule()
      }),
    onCommit: (listener) => void commitListeners.push(listener),
    onLost: (listener) => void lostListeners.push(listener),
    close: async () => {
      closed = true
      if (queue.length > 0) await new Promise<void>((resolve) => (idle = resolve))
    },
    get depth() {
      return queue.length
    },
  }
}
