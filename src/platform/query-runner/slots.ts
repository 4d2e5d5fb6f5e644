import { say } from '../../words/say.ts'
import { SECOND } from '../clock.ts'
import { Problem } from '../problem.ts'

/** Children at once: one for each of the two cores of a small server. */
const AT_ONCE = 2
/** At most this many requests wait for a child: in all, of one firm and of one person. Others are refused. */
const WAITING = 16
const WAITING_OF_FIRM = 8
const WAITING_OF_PERSON = 3
const PATIENCE = 30 * SECOND

/** Returns the refusal of a request that may not wait for a child. */
export const busy = (): Problem => new Problem(503, 'busy', say('problems.error.busy'), [], { 'retry-after': '5' })

type Asking = {
  background: boolean
  signal?: AbortSignal | undefined
  holder?: string | undefined
  person?: string | undefined
  isClient?: boolean | undefined
}
type Waiting = { start: () => void; give: (error: unknown) => void; holder: string; person: string | undefined }
type Running = { holder: string; isClient: boolean; background: boolean }

type Limits = { atOnce: number; waiting: number; ofFirm: number; ofPerson: number; patienceMs: number }
/** The limits, the queues of requests and jobs, the running children, and whether a job is next before a request. */
type Slots = {
  limits: Limits
  requests: Waiting[]
  clients: Waiting[]
  jobs: Waiting[]
  running: Running[]
  isJobsTurn: boolean
}

const pickNext = (line: readonly Waiting[], running: readonly Running[]): Waiting | undefined =>
  line.find(({ holder }) => running.every((one) => one.background || one.holder !== holder)) ?? line[0]

const runsForClient = (running: readonly Running[]): boolean => running.some(({ isClient }) => isClient)

/**
 * Refuses the last request of the firm with the most in a full queue, for a firm without any; returns whether it did.
 */
function hasMadeRoom(line: readonly Waiting[], colleagues: readonly Waiting[]): boolean {
  const byFirm = [...Map.groupBy(line, ({ holder }) => holder).values()].sort((a, b) => b.length - a.length)
  const [most = []] = byFirm
  if (colleagues.length > 0 || most.length < 2) return false
  most.at(-1)?.give(busy())
  return true
}

/** Returns whether a request need not wait or may wait in the queue; it may make room in a full one. */
function findsRoom(
  { limits, running }: Slots,
  line: readonly Waiting[],
  { holder = '', person, isClient = false }: Asking,
): boolean {
  const colleagues = line.filter((one) => one.holder === holder)
  const own = person === undefined ? 0 : colleagues.filter((one) => one.person === person).length
  const hasShare = colleagues.length >= limits.ofFirm || own >= (isClient ? 1 : limits.ofPerson)
  const mustWait = running.length >= limits.atOnce || (isClient && runsForClient(running))
  return !mustWait || !(hasShare || (line.length >= limits.waiting && !hasMadeRoom(line, colleagues)))
}

/** Gives a free place to the next request or job. */
function next(slots: Slots): void {
  const { limits, requests, clients, jobs, running } = slots
  if (running.length >= limits.atOnce) return
  const job = running.some(({ background }) => background) ? undefined : jobs[0]
  const request = pickNext(requests, running) ?? (runsForClient(running) ? undefined : pickNext(clients, running))
  const chosen = slots.isJobsTurn ? (job ?? request) : (request ?? job)
  slots.isJobsTurn = chosen !== job
  chosen?.start()
}

/** Takes a place and returns the function that gives it back; a second call of that does nothing. */
function occupy(slots: Slots, child: Running): () => void {
  const { running } = slots
  running.push(child)
  return () => {
    const place = running.indexOf(child)
    if (place === -1) return
    running.splice(place, 1)
    next(slots)
  }
}

/** Waits in a queue for a place; rejects with a 503 after `patienceMs` (not a job), and when `signal` aborts. */
function wait(slots: Slots, queue: Waiting[], asking: Asking): Promise<() => void> {
  const { background, signal, holder = '', person, isClient = false } = asking
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
      resolve(occupy(slots, { holder, isClient, background }))
    },
    holder,
    person,
    give: (error) => {
      end()
      reject(error)
    },
  }
  const onAbort = (): void => entry.give(signal?.reason)
  const timer = background ? undefined : setTimeout(() => entry.give(busy()), slots.limits.patienceMs)
  if (signal?.aborted) {
    entry.give(signal.reason)
    return promise
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  queue.push(entry)
  next(slots)
  return promise
}

/**
 * Makes the places for children. Jobs wait without a limit and take one place at most; jobs and requests take turns.
 * Among requests, a firm without a running child is first, and neither a firm nor a person can fill the queue. Clients
 * have a separate queue behind staff: together they take one place at most, and each waits for one. `take` resolves
 * with the function that gives the place back, or rejects with a 503; `holder` is the firm, `person` the colleague or
 * client.
 */
export function createSlots({
  atOnce = AT_ONCE,
  waiting = WAITING,
  ofFirm = WAITING_OF_FIRM,
  ofPerson = WAITING_OF_PERSON,
  patienceMs = PATIENCE,
}: Partial<Limits> = {}) {
  const limits: Limits = { atOnce, waiting, ofFirm, ofPerson, patienceMs }
  const slots: Slots = { limits, requests: [], clients: [], jobs: [], running: [], isJobsTurn: false }
  const { requests, clients, jobs } = slots
  return {
    /** Returns the number of requests and jobs that wait for a place. */
    waiting: (): number => requests.length + clients.length + jobs.length,
    take: (asking: Asking): Promise<() => void> => {
      if (asking.background) return wait(slots, jobs, asking)
      const line = asking.isClient ? clients : requests
      return findsRoom(slots, line, asking) ? wait(slots, line, asking) : Promise.reject(busy())
    },
  }
}
