import { SECOND } from '../clock.ts'
import { Problem } from '../http/problem.ts'

/** Children at once: one for each of the two cores of a small server. */
const AT_ONCE = 2
/** Requests that wait for one; who comes on top had better come back. */
const WAITING = 16
const PATIENCE = 30 * SECOND

const busy = () => new Problem(503, 'busy', 'Other long work is running; wait and repeat.', [], { 'retry-after': '5' })

type Waiting = { start: () => void; give: (error: unknown) => void }

/**
 * Places for children. What a request waits for is never held up by jobs: those wait without
 * end, and take one place at most. `take` resolves with the function that gives the place back.
 */
export function createSlots({ atOnce = AT_ONCE, waiting = WAITING, patienceMs = PATIENCE } = {}) {
  const requests: Waiting[] = []
  const jobs: Waiting[] = []
  let running = 0
  let runningJobs = 0

  const next = (): void => {
    if (running >= atOnce) return
    const chosen = requests.shift() ?? (runningJobs === 0 ? jobs.shift() : undefined)
    chosen?.start()
  }
  const release = (background: boolean) => {
    let given = false
    return (): void => {
      if (given) return
      given = true
      running -= 1
      if (background) runningJobs -= 1
      next()
    }
  }

  return {
    take: ({ background, signal }: { background: boolean; signal?: AbortSignal | undefined }): Promise<() => void> => {
      const queue = background ? jobs : requests
      if (!background && running >= atOnce && requests.length >= waiting) return Promise.reject(busy())
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        const place = queue.indexOf(entry)
        if (place !== -1) queue.splice(place, 1)
      }
      const entry: Waiting = {
        start: () => {
          end()
          running += 1
          if (background) runningJobs += 1
          resolve(release(background))
        },
        give: (error) => {
          end()
          reject(error)
        },
      }
      const onAbort = (): void => entry.give(signal?.reason)
      const timer = background ? undefined : setTimeout(() => entry.give(busy()), patienceMs)
      if (signal?.aborted) {
        entry.give(signal.reason)
        return promise
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      queue.push(entry)
      next()
      return promise
    },
  }
}
