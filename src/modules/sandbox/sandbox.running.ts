import { MIB } from '../../platform/bytes.ts'
import type { Capabilities } from '../../platform/capabilities.ts'
import { SECOND } from '../../platform/clock.ts'
import { defineErrors } from '../../platform/http/problem.ts'
import { say } from '../../words/say.ts'

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

const errors = defineErrors('sandbox', {
  busy: [429, say('sandbox.busy')],
  box_busy: [429, say('sandbox.box_busy')],
})
const later = { headers: { 'retry-after': '5' } }

type Parts = {
  logBytes: () => number
  largeLog?: number
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

/**
 * The queries that run now. Each keeps the database's log from being begun anew for as long as it reads, so their
 * number, their age and what the log may grow to meanwhile are bounded.
 */
export function createRunning({ logBytes, largeLog = LARGE_LOG, now = () => performance.now() }: Parts) {
  const since = new Map<string, number>()
  let lastEnd = Number.NEGATIVE_INFINITY
  const logNeedsPause = (): boolean => (since.size > 0 || now() - lastEnd < PAUSE) && logBytes() > largeLog
  return {
    /** Runs a query of a firm; 429 `sandbox.busy` while it runs another one, `box_busy` while the box has no room. */
    run: async <T>(firm: string, query: () => Promise<T>): Promise<T> => {
      if (since.has(firm)) throw errors.busy(later)
      if (since.size >= AT_ONCE || logNeedsPause()) throw errors.box_busy(later)
      since.set(firm, now())
      try {
        return await query()
      } finally {
        since.delete(firm)
        lastEnd = now()
      }
    },
    /** Milliseconds for which the oldest of them has been reading; 0 where none is. */
    oldestMs: (): number => (since.size === 0 ? 0 : now() - Math.min(...since.values())),
  }
}
type Running = ReturnType<typeof createRunning>

const ofApp = new WeakMap<object, Running>()
/** The queries of the running application. */
export function runningOf({ app, logBytes }: Pick<Capabilities, 'app' | 'logBytes'>): Running {
  const known = ofApp.get(app)
  if (known) return known
  const made = createRunning({ logBytes })
  ofApp.set(app, made)
  return made
}
