import { SECOND } from '../../platform/clock.ts'
import { slowDown } from './auth.throttle.ts'

/** Slow checks at once: the rest waits, so that guessing leaves the processor to others. */
const AT_ONCE = 2
/** Checks of unknown devices that may wait; more is a flood from many addresses. */
const MAX_WAITING = 1000

/** A check that waits for its turn. */
type Waiting = { start: () => void; giveUp: () => void; signal: AbortSignal | undefined }

/**
 * Runs slow checks a few at once. Known devices (`site` null) go first; of the others every site has its turn, the
 * newest site and in it the newest first, so that one that sends many waits for itself and a flood is no line to
 * stand behind. Whoever has hung
 * up waits no longer. Where too many wait, the one who waited longest is told to come back.
 */
export function createQueue(atOnce = AT_ONCE) {
  const known: Waiting[] = []
  const sites = new Map<string, Waiting[]>()
  /** The sites in the order of their turns, the next one at the end. */
  const round: string[] = []
  let running = 0
  let waiting = 0

  const leave = (site: string, line: Waiting[]): void => {
    if (line.length > 0) return
    sites.delete(site)
    round.splice(round.lastIndexOf(site), 1)
  }
  const nextUnknown = (): Waiting | undefined => {
    const site = round.pop()
    const line = site === undefined ? undefined : sites.get(site)
    const next = line?.pop()
    if (site === undefined || line === undefined || next === undefined) return undefined
    waiting -= 1
    // to the end of the round, or out of it
    if (line.length > 0) round.unshift(site)
    else sites.delete(site)
    return next
  }
  const next = (): Waiting | undefined => {
    for (;;) {
      const found = known.shift() ?? nextUnknown()
      if (!found?.signal?.aborted) return found
      found.giveUp()
    }
  }
  const makeRoom = (): void => {
    const [site = ''] = round
    const line = sites.get(site)
    const loser = line?.shift()
    if (line === undefined || loser === undefined) return
    waiting -= 1
    leave(site, line)
    loser.giveUp()
  }
  const turn = (site: string | null, signal: AbortSignal | undefined): Promise<void> => {
    if (running < atOnce) {
      running += 1
      return Promise.resolve()
    }
    return new Promise((start, refuse) => {
      const entry: Waiting = { start, giveUp: () => refuse(slowDown(SECOND)), signal }
      if (site === null) return void known.push(entry)
      if (waiting >= MAX_WAITING) makeRoom()
      waiting += 1
      const line = sites.get(site)
      if (line) return void line.push(entry)
      sites.set(site, [entry])
      round.push(site)
    })
  }

  return async <T>(site: string | null, check: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
    await turn(site, signal)
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
