import { HOUR, MINUTE, SECOND } from '../clock.ts'

/** Requests allowed in each window; 0 turns a tier off. Interface §8. */
export type RateLimits = { short: number; medium: number; long: number }
export type RateTier = keyof RateLimits

const WINDOWS: Readonly<Record<RateTier, number>> = { short: SECOND, medium: MINUTE, long: HOUR }
const TIERS = ['short', 'medium', 'long'] as const

/** Trackers remembered at once, some 10 MB. Beyond that the oldest starts again: a flood of addresses costs no memory and locks nobody out. */
const MAX_BUCKETS = 50_000

type Bucket = { start: [number, number, number]; count: [number, number, number] }

/** Where a caller stands; `retryAfter` (seconds) only when a tier is used up. */
export type RateVerdict = { retryAfter: number | null }

/**
 * Three fixed windows at once for each tracker, in memory. `take` counts one request and writes the X-RateLimit headers
 * into `headers`; the tracker must come from a verified identity or the client's address, never from unverified input.
 */
export function createRateLimiter(limits: RateLimits) {
  const buckets = new Map<string, Bucket>()
  const active = TIERS.map((tier, index) => ({
    index: index as 0 | 1 | 2,
    limit: limits[tier],
    window: WINDOWS[tier],
    limitHeader: `x-ratelimit-limit-${tier}`,
    remainingHeader: `x-ratelimit-remaining-${tier}`,
    resetHeader: `x-ratelimit-reset-${tier}`,
    limitText: String(limits[tier]),
  })).filter((tier) => tier.limit > 0)
  let lastSweep = 0

  /** Buckets whose longest window has passed say nothing any more. */
  const sweep = (now: number) => {
    lastSweep = now
    for (const [tracker, bucket] of buckets) if (now - bucket.start[2] >= HOUR) buckets.delete(tracker)
  }

  return {
    take: (tracker: string, now: number, headers: Record<string, string | number>): RateVerdict => {
      if (now - lastSweep > HOUR) sweep(now)
      let bucket = buckets.get(tracker)
      if (!bucket) {
        const [oldest] = buckets.keys()
        if (oldest !== undefined && buckets.size >= MAX_BUCKETS) buckets.delete(oldest)
        bucket = { start: [now, now, now], count: [0, 0, 0] }
        buckets.set(tracker, bucket)
      }
      headers['x-ratelimit-tracker'] = tracker
      let retryAfter: number | null = null
      for (const tier of active) {
        // a clock set back must not lock anybody out
        if (now - bucket.start[tier.index] >= tier.window || now < bucket.start[tier.index]) {
          bucket.start[tier.index] = now
          bucket.count[tier.index] = 0
        }
        bucket.count[tier.index] += 1
        const left = tier.limit - bucket.count[tier.index]
        const reset = Math.ceil((bucket.start[tier.index] + tier.window - now) / SECOND)
        if (left < 0) retryAfter = Math.max(retryAfter ?? 0, reset)
        headers[tier.limitHeader] = tier.limitText
        headers[tier.remainingHeader] = left < 0 ? '0' : String(left)
        headers[tier.resetHeader] = String(reset)
      }
      return { retryAfter }
    },
  }
}
export type RateLimiter = ReturnType<typeof createRateLimiter>
