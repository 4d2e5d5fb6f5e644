import { say } from '../../words/say.ts'
import { SECOND } from '../clock.ts'
import { Problem } from '../http/problem.ts'

/** Children at once: one for each of the two cores of a small server. */
const AT_ONCE = 2
/** Requests that wait for one, of all, of one firm and of one person; who comes on top had better come back. */
const WAITING = 16
const WAITING_OF_FIRM = 8
const WAITING_OF_PERSON = 3
const PATIENCE = 30 * SECOND

const busy = () => new Problem(503, 'busy', say('problems.error.other_long_work_running'), [], { 'retry-after': '5' })

type Asking = {
  background: boolean
  signal?: AbortSignal | undefined
  holder?: string | undefined
  person?: string | undefined
  isClient?: boolean | undefined
}
type Waiting = { start: () => void; give: (error: unknown) => void; holder: string; person: string | undefined }
type Running = { holder: string; isClient: boolean; background: boolean }

/**
 * Places for children. Jobs wait without end, take one place at most, and every second turn where requests wait as
 * well: neither keeps the other out. Of the requests a firm that has no child comes before one that has, and neither a
 * firm nor a person fills the line. Clients have a line of their own, behind staff: all of them take one place at most,
 * and each waits for one. `take` resolves with the function that gives the place back; `holder` is the firm, `person`
 * who of it asks.
 */
export function createSlots({
  atOnce = AT_ONCE,
  waiting = WAITING,
  ofFirm = WAITING_OF_FIRM,
  ofPerson = WAITING_OF_PERSON,
  patienceMs = PATIENCE,
} = {}) {
  const requests: Waiting[] = []
  const clients: Waiting[] = []
  const jobs: Waiting[] = []
  const running: Running[] = []
  let isJobsTurn = false

  const nextOf = (line: readonly Waiting[]): Waiting | undefined =>
    line.find(({ holder }) => running.every((one) => one.background || one.holder !== holder)) ?? line[0]
  const runsForClient = (): boolean => running.some(({ isClient }) => isClient)
  /** Whether a firm of which nobody waits found room in a full line: the last one of those with the most goes. */
  const hasMadeRoom = (line: readonly Waiting[], colleagues: readonly Waiting[]): boolean => {
    const byFirm = [...Map.groupBy(line, ({ holder }) => holder).values()].sort((a, b) => b.length - a.length)
    const [most = []] = byFirm
    if (colleagues.length > 0 || most.length < 2) return false
    most.at(-1)?.give(busy())
    return true
  }
  const next = (): void => {
    if (running.length >= atOnce) return
    const job = running.some(({ background }) => background) ? undefined : jobs[0]
    const request = nextOf(requests) ?? (runsForClient() ? undefined : nextOf(clients))
    const chosen = isJobsTurn ? (job ?? request) : (request ?? job)
    isJobsTurn = chosen !== job
    chosen?.start()
  }

  return {
    /** How many wait for a place. */
    waiting: (): number => requests.length + clients.length + jobs.length,
    take: ({ background, signal, holder = '', person, isClient = false }: Asking): Promise<() => void> => {
      const line = isClient ? clients : requests
      const queue = background ? jobs : line
      const colleagues = line.filter((one) => one.holder === holder)
      const own = person === undefined ? 0 : colleagues.filter((one) => one.person === person).length
      const hasShare = colleagues.length >= ofFirm || own >= (isClient ? 1 : ofPerson)
      const mustWait = running.length >= atOnce || (isClient && runsForClient())
      if (!background && mustWait && (hasShare || (line.length >= waiting && !hasMadeRoom(line, colleagues))))
        return Promise.reject(busy())
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
          const child: Running = { holder, isClient, background }
          running.push(child)
          resolve(() => {
            const place = running.indexOf(child)
            if (place === -1) return
            running.splice(place, 1)
            next()
          })
        },
        holder,
        person,
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
