import { SECOND } from '../clock.ts'
import { Problem } from '../http/problem.ts'

/** Children at once: one for each of the two cores of a small server. */
const AT_ONCE = 2
/** Requests that wait for one, of all firms and of one; who comes on top had better come back. */
const WAITING = 16
const WAITING_OF_ONE = 8
const PATIENCE = 30 * SECOND

const busy = () => new Problem(503, 'busy', 'Other long work is running; wait and repeat.', [], { 'retry-after': '5' })

type Asking = {
  background: boolean
  signal?: AbortSignal | undefined
  holder?: string | undefined
  client?: string | undefined
}
type Waiting = { start: () => void; give: (error: unknown) => void; holder: string; client: string | undefined }
type Running = { holder: string; client: string | undefined; background: boolean }

/**
 * Places for children. Jobs wait without end, take one place at most, and every second turn where requests wait as
 * well: neither keeps the other out. Of the requests a firm that has no child comes before one that has, and no firm
 * fills the line. Clients have a line of their own, behind staff: all of them take one place at most, and each waits
 * for one. `take` resolves with the function that gives the place back; `holder` is the firm, `client` who of its
 * clients asks.
 */
export function createSlots({
  atOnce = AT_ONCE,
  waiting = WAITING,
  ofOne = WAITING_OF_ONE,
  patienceMs = PATIENCE,
} = {}) {
  const requests: Waiting[] = []
  const clients: Waiting[] = []
  const jobs: Waiting[] = []
  const running: Running[] = []
  let isJobsTurn = false

  const nextOf = (line: readonly Waiting[]): Waiting | undefined =>
    line.find(({ holder }) => running.every((one) => one.background || one.holder !== holder)) ?? line[0]
  const runsForClient = (): boolean => running.some(({ client }) => client !== undefined)
  const next = (): void => {
    if (running.length >= atOnce) return
    const job = running.some(({ background }) => background) ? undefined : jobs[0]
    const request = nextOf(requests) ?? (runsForClient() ? undefined : nextOf(clients))
    const chosen = isJobsTurn ? (job ?? request) : (request ?? job)
    isJobsTurn = chosen !== job
    chosen?.start()
  }

  return {
    take: ({ background, signal, holder = '', client }: Asking): Promise<() => void> => {
      const line = client === undefined ? requests : clients
      const queue = background ? jobs : line
      const ofFirm = line.filter((one) => one.holder === holder).length
      const waitsAlready = client !== undefined && clients.some((one) => one.client === client)
      const isFull = line.length >= waiting || ofFirm >= ofOne || waitsAlready
      const mustWait = running.length >= atOnce || (client !== undefined && runsForClient())
      if (!background && mustWait && isFull) return Promise.reject(busy())
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
          const child: Running = { holder, client, background }
          running.push(child)
          resolve(() => {
            const place = running.indexOf(child)
            if (place === -1) return
            running.splice(place, 1)
            next()
          })
        },
        holder,
        client,
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
