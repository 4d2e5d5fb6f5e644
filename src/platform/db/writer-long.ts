import type { Commits } from './writer-commit.ts'
import type { Queued, Steps, WriteHooks } from './writer-queue.ts'

/** The steps of a long write block the event loop for this long at a time, in milliseconds. */
const STRETCH_MS = 8

/** Commits a long write whose steps are done, and resolves its promise. */
function commitLong(commits: Commits, item: Queued, hooks: WriteHooks, value: unknown): void {
  const waits = commits.mustWait(item, hooks)
  try {
    hooks.onKept?.()
    commits.commit(1)
  } catch (cause) {
    commits.lose([item], cause)
    return
  }
  const reached = commits.committed()
  if (waits) reached().then(() => item.resolve(value as never), item.reject)
  else item.resolve(value as never)
  commits.tellCommitted()
}

/**
 * Runs one long write in its own transaction, in parts between which the event loop runs. `next` is called when it has
 * ended in any way: until then nothing else may write.
 */
export function runLong(commits: Commits, item: Queued, steps: Steps, next: () => void): void {
  const hooks: WriteHooks = { onKept: undefined, isMoney: false }
  try {
    commits.begin()
  } catch (cause) {
    commits.lose([item], cause)
    next()
    return
  }
  const generator = steps(hooks)
  const stretch = (): void => {
    const until = performance.now() + STRETCH_MS
    try {
      let step = item.within(() => generator.next())
      while (!step.done && performance.now() < until) step = item.within(() => generator.next())
      for (const listener of commits.stepListeners) listener()
      if (!step.done) return void setImmediate(stretch)
      commitLong(commits, item, hooks, step.value)
    } catch (error) {
      commits.rollBack()
      item.reject(error)
    }
    next()
  }
  stretch()
}
