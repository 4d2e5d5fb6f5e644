import { MIB } from '../../../platform/bytes.ts'
import { type Capabilities, perApp } from '../../../platform/capabilities.ts'
import { SECOND } from '../../../platform/clock.ts'
import { defineErrors } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** Queries at once on this machine; of one firm there is one. */
const AT_ONCE = 2
/**
 * SQLite begins its log anew only at a moment when nobody reads, which queries of several firms in turn may never
 * leave it. Beyond this size no query joins another one, so that such a moment comes when the last of them ends.
 */
export const LARGE_LOG = 256 * MIB
/** A query that has been reading for so long is in the server's log. */
export const LONG_QUERY = 5 * SECOND
/** The writer needs this long to carry a large log over into the database before the next query reads. */
const PAUSE = 2 * SECOND
/** Where the log is large, a query that has been reading for longer is ended: it alone keeps the log so. */
const MOST_WHILE_LARGE = 10 * SECOND
/** So long a firm that was refused is waited for: it was told to come again after five seconds. */
const KEEPS_TURN = 15 * SECOND

const errors = defineErrors('sandbox', () => ({
  busy: [429, say('sandbox.busy')],
  box_busy: [429, say('sandbox.box_busy')],
}))
const later = { headers: { 'retry-after': '5' } }

type Parts = {
  logBytes: () => number
  largeLog?: number
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

/**
 * The queries that run now. Each keeps the database's log from being begun anew for as long as it reads, so their
 * number, their age and what the log may grow to meanwhile are bounded. Firms that are refused come first, in the order
 * in which they were, as long as they come again: who asks fastest does not keep the others out.
 */
export function createRunning({ logBytes, largeLog = LARGE_LOG, now = () => performance.now() }: Parts) {
  const running = new Map<string, { since: number; stop: AbortController }>()
  const refused = new Map<string, number>()
  let lastEnd = Number.NEGATIVE_INFINITY
  const logNeedsPause = (): boolean => (running.size > 0 || now() - lastEnd < PAUSE) && logBytes() > largeLog
  /** How many firms that were refused before this one still wait. */
  function before(firm: string): number {
    for (const [other, at] of refused) if (now() - at > KEEPS_TURN) refused.delete(other)
    const place = [...refused.keys()].indexOf(firm)
    return place === -1 ? refused.size : place
  }
  return {
    /**
     * Runs a query of a firm; 429 `sandbox.busy` while it runs another one, `box_busy` while the box has no room, or
     * has it for firms that came before. `signal` ends where the query has to give way.
     */
    run: async <T>(firm: string, query: (signal: AbortSignal) => Promise<T>): Promise<T> => {
      if (running.has(firm)) throw errors.busy(later)
      if (before(firm) + running.size >= AT_ONCE || logNeedsPause()) {
        // its place stays where it was in the line
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
    /** Ends what keeps a large log from being begun anew for too long; how many queries that were. */
    makeWay: (): number => {
      const old =
        logBytes() > largeLog ? [...running.values()].filter(({ since }) => now() - since > MOST_WHILE_LARGE) : []
      for (const { stop } of old) stop.abort()
      return old.length
    },
    /** Milliseconds for which the oldest of them has been reading; 0 where none is. */
    oldestMs: (): number =>
      running.size === 0 ? 0 : now() - Math.min(...[...running.values()].map(({ since }) => since)),
  }
}
/** The queries of the running application. */
export const runningOf = perApp(({ logBytes }: Pick<Capabilities, 'app' | 'logBytes'>) => createRunning({ logBytes }))
