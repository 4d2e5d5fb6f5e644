import { HOUR, MINUTE, SECOND } from '../clock.ts'

/** A change that has been at the place for this long, and is not applied, shows that the follower stands still. */
const STALLED_AFTER = 30 * SECOND
/** The history is fetched again after the first pause, and then after the second one until a fetch has helped. */
const FIRST_PAUSE = 10 * MINUTE
const LATER_PAUSE = HOUR

/** What helps a follower: nothing, another process, or the whole history once more. */
export type Remedy = 'none' | 'restart' | 'fetch'

/**
 * Makes a function that says what to do about a follower, given the last change at the place and the last one that was
 * applied. An engine whose next change was removed from the place waits for ever and says nothing. `steady` is a clock
 * in milliseconds that a change of the wall clock does not move.
 */
export function createStallWatch(steady: () => number): (reach: number, applied: number) => Remedy {
  /** The change that is waited for, and since when. */
  let due: { change: number; since: number } | undefined
  let isRestarted = false
  let fetches = 0
  let fetchedAt = Number.NEGATIVE_INFINITY
  return (reach, applied) => {
    if (due && applied >= due.change) {
      due = undefined
      isRestarted = false
    }
    if (reach <= applied) fetches = 0
    if (!due && reach > applied) due = { change: reach, since: steady() }
    if (!due || steady() - due.since < STALLED_AFTER) return 'none'
    if (!isRestarted) {
      isRestarted = true
      due = { change: due.change, since: steady() }
      return 'restart'
    }
    if (steady() - fetchedAt < (fetches > 1 ? LATER_PAUSE : FIRST_PAUSE)) return 'none'
    fetches += 1
    fetchedAt = steady()
    isRestarted = false
    due = undefined
    return 'fetch'
  }
}
