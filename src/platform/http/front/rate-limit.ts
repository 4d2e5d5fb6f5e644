import { findViewerId, type Principal } from '../../access/principal.ts'
import { HOUR, MINUTE, SECOND } from '../../clock.ts'

/** Requests allowed in each window; 0 turns a tier off. src/README “Rate limits”. */
export type RateLimits = { short: number; medium: number; long: number }
type RateTier = keyof RateLimits

const WINDOWS: Readonly<Record<RateTier, number>> = { short: SECOND, medium: MINUTE, long: HOUR }
const TIERS = ['short', 'medium', 'long'] as const

/**
 * At most this many trackers are remembered, in some 10 MB. Beyond that the oldest is forgotten, so that a flood of
 * addresses takes limited memory and locks nobody out.
 */
const MAX_BUCKETS = 50_000

/** The part of the configured tiers that a bucket holds. */
const SHARES = {
  whole: { short: 1, medium: 1, long: 1 },
  /** All clients of a firm together: clients never lock the staff out. */
  traders: { short: 1 / 2, medium: 1 / 2, long: 1 / 2 },
  /** One client, for all sessions together. */
  trader: { short: 1 / 4, medium: 1 / 4, long: 1 / 10 },
} as const satisfies Readonly<Record<string, RateLimits>>
type RateShare = keyof typeof SHARES

/**
 * One bucket that a request draws on. The tracker comes from a verified identity or the client's address, never from
 * unverified input.
 */
export type Draw = { tracker: string; share: RateShare }
type Bucket = { start: [number, number, number]; count: [number, number, number] }

/** The verdict on a request; `retryAfter` (seconds) is null unless a tier is used up. */
type RateVerdict = { retryAfter: number | null }

/**
 * Returns the buckets of a caller, the innermost first: a client draws on their own, on that of all clients of the
 * firm, and on the firm's.
 */
export function listDraws(principal: Principal, tenantId: string | undefined, network: string): Draw[] {
  if (principal.kind === 'api_key') return [{ tracker: `key:${principal.id}`, share: 'whole' }]
  if (tenantId === undefined) return [{ tracker: `ip:${network}`, share: 'whole' }]
  const firm: Draw = { tracker: `tenant:${tenantId}`, share: 'whole' }
  // requests of a view count for its viewer's firm, and take nothing of the client's own share
  if (principal.kind !== 'trader' || findViewerId(principal) !== null) return [firm]
  return [
    { tracker: `trader:${principal.id}`, share: 'trader' },
    { tracker: `traders:${tenantId}`, share: 'traders' },
    firm,
  ]
}

const buildTiers = (limits: RateLimits, share: RateShare) =>
  TIERS.map((tier, index) => {
    const limit = limits[tier] === 0 ? 0 : Math.max(1, Math.floor(limits[tier] * SHARES[share][tier]))
    return {
      index: index as 0 | 1 | 2,
      limit,
      window: WINDOWS[tier],
      limitHeader: `x-ratelimit-limit-${tier}`,
      remainingHeader: `x-ratelimit-remaining-${tier}`,
      resetHeader: `x-ratelimit-reset-${tier}`,
      limitText: String(limit),
    }
  }).filter((tier) => tier.limit > 0)
type Tiers = ReturnType<typeof buildTiers>
type Buckets = Map<string, Bucket>

/** Deletes the buckets whose longest window has passed, since they limit nothing any more. */
function sweep(buckets: Buckets, now: number): void {
  for (const [tracker, bucket] of buckets) if (now - bucket.start[2] >= HOUR) buckets.delete(tracker)
}

function getBucket(buckets: Buckets, tracker: string, now: number): Bucket {
  const known = buckets.get(tracker)
  if (known) return known
  const [oldest] = buckets.keys()
  if (oldest !== undefined && buckets.size >= MAX_BUCKETS) buckets.delete(oldest)
  const bucket: Bucket = { start: [now, now, now], count: [0, 0, 0] }
  buckets.set(tracker, bucket)
  return bucket
}

/** Brings a bucket's windows up to now; returns the seconds to wait, or null if none is used up. */
function updateWindows(bucket: Bucket, tiers: Tiers, now: number): number | null {
  let retryAfter: number | null = null
  for (const { index, window, limit } of tiers) {
    // a clock set back must not lock anybody out
    if (now - bucket.start[index] >= window || now < bucket.start[index]) {
      bucket.start[index] = now
      bucket.count[index] = 0
    }
    if (bucket.count[index] >= limit)
      retryAfter = Math.max(retryAfter ?? 0, Math.ceil((bucket.start[index] + window - now) / SECOND))
  }
  return retryAfter
}

/** Writes the state of a bucket into the headers of an answer. */
function show(bucket: Bucket, tiers: Tiers, now: number, headers: Record<string, string | number>): void {
  for (const tier of tiers) {
    headers[tier.limitHeader] = tier.limitText
    headers[tier.remainingHeader] = String(Math.max(0, tier.limit - bucket.count[tier.index]))
    headers[tier.resetHeader] = String(Math.ceil((bucket.start[tier.index] + tier.window - now) / SECOND))
  }
}

/**
 * Three fixed windows at once for each tracker, in memory. `take` counts one request in each of its buckets; if one of
 * them refuses, it counts in none. It writes the X-RateLimit headers of the bucket that refused, else of the first,
 * into `headers`. RULES “Fair share”.
 */
export function createRateLimiter(limits: RateLimits) {
  const buckets: Buckets = new Map()
  const tiers = {
    whole: buildTiers(limits, 'whole'),
    traders: buildTiers(limits, 'traders'),
    trader: buildTiers(limits, 'trader'),
  }
  let lastSweep = 0

  return {
    take: (draws: readonly Draw[], now: number, headers: Record<string, string | number>): RateVerdict => {
      if (now - lastSweep > HOUR) {
        lastSweep = now
        sweep(buckets, now)
      }
      let [shown] = draws
      let retryAfter: number | null = null
      for (const draw of draws) {
        retryAfter = updateWindows(getBucket(buckets, draw.tracker, now), tiers[draw.share], now)
        if (retryAfter === null) continue
        shown = draw
        break
      }
      if (!shown) return { retryAfter }
      if (retryAfter === null)
        for (const { tracker, share } of draws) {
          const { count } = getBucket(buckets, tracker, now)
          for (const { index } of tiers[share]) count[index] += 1
        }
      headers['x-ratelimit-tracker'] = shown.tracker
      show(getBucket(buckets, shown.tracker, now), tiers[shown.share], now, headers)
      return { retryAfter }
    },
  }
}
