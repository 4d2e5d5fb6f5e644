import { say } from '../../../words/say.ts'
import { KIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import { Problem } from '../../problem.ts'

/**
 * A body may be this far behind the pace of a slow telephone line. Bytes that come faster earn no credit, so a sender
 * who holds back the last byte is awaited no longer than others.
 */
const SLACK = 30 * SECOND
const SLOWEST_PER_SECOND = 16 * KIB

const tooSlow = () => new Problem(408, 'too_slow', say('problems.error.too_slow'))

/**
 * Returns when more of a body must arrive, if this many bytes arrived at `now`; all times are of `performance.now()`.
 */
export const dueAfter = (due: number, bytes: number, now: number, slack = SLACK): number =>
  Math.min(due + (bytes / SLOWEST_PER_SECOND) * SECOND, now + slack)

/** The time limit of one body. */
export type Patience = {
  /** Returns by how many milliseconds the body is behind the pace. */
  behind(): number
  arrived(bytes: number): void
  /** Waits for arriving bytes: throws 408 if they come too late, or the error of `end`. */
  wait<T>(promise: Promise<T>): Promise<T>
  end(why: Problem): void
}

/** Waits for bodies, each at its own pace, with one timer for all. `stop` is called when a sender is given up. */
export function createPatience(slack = SLACK): (stop: () => void) => Patience {
  const waiting = new Set<{ due: number; end: (why: Problem) => void }>()
  let sweeper: Timer | undefined
  const sweep = (): void => {
    const now = performance.now()
    for (const { due, end } of waiting) if (due <= now) end(tooSlow())
    if (waiting.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }
  return (stop) => {
    let ended: Problem | undefined
    let giveUp = (_: Problem): void => {}
    const end = (why: Problem): void => {
      if (ended) return
      ended = why
      waiting.delete(entry)
      stop()
      giveUp(why)
    }
    const entry = { due: performance.now() + slack, end }
    return {
      behind: () => performance.now() + slack - entry.due,
      arrived: (bytes) => {
        entry.due = dueAfter(entry.due, bytes, performance.now(), slack)
      },
      wait: <T>(promise: Promise<T>): Promise<T> => {
        const { promise: outcome, resolve, reject } = Promise.withResolvers<T>()
        giveUp = reject
        if (ended) reject(ended)
        else waiting.add(entry)
        // removed before it settles, since the next wait may begin in the same tick
        const settled = (): void => void waiting.delete(entry)
        promise.finally(settled).then(resolve, reject)
        sweeper ??= setInterval(sweep, SECOND).unref()
        return outcome
      },
      end,
    }
  }
}
