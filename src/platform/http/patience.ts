import { KIB } from '../bytes.ts'
import { SECOND } from '../clock.ts'
import { Problem } from './problem.ts'

/** Time for any body to arrive; a large one has besides what a slow telephone line needs for it. */
const SMALLEST = 30 * SECOND
const SLOWEST_PER_SECOND = 16 * KIB

const tooSlow = () => new Problem(408, 'too_slow', 'The body took too long to arrive.')

/** When so many bytes of a body must have arrived whose reading began at `from`; by `performance.now()`. */
export const deadlineOf = (bytes: number, from = performance.now()): number =>
  from + SMALLEST + (Math.max(0, bytes - 32 * KIB) / SLOWEST_PER_SECOND) * SECOND

/** Waits for what is on its way in, each with a deadline of its own, by one timer for all. */
export function createPatience() {
  const waiting = new Set<{ until: number; expire: () => void }>()
  let sweeper: Timer | undefined
  const sweep = (): void => {
    const now = performance.now()
    for (const entry of waiting) if (entry.until <= now) entry.expire()
    if (waiting.size > 0) return
    clearInterval(sweeper)
    sweeper = undefined
  }
  /** The promise, or 408 when it is not settled by `until`; `giveUp` is then called to stop the sender. */
  return <T>(promise: Promise<T>, until: number, giveUp: () => void): Promise<T> => {
    const { promise: outcome, resolve, reject } = Promise.withResolvers<T>()
    const entry = {
      until,
      expire: () => {
        waiting.delete(entry)
        giveUp()
        reject(tooSlow())
      },
    }
    waiting.add(entry)
    sweeper ??= setInterval(sweep, SECOND).unref()
    promise.then(resolve, reject).finally(() => waiting.delete(entry))
    return outcome
  }
}
