import { type Commits, MAX_GROUP } from './writer-commit.ts'
import type { Queue, Queued, WriteHooks } from './writer-queue.ts'

/** A group stops growing after this many milliseconds, so that one tick does not block the event loop for long. */
const MAX_GROUP_MS = 25

/** Settles a promise once its group is committed; `reached` brings the replica up to it. */
type Settle = (reached: () => Promise<void>) => void

/**
 * Returns how one write of a group begins, and how it is kept or undone. The first one needs no savepoint, since the
 * transaction has nothing else. This is faster: within a savepoint, SQLite goes through all pages that the write has
 * changed so far at the end of each statement, so that a write of a thousand rows took a third longer.
 */
function bracket({ connection, begin }: Commits, isFirst: boolean) {
  if (isFirst)
    return {
      open: () => {},
      keep: () => {},
      undo: () => {
        connection.run('ROLLBACK')
        begin()
      },
    }
  return {
    open: () => connection.run('SAVEPOINT w'),
    keep: () => connection.run('RELEASE w'),
    undo: () => {
      connection.run('ROLLBACK TO w')
      connection.run('RELEASE w')
    },
  }
}

/** Runs one callback of a group; returns how to settle its promise once the group has ended. */
function runOne(commits: Commits, item: Queued, run: (hooks: WriteHooks) => unknown, isFirst: boolean): Settle {
  const { open, keep, undo } = bracket(commits, isFirst)
  const hooks: WriteHooks = { onKept: undefined, isMoney: false }
  open()
  try {
    const value = item.within(run, hooks)
    const waits = commits.mustWait(item, hooks)
    keep()
    hooks.onKept?.()
    if (!waits) return () => item.resolve(value as never)
    return (reached) => void reached().then(() => item.resolve(value as never), item.reject)
  } catch (error) {
    undo()
    return () => item.reject(error)
  }
}

/** Commits the first short writes of the queue together, and resolves their promises. The rest stays in the queue. */
export function runGroup(commits: Commits, queue: Queue): void {
  const started = performance.now()
  const settle: Settle[] = []
  const group: Queued[] = []
  try {
    commits.begin()
    for (const item of queue.items) {
      if (!('run' in item.work) || group.length >= MAX_GROUP || performance.now() - started > MAX_GROUP_MS) break
      group.push(item)
      settle.push(runOne(commits, item, item.work.run, group.length === 1))
    }
    commits.commit(group.length)
  } catch (cause) {
    // if BEGIN itself failed, no write ran, and the oldest ones are rejected
    const lost = group.length > 0 ? group : queue.items.slice(0, MAX_GROUP)
    queue.items = queue.items.slice(lost.length)
    commits.lose(lost, cause)
    return
  }
  const reached = commits.committed()
  queue.items = queue.items.slice(group.length)
  for (const done of settle) done(reached)
  commits.tellCommitted()
}
