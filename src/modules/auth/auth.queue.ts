import { SECOND } from '../../platform/clock.ts'
import { slowDown } from './auth.throttle.ts'

/** Slow checks at once: the rest waits, so that guessing leaves the processor to others. */
const AT_ONCE = 2
/** Checks of unknown devices that may wait; more is a flood from many addresses, which is told to come back. */
const MAX_WAITING = 1000

/**
 * Runs slow checks a few at once. Known devices (`network` null) go first; of the
 * others every network has its turn, so that one that sends many waits for itself.
 */
export function createQueue(atOnce = AT_ONCE) {
  const first: (() => void)[] = []
  const networks = new Map<string, (() => void)[]>()
  let running = 0
  let waiting = 0

  const next = (): (() => void) | undefined => {
    const known = first.shift()
    if (known) return known
    for (const [network, line] of networks) {
      const start = line.shift()
      // to the end of the round, or out of it
      networks.delete(network)
      if (line.length > 0) networks.set(network, line)
      waiting -= 1
      return start
    }
    return undefined
  }
  const turn = (network: string | null): Promise<void> => {
    if (running < atOnce) {
      running += 1
      return Promise.resolve()
    }
    if (network !== null && waiting >= MAX_WAITING) throw slowDown(SECOND)
    return new Promise((start) => {
      if (network === null) return void first.push(start)
      waiting += 1
      const line = networks.get(network)
      if (line) line.push(start)
      else networks.set(network, [start])
    })
  }

  return async <T>(network: string | null, check: () => Promise<T>): Promise<T> => {
    await turn(network)
    try {
      return await check()
    } finally {
      // the place is handed on, not given up: nobody who comes now overtakes who waits
      const start = next()
      if (start) start()
      else running -= 1
    }
  }
}
export type Queue = ReturnType<typeof createQueue>
