import { defineErrors } from '../../platform/http/problem.ts'
import { say } from '../../words/say.ts'

/** Queries at once on this machine; of one firm there is one. */
const AT_ONCE = 2

const errors = defineErrors('sandbox', {
  busy: [429, say('sandbox.busy')],
  box_busy: [429, say('sandbox.box_busy')],
})
const later = { headers: { 'retry-after': '5' } }

/**
 * The queries that run now. Each keeps the database's log from being begun anew for as long as it reads, so that their
 * number and their age are bounded, and known.
 */
export function createRunning(atOnce = AT_ONCE) {
  const since = new Map<string, number>()
  return {
    /** Runs a firm's query unless one runs already: 429 `sandbox.busy`, or `sandbox.box_busy` where other firms' do. */
    run: async <T>(firm: string, query: () => Promise<T>): Promise<T> => {
      if (since.has(firm)) throw errors.busy(later)
      if (since.size >= atOnce) throw errors.box_busy(later)
      since.set(firm, performance.now())
      try {
        return await query()
      } finally {
        since.delete(firm)
      }
    },
    /** Milliseconds for which the oldest of them has been reading; 0 where none is. */
    oldestMs: (): number => (since.size === 0 ? 0 : performance.now() - Math.min(...since.values())),
  }
}
type Running = ReturnType<typeof createRunning>

const ofApp = new WeakMap<object, Running>()
/** The queries of the running application. */
export function runningOf({ app }: { app: object }): Running {
  const known = ofApp.get(app)
  if (known) return known
  const made = createRunning()
  ofApp.set(app, made)
  return made
}
