import { SECOND } from '../../../platform/clock.ts'
import { slowDown } from './auth.throttle.ts'

/** This many slow checks run at once; the others wait, so that guessing leaves processor time to other requests. */
const AT_ONCE = 2
/** This many checks of one kind may wait; more of them would be a flood from many addresses. */
const MAX_WAITING = 1000
/** This many checks of one account may wait that come from known devices, over all these devices. */
const MAX_OF_ACCOUNT = 4

/** A check that waits for its turn. */
type Waiting = { start: () => void; giveUp: () => void; signal: AbortSignal | undefined }

/** Where a check waits: with its account if the account knows the device, else with its network. */
type Place = { account: string; isStaff: boolean } | { site: string }

/**
 * Makes queues that take turns: the newest queue is first, and in a queue the newest check, so that a sender of many
 * checks delays only itself. If too many wait, the check that waited longest is refused.
 */
function createRound(most: number, mostOfLine: number) {
  const lines = new Map<string, Waiting[]>()
  /** The names of the queues in the order of their turns; the last one is next. */
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
    /** Returns the next check whose caller is still connected. */
    next: (): Waiting | undefined => {
      for (;;) {
        const name = round.pop()
        const line = name === undefined ? undefined : lines.get(name)
        const found = line?.pop()
        if (name === undefined || line === undefined || found === undefined) return undefined
        waiting -= 1
        // a queue that still has checks goes to the end of the round; an empty one is removed
        if (line.length > 0) round.unshift(name)
        else lines.delete(name)
        if (!found.signal?.aborted) return found
        found.giveUp()
      }
    },
  }
}

/**
 * Runs slow checks, a few at once. Staff on known devices come first; then clients on known devices and all unknown
 * devices take turns. Within each of these groups, accounts or networks take turns.
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
      // the free slot goes straight to the next waiting check, so that a new one cannot overtake it
      const waiter = next()
      if (waiter) waiter.start()
      else running -= 1
    }
  }
}
export type Queue = ReturnType<typeof createQueue>
