import { toNetwork } from '../../../platform/access/networks.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { defineErrors, type Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

const WINDOW = 15 * MINUTE
const FREE_TRIES = 5
const LONGEST_WAIT = 5 * MINUTE
const FREE_TRIES_PER_ADDRESS = 20
const FIRST_DELAY = SECOND / 8
const LONGEST_DELAY = 2 * SECOND
/** This many failures are remembered, the oldest of which is forgotten first. Each one costs its sender a slow hash. */
const MAX_ENTRIES = 100_000

const errors = defineErrors('auth', () => ({ slow_down: [429, say('auth.error.slow_down')] }))

/** Makes the 429 for a caller who must wait this many milliseconds. */
export const slowDown = (ms: number, detail?: string): Problem =>
  errors.slow_down({
    ...(detail === undefined ? {} : { detail }),
    headers: { 'retry-after': String(Math.max(1, Math.ceil(ms / SECOND))) },
  })

type Failures = { count: number; last: number }

/** Counts failures by key, for 15 minutes after the last one. */
function createCounts() {
  const failures = new Map<string, Failures>()
  const findFailures = (key: string, now: number): Failures | undefined => {
    const entry = failures.get(key)
    return entry && now - entry.last <= WINDOW ? entry : undefined
  }
  return {
    findFailures,
    note: (key: string, now: number): void => {
      const entry = findFailures(key, now)
      // the entry is removed and inserted again, so that the map is ordered by the last failure and expired entries
      // come first
      failures.delete(key)
      failures.set(key, { count: (entry?.count ?? 0) + 1, last: now })
      for (const [old, { last }] of failures) {
        if (now - last <= WINDOW && failures.size <= MAX_ENTRIES) break
        failures.delete(old)
      }
    },
    takeBack: (key: string): void => {
      const entry = failures.get(key)
      if (entry) failures.set(key, { ...entry, count: Math.max(0, entry.count - 1) })
    },
    forget: (key: string): void => void failures.delete(key),
  }
}

/** Who tries: a device that signed in to this account before, or else a network (an IPv6 /64 counts as one). */
export type Tryer = { device: string } | { ip: string | null }
const formatTryer = (tryer: Tryer): string =>
  'device' in tryer ? `device:${tryer.device}` : `ip:${toNetwork(tryer.ip)}`

/**
 * Slows down guessing. After five failures of one device (or network) at one account in 15 minutes, each further try of
 * that pair waits twice as long, up to five minutes; it is never locked out. An address with many failures over all
 * accounts is answered up to two seconds later, but not refused. All is kept in memory: a restart only forgets delays.
 * RULES “Sign-in”.
 */
export function createThrottle() {
  const pairs = createCounts()
  const addresses = createCounts()
  const formatPair = (account: string, tryer: Tryer) => `${account}\n${formatTryer(tryer)}`

  /** Returns how many milliseconds this pair must still wait; at 0 it may try. */
  const calculateWait = (account: string, tryer: Tryer, now: number): number => {
    const entry = pairs.findFailures(formatPair(account, tryer), now)
    const over = (entry?.count ?? 0) - FREE_TRIES
    if (!entry || over < 0) return 0
    return Math.max(0, entry.last + Math.min(SECOND * 2 ** Math.min(over, 20), LONGEST_WAIT) - now)
  }
  const note = (account: string, tryer: Tryer, now: number): void => pairs.note(formatPair(account, tryer), now)

  return {
    calculateWait,
    /** Counts a try as a failure until `right` takes it back, so that simultaneous tries all count. */
    note,
    /** Throws the 429 while this pair must wait; otherwise counts the try. */
    attempt: (account: string, tryer: Tryer, now: number): void => {
      const wait = calculateWait(account, tryer, now)
      if (wait > 0) throw slowDown(wait)
      note(account, tryer, now)
    },
    /** Counts a try from an address, and returns by how many milliseconds its answer is to be delayed. */
    countDelay: (ip: string | null, now: number): number => {
      const network = toNetwork(ip)
      const over = (addresses.findFailures(network, now)?.count ?? 0) - FREE_TRIES_PER_ADDRESS
      addresses.note(network, now)
      return over < 0 ? 0 : Math.min(FIRST_DELAY * 2 ** Math.min(over, 20), LONGEST_DELAY)
    },
    /** Takes a try back because the password was right, though a second factor may still be missing. */
    right: (account: string, tryer: Tryer): void => pairs.takeBack(formatPair(account, tryer)),
    rightFrom: (ip: string | null): void => addresses.takeBack(toNetwork(ip)),
    /** Forgets the failures of this pair after a complete sign-in. */
    succeeded: (account: string, tryer: Tryer): void => pairs.forget(formatPair(account, tryer)),
  }
}
export type Throttle = ReturnType<typeof createThrottle>
