import { networkOf } from '../../platform/access/networks.ts'
import { MINUTE, SECOND } from '../../platform/clock.ts'
import { Problem } from '../../platform/http/problem.ts'

const WINDOW = 15 * MINUTE
const FREE_TRIES = 5
const FREE_TRIES_PER_ADDRESS = 20
const LONGEST_WAIT = 5 * MINUTE
/** Failures remembered at once; beyond that the longest untouched is forgotten. Each costs its sender a slow hash. */
const MAX_ENTRIES = 100_000

type Failures = { count: number; last: number }

/**
 * Slows down guessing: after five failures in 15 minutes for an account from one address (an IPv6 /64 is one; 20 for an address over all accounts) each further try must
 * wait twice as long, up to five minutes. Never a lock: waiting always helps. rules.md “Tenants, users, first run”.
 */
export function createThrottle() {
  const failures = new Map<string, Failures>()
  const waitFor = (key: string, free: number, now: number): number => {
    const entry = failures.get(key)
    if (!entry || now - entry.last > WINDOW) return 0
    const over = entry.count - free
    if (over < 0) return 0
    return Math.max(0, entry.last + Math.min(SECOND * 2 ** Math.min(over, 20), LONGEST_WAIT) - now)
  }
  const note = (key: string, now: number) => {
    const entry = failures.get(key)
    // taken out and put in again: the map stays in the order of the last failure, so what is over stands in front
    failures.delete(key)
    failures.set(key, { count: entry && now - entry.last <= WINDOW ? entry.count + 1 : 1, last: now })
    for (const [old, { last }] of failures) {
      if (now - last <= WINDOW && failures.size <= MAX_ENTRIES) break
      failures.delete(old)
    }
  }
  const account = (email: string, ip: string | null) => `account:${email}\n${networkOf(ip)}`
  const address = (ip: string | null) => `ip:${networkOf(ip)}`
  const takeBack = (key: string) => {
    const entry = failures.get(key)
    if (entry) failures.set(key, { ...entry, count: entry.count - 1 })
  }
  return {
    /** Throws the 429 while the caller must wait; otherwise counts the try as a failure until `right` says it was none: many at once are many. */
    attempt: (email: string, ip: string | null, now: number) => {
      const wait = Math.max(
        waitFor(account(email, ip), FREE_TRIES, now),
        waitFor(address(ip), FREE_TRIES_PER_ADDRESS, now),
      )
      if (wait > 0) {
        throw new Problem(429, 'auth.slow_down', 'Too many failed tries; wait a little and try again.', [], {
          'retry-after': String(Math.ceil(wait / SECOND)),
        })
      }
      note(account(email, ip), now)
      note(address(ip), now)
    },
    /** The try was right, though it may not be the whole sign-in. */
    right: (email: string, ip: string | null) => {
      takeBack(account(email, ip))
      takeBack(address(ip))
    },
    /** The whole sign-in was right: the account's failures before it are forgotten. */
    succeeded: (email: string, ip: string | null) => {
      failures.delete(account(email, ip))
      takeBack(address(ip))
    },
  }
}
export type Throttle = ReturnType<typeof createThrottle>
