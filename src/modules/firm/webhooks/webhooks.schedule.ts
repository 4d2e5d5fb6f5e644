import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { FAILING_DAYS } from '../../../words/rule-figures.ts'

/**
 * The wait before each attempt: twelve attempts in about 75 hours, which is longer than a weekend. src/README “Events
 * and webhooks”.
 */
export const WAITS = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
export const MAX_ATTEMPTS = WAITS.length
export const JITTER = 0.2

/**
 * Returns when to try again after `attempts` failed attempts; null after the last one. `retryAfterMs` is what the
 * receiver asked for, at most a day; `random` (0–1) spreads receivers that failed together.
 */
export function nextAttemptAt(now: number, attempts: number, retryAfterMs: number, random: number): number | null {
  const wait = WAITS[attempts]
  if (wait === undefined) return null
  const jittered = wait * (1 + JITTER * (2 * random - 1))
  return Math.round(now + Math.max(jittered, Math.min(retryAfterMs, DAY)))
}

/** Returns a Retry-After header, in seconds or as a date, as milliseconds from now; 0 if it is absent or invalid. */
export function parseRetryAfter(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}

export const DISABLE_AFTER = FAILING_DAYS * DAY
export const MIN_FAILURES = 10
const WARN_AFTER = DAY

type Health = { failingSince: number | null; failures: number; warnedAt: number | null }

/** Judges a failing endpoint: warned about after a day, disabled after five days without success and ten failures. */
export function judge(health: Health, now: number): 'nothing' | 'warn' | 'disable' {
  const failingFor = health.failingSince === null ? 0 : now - health.failingSince
  if (failingFor >= DISABLE_AFTER && health.failures >= MIN_FAILURES) return 'disable'
  return failingFor >= WARN_AFTER && health.warnedAt === null ? 'warn' : 'nothing'
}
