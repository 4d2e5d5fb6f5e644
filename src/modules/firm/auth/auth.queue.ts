import { SECOND } from '../../../platform/clock.ts'
import { slowDown } from './auth.throttle.ts'

/** Slow checks at once: the rest waits, so that guessing leaves the processor to others. */
const AT_ONCE = 2
/** Checks of one kind that may wait; more is a flood from many addresses. */
const MAX_WAITING = 1000
/** Checks of one account by known devices that may wait, of all its devices together. */
const MAX_OF_ACCOUNT = 4

/** A check that waits for its turn. */
type Waiting = { start: () => void; giveUp: () => void; signal: AbortSignal | undefined }

/** Where a check waits: with the others of its account, by a device that it knows, or of its site (a network). */
type Place = { account: string; isStaff: boolean } | { site: string }

/**
 * Lines that take turns: the newest line first, and in it the newest, so that one that sends many waits for itself and
 * a flood is no line to stand behind. Where too many wait, the one who waited longest is told to come back.
 */
function createRound(most: number, mostOfLine: number) {
  const lines = new Map<string, Waiting[]>()
  /** The lines in the order of their turns, the next one at the end. */
  const round: string[] = []
  let waiting = 0
  const drop = (name: string | undefined): void => {
    const line = name === undefined ? undefined : lines.get(name)
    const loser = line?.shift()
    if (name === undefined || line === undefined || loser === undefined) return
    waiting -= 1
    if (line.length === 0) {
      lines.delete(name)
      round.splice(round.lastIndexOf(name), 1)
    }
    loser.giveUp()
  }
  return {
    add: (name: string, entry: Waiting): void => {
      if ((lines.get(name)?.length ?? 0) >= mostOfLine) drop(name)
      else if (waiting >= most) drop(round[0])
      waiting += 1
      const line = lines.get(name)
      if (line) return void line.push(entry)
      lines.set(name, [entry])
      round.push(name)
    },
    /** Who is next; whoever has hung up waits no longer. */
    next: (): Waiting | undefined => {
      for (;;) {
        const name = round.pop()
        const line = name === undefined ? undefined : lines.get(name)
        const found = line?.pop()
        if (name === undefined || line === undefined || found === undefined) return undefined
        waiting -= 1
        // to the end of the round, or out of it
        if (line.length > 0) round.unshift(name)
        else lines.delete(name)
        if (!found.signal?.aborted) return found
        found.giveUp()
      }
    },
  }
}

/**
 * Runs slow checks a few at once. Staff on devices that they signed in on before go first; clients on theirs and all
 * other devices take turns. In each of these every account or site has its turn.
 */
export function createQueue(atOnce = AT_ONCE) {
  const staff = createRound(MAX_WAITING, MAX_OF_ACCOUNT)
  const clients = createRound(MAX_WAITING, MAX_OF_ACCOUNT)
  const strangers = createRound(MAX_WAITING, MAX_WAITING)
  let isStrangersTurn = false
  let running = 0

  const next = (): Waiting | undefined => {
    const colleague = staff.next()
    if (colleague) return colleague
    isStrangersTurn = !isStrangersTurn
    const [first, second] = isStrangersTurn ? [strangers, clients] : [clients, strangers]
    return first.next() ?? second.next()
  }
  const turn = (place: Place, signal: AbortSignal | undefined): Promise<void> => {
    if (running < atOnce) {
      running += 1
      return Promise.resolve()
    }
    return new Promise((start, refuse) => {
      const entry: Waiting = { start, giveUp: () => refuse(slowDown(SECOND)), signal }
      if ('site' in place) strangers.add(place.site, entry)
      else (place.isStaff ? staff : clients).add(place.account, entry)
    })
  }

  return async <T>(place: Place, check: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    await turn(place, signal)
    try {
      return await check()
    } finally {
      // the place is handed on, not given up: nobody who comes now overtakes who waits
      const waiter = next()
      if (waiter) waiter.start()
      else running -= 1
    }
  }
}
export type Queue = ReturnType<typeof createQueue>
