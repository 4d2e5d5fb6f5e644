import { type SQL, sql } from 'drizzle-orm'
import { DAY } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { isCrypto, parseRate, type Ratio } from '../../../platform/money.ts'
import { newest, PIVOT, priceBy, type StoredRate, times } from './fx.quotes.ts'
import { fxGlobalRates, fxRates } from './fx.table.ts'

/** A rate is compared with that of 24 hours ago, so that many small steps count together. RULES “FX”. */
const LOOK_BACK = DAY
/** A rate that differs by more per cent needs a second person. RULES “FX”. */
const MAX_CHANGE = 5n
const MAX_CRYPTO_CHANGE = 20n

type Pool = StoredRate['pool']
type Pair = { base: string; quote: string }
type Past = Pick<StoredRate, 'id' | 'base' | 'quote' | 'rate' | 'pool' | 'createdAt'> & { endedAt: number | null }

type Rates = typeof fxRates | typeof fxGlobalRates
/** Selects rates that do not wait for confirmation; those of the firm only if ?2 is `tenant`. */
const confirmed = (rates: Rates): SQL =>
  rates === fxRates
    ? sql`${fxRates.tenantId} = ?1 AND ?2 = 'tenant' AND ${fxRates.unconfirmed} = 0`
    : sql`${rates.unconfirmed} = 0`

/** Selects, for each pair in the JSON list ?4, the last rate until ?3, or without one the first rate after it. */
const ofPairs = (rates: Rates): SQL => {
  const ids = sql`SELECT ${rates.id} FROM ${rates}
    WHERE ${confirmed(rates)} AND ${rates.base} = pairs.base AND ${rates.quote} = pairs.quote`
  return sql`SELECT ${listed({
    id: rates.id,
    base: rates.base,
    quote: rates.quote,
    rate: rates.rate,
    createdAt: rates.createdAt,
    endedAt: rates.endedAt,
    pool: sql.raw(rates === fxRates ? "'tenant'" : "'global'"),
  })} FROM pairs CROSS JOIN ${rates} WHERE ${confirmed(rates)} AND ${rates.id} = coalesce(
    (${ids} AND ${rates.createdAt} <= ?3 ORDER BY ${rates.createdAt} DESC, ${rates.id} DESC LIMIT 1),
    (${ids} AND ${rates.createdAt} > ?3 ORDER BY ${rates.createdAt}, ${rates.id} LIMIT 1))`
}
const OF_PAIRS = statement(
  sql`WITH pairs (base, quote) AS (SELECT value ->> 'base', value ->> 'quote' FROM json_each(?4))
  ${ofPairs(fxRates)} UNION ALL ${ofPairs(fxGlobalRates)}`,
)

/** Selects every pair of a pool by skipping through the index, however many rates each pair has. */
const pairsIn = (rates: Rates): SQL => {
  const some = sql`SELECT ${rates.id} FROM ${rates} WHERE ${confirmed(rates)}`
  const first = sql`ORDER BY ${rates.base}, ${rates.quote} LIMIT 1`
  const next = sql`coalesce((${some} AND ${rates.base} = pairs.base AND ${rates.quote} > pairs.quote ${first}),
    (${some} AND ${rates.base} > pairs.base ${first}))`
  const pair = sql`SELECT ${rates.base}, ${rates.quote} FROM`
  return sql`SELECT base, quote FROM (WITH RECURSIVE pairs (base, quote) AS (
    ${pair} ${rates} WHERE ${confirmed(rates)} AND ${rates.id} = (${some} ${first})
    UNION ALL ${pair} pairs CROSS JOIN ${rates} WHERE ${confirmed(rates)} AND ${rates.id} = ${next})
    SELECT base, quote FROM pairs)`
}
const PAIRS = statement(sql`${pairsIn(fxRates)} UNION ALL ${pairsIn(fxGlobalRates)}`)

/** The rate for a moment: it applied then (`held`), it had ended before, or it is younger. */
type Dated = { rate: Past; by: 'held' | 'ended' | 'younger' }

/**
 * Returns the rate for a moment: the firm's newest that applied then, else the pool's. If none applied, it is the last
 * one before, so that removing a rate does not hide the past; if there is none before, it is the first one after.
 */
function pickRate(rates: readonly Past[], at: number): Dated | undefined {
  const before = rates.filter(({ createdAt }) => createdAt <= at)
  const held = before.filter(({ endedAt }) => endedAt === null || endedAt > at)
  const holding = newest(held.filter(({ pool }) => pool === 'tenant')) ?? newest(held)
  if (holding) return { rate: holding, by: 'held' }
  const ended = newest(before)
  if (ended) return { rate: ended, by: 'ended' }
  const first = rates.reduce<Past | undefined>((a, b) => (a && a.createdAt <= b.createdAt ? a : b), undefined)
  return first && { rate: first, by: 'younger' }
}
const ONE: Ratio = { n: 1n, d: 1n }
const bothWays = (base: string, quote: string): Pair[] => [
  { base, quote },
  { base: quote, quote: base },
]

/** Returns which currencies ever had a rate with which others; reads them at first use. */
function createPairGraph(db: Reader, pool: Pool) {
  let others: Map<string, Set<string>> | undefined
  /** The number of rates between each currency and the pivot. */
  let distances: Map<string, number> | undefined
  function add({ base, quote }: Pair): void {
    others?.set(base, (others.get(base) ?? new Set()).add(quote))
    others?.set(quote, (others.get(quote) ?? new Set()).add(base))
    distances = undefined
  }
  function read(): Map<string, Set<string>> {
    others = new Map()
    db.query<Pair>(PAIRS, [pool]).forEach(add)
    return others
  }
  function measure(others: Map<string, Set<string>>): Map<string, number> {
    const found = new Map([[PIVOT, 0]])
    // the loop also visits the entries that it adds
    for (const [code, far] of found)
      for (const other of others.get(code) ?? []) if (!found.has(other)) found.set(other, far + 1)
    return found
  }
  return {
    add,
    /** Returns the currencies through which a currency is priced: those with a mid, or else those closest to one. */
    from(currency: string): { through: string[]; areMids: boolean } {
      const all = others ?? read()
      const far = distances ?? measure(all)
      distances = far
      const next = Math.max(1, (far.get(currency) ?? 0) - 1)
      return { through: [...(all.get(currency) ?? [])].filter((other) => far.get(other) === next), areMids: next === 1 }
    },
  }
}

/**
 * Returns the prices 24 hours before a moment, by rates of the firm and the pool, or of the pool alone if it is the
 * pool's. `add` reports rates that are set meanwhile.
 */
export function createPastPrices(db: Reader, pool: Pool, now: number) {
  const at = now - LOOK_BACK
  const ways = createPairGraph(db, pool)
  const tellBy = (pairs: readonly Pair[]): Dated | undefined =>
    pairs.length === 0 ? undefined : pickRate(db.query<Past>(OF_PAIRS, [pool, at, JSON.stringify(pairs)]), at)
  const ownMid = (currency: string): Dated | undefined => tellBy(bothWays(currency, PIVOT))

  // the first rate after that moment stays the first, whatever is set meanwhile
  const known = new Map<string, Ratio>()
  /**
   * Returns the mid of a currency. Without a mid it is priced through another currency that has one, so that only the
   * very first price of a currency has nothing to be compared with.
   */
  function mid(currency: string): Ratio | undefined {
    if (currency === PIVOT) return ONE
    const before = known.get(currency)
    if (before) return before
    const own = ownMid(currency)
    const { through, areMids } = own?.by === 'held' ? { through: [], areMids: true } : ways.from(currency)
    const other = tellBy(through.flatMap((code) => bothWays(currency, code)))
    const isBetter = other && (!own || other.by === 'held' || (own.by === 'younger' && other.by === 'ended'))
    const price = isBetter ? priceThrough(currency, other.rate, areMids) : own && priceBy(currency, own.rate)
    if (price && (own || other?.by !== 'younger')) known.set(currency, price)
    return price
  }
  function priceThrough(currency: string, rate: Past, isMid: boolean): Ratio | undefined {
    const between = rate.base === currency ? rate.quote : rate.base
    const own = isMid ? ownMid(between) : undefined
    const rest = isMid ? own && priceBy(between, own.rate) : mid(between)
    return rest && times(priceBy(currency, rate), rest)
  }

  return {
    add: ways.add,
    /** Returns the price of `base` in `quote` by the mids, or by rates of the pair if a currency has no other price. */
    price(base: string, quote: string): Ratio | undefined {
      const from = mid(base)
      const to = from && mid(quote)
      if (from && to) return { n: from.n * to.d, d: from.d * to.n }
      const pair = tellBy(bothWays(base, quote))
      return pair && priceBy(base, pair.rate)
    },
  }
}
export type PastPrices = ReturnType<typeof createPastPrices>

/** Returns whether two prices differ by more than this per cent of the second. */
const differs = (one: Ratio, other: Ratio, percent: bigint): boolean => {
  const [a, b] = [one.n * other.d, other.n * one.d]
  return (a > b ? a - b : b - a) * 100n > b * percent
}

/** Returns whether a price differs so much from another one of the pair that it needs a second person. */
export const isFar = ({ base, quote }: Pair, price: Ratio, from: Ratio): boolean =>
  differs(price, from, isCrypto(base) || isCrypto(quote) ? MAX_CRYPTO_CHANGE : MAX_CHANGE)

/** Returns whether a price is far from that of 24 hours ago; the first price of a currency is not far. */
export function jumps(past: PastPrices, pair: Pair, price: Ratio): boolean {
  const before = past.price(pair.base, pair.quote)
  return before !== undefined && isFar(pair, price, before)
}

/** Returns whether a rate is within one per cent of another one. */
export const repeats = (rate: string, of: string): boolean => !differs(parseRate(rate), parseRate(of), 1n)
