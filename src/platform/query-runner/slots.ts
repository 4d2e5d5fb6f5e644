import { SECOND } from '../clock.ts'
import { Problem } from '../http/problem.ts'

/** Children at once: one for each of the two cores of a small server. */
const AT_ONCE = 2
/** Requests that wait for one, of all firms and of one; who comes on top had better come back. */
const WAITING = 16
const WAITING_OF_ONE = 8
const PATIENCE = 30 * SECOND

const busy = () => new Problem(503, 'busy', 'Other long work is running; wait and repeat.', [], { 'retry-after': '5' })

type Asking = { background: boolean; signal?: AbortSignal | undefined; holder?: string | undefined }
type Waiting = { start: () => void; give: (error: unknown) => void; holder: string }

/**
 * Places for children. Jobs wait without end, take one place at most, and every second turn where requests wait as
 * well: neither keeps the other out. Of the requests a firm that has no child comes before one that has, and no firm
 * fills the line. `take` resolves with the function that gives the place back; `holder` is the firm.
 */
export function createSlots({
  atOnce = AT_ONCE,
  waiting = WAITING,
  ofOne = WAITING_OF_ONE,
  patienceMs = PATIENCE,
} = {}) {
  const requests: Waiting[] = []
  const jobs: Waiting[] = []
  const running: { holder: string; background: boolean }[] = []
  let isJobsTurn = false

  const nextRequest = (): Waiting | undefined =>
    requests.find(({ holder }) => running.every((one) => one.background || one.holder !== holder)) ?? requests[0]
  const next = (): void => {
    if (running.length >= atOnce) return
    const job = running.some(({ background }) => background) ? undefined : jobs[0]
    const request = nextRequest()
    const chosen = isJobsTurn ? (job ?? request) : (request ?? job)
    isJobsTurn = chosen !== job
    chosen?.start()
  }

  return {
    take: ({ background, signal, holder = '' }: Asking): Promise<() => void> => {
      const queue = background ? jobs : requests
      const ofFirm = requests.filter((one) => one.holder === holder).length
      const isFull = requests.length >= waiting || ofFirm >= ofOne
      if (!background && running.length >= atOnce && isFull) return Promise.reject(busy())
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
          const child = { holder, background }
          running.push(child)
          resolve(() => {
            const place = running.indexOf(child)
            if (place === -1) return
            running.splice(place, 1)
            next()
          })
        },
        holder,
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
