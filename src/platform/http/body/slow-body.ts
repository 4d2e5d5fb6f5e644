import { say } from '../../../words/say.ts'
import { KIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import { Problem } from '../../problem.ts'

/**
 * How far a body may fall behind the pace of a slow telephone line. What came faster than that is
 * no credit for later: whoever sends all but the last byte at once is waited for no longer than others.
 */
const SLACK = 30 * SECOND
const SLOWEST_PER_SECOND = 16 * KIB

const tooSlow = () => new Problem(408, 'too_slow', say('problems.error.too_slow'))

/** When more of a body must be there, after so many bytes of it arrived `now`; all by `performance.now()`. */
export const dueAfter = (due: number, bytes: number, now: number, slack = SLACK): number =>
  Math.min(due + (bytes / SLOWEST_PER_SECOND) * SECOND, now + slack)

/** The patience with one body. */
export type Patience = {
  /** Milliseconds that the body is behind the pace: the more, the slower it comes. */
  behind(): number
  arrived(bytes: number): void
  /** Waits for what is on its way in: 408 when it comes too late, or what `end` was called with. */
  wait<T>(promise: Promise<T>): Promise<T>
  end(why: Problem): void
}

/** Waits for bodies, each at its own pace, by one timer for all. `stop` is called to stop a sender who is given up. */
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
        // before it is handed on: the next wait may begin in the same breath
        const settled = (): void => void waiting.delete(entry)
        promise.finally(settled).then(resolve, reject)
        sweeper ??= setInterval(sweep, SECOND).unref()
        return outcome
      },
      end,
    }
  }
}
