import { MIB } from '../../../platform/bytes.ts'
import { type Capabilities, perApp } from '../../../platform/capabilities.ts'
import { SECOND } from '../../../platform/clock.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** This many queries may run at once on this machine, one for each firm. */
const AT_ONCE = 2
/**
 * SQLite restarts its log only while no connection reads, which queries of several firms one after the other may
 * prevent. While the log is larger than this, no query starts beside another one, so that such a moment comes.
 */
export const LARGE_LOG = 256 * MIB
/** A query that takes longer than this is logged. */
export const LONG_QUERY = 5 * SECOND
/** Before the next query, the writer needs this long to copy a large log into the database. */
const PAUSE = 2 * SECOND
/** While the log is large, a query that takes longer than this is ended, since it alone keeps the log large. */
const MOST_WHILE_LARGE = 10 * SECOND
/** A firm that was refused keeps its turn this long; it was asked to try again after five seconds. */
const KEEPS_TURN = 15 * SECOND

const errors = defineErrors('sandbox', () => ({
  busy: [429, say('sandbox.busy')],
  box_busy: [429, say('sandbox.box_busy')],
}))
const later = { headers: { 'retry-after': '5' } }

type Parts = {
  logBytes: () => number
  largeLog?: number
  /** Returns the milliseconds of a monotonic clock. */
  now?: () => number
}

/**
 * Limits how many queries run, how long, and how large the log becomes, since each of them keeps SQLite from restarting
 * its log. Firms that were refused come first, in the order of their refusals, while they go on trying; otherwise the
 * fastest caller would keep the others out.
 */
export function createRunning({ logBytes, largeLog = LARGE_LOG, now = () => performance.now() }: Parts) {
  const running = new Map<string, { since: number; stop: AbortController }>()
  const refused = new Map<string, number>()
  let lastEnd = Number.NEGATIVE_INFINITY
  const logNeedsPause = (): boolean => (running.size > 0 || now() - lastEnd < PAUSE) && logBytes() > largeLog
  /** Returns how many firms still wait that were refused before this one. */
  function before(firm: string): number {
    for (const [other, at] of refused) if (now() - at > KEEPS_TURN) refused.delete(other)
    const place = [...refused.keys()].indexOf(firm)
    return place === -1 ? refused.size : place
  }
  return {
    /**
     * Runs a query of a firm. 429 `sandbox.busy` while the firm runs another one; `box_busy` if there is no room, or
     * only for firms that came before. `signal` ends if the query must stop.
     */
    run: async <T>(firm: string, query: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      if (running.has(firm)) throw errors.busy(later)
      if (before(firm) + running.size >= AT_ONCE || logNeedsPause()) {
        // a firm that is refused again keeps its place in the queue
        refused.set(firm, now())
        throw errors.box_busy(later)
      }
      refused.delete(firm)
      const stop = new AbortController()
      running.set(firm, { since: now(), stop })
      try {
        return await query(stop.signal)
      } catch (error) {
        throw stop.signal.aborted ? errors.box_busy(later) : error
      } finally {
        running.delete(firm)
        lastEnd = now()
      }
    },
    /** Ends queries that have kept a large log for too long; returns how many. */
    makeWay: (): number => {
      const old =
        logBytes() > largeLog ? [...running.values()].filter(({ since }) => now() - since > MOST_WHILE_LARGE) : []
      for (const { stop } of old) stop.abort()
      return old.length
    },
    /** Returns how many milliseconds the oldest query has been running; 0 without one. */
    oldestMs: (): number =>
      running.size === 0 ? 0 : now() - Math.min(...[...running.values()].map(({ since }) => since)),
  }
}
export const getRunningQueries = perApp(({ logBytes }: Pick<Capabilities, 'app' | 'logBytes'>) =>
  createRunning({ logBytes }),
)
