import { type SQL, sql } from 'drizzle-orm'
import { DAY } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { isCrypto, parseRate, type Ratio } from '../../../platform/money.ts'
import { newest, PIVOT, priceBy, type StoredRate, times } from './fx.quotes.ts'
import { fxGlobalRates, fxRates } from './fx.table.ts'

/** A rate is compared with what held this long ago, so that many small steps count together. Fixed by RULES “FX”. */
const LOOK_BACK = DAY
/** Per cent by which a rate may differ from then before a second person is asked. Fixed by RULES “FX”. */
const MAX_CHANGE = 5n
const MAX_CRYPTO_CHANGE = 20n

type Pool = StoredRate['pool']
type Pair = { base: string; quote: string }
type Past = Pick<StoredRate, 'id' | 'base' | 'quote' | 'rate' | 'pool' | 'createdAt'> & { endedAt: number | null }

type Rates = typeof fxRates | typeof fxGlobalRates
/** Rates of a pool that nobody has to confirm; the firm's only where ?2 asks for more than the pool. */
const confirmed = (rates: Rates): SQL =>
  rates === fxRates
    ? sql`${fxRates.tenantId} = ?1 AND ?2 = 'tenant' AND ${fxRates.unconfirmed} = 0`
    : sql`${rates.unconfirmed} = 0`

/** Of each of the pairs in ?4, a list in JSON, the last rate until ?3, else the first one since. */
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

/** Every pair that a pool has ever had a rate of, from one to the next in the index, however many rates each has. */
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

/** A rate that tells of a moment: it held then, or it had ended before, or it is younger. */
type Told = { rate: Past; by: 'held' | 'ended' | 'younger' }

/**
 * Which of several rates tells what held at a moment: the firm's newest that held then, else the pool's. Where none
 * held: the last one before, since removing a rate must not make the past forgotten, and else the first one.
 */
function tell(rates: readonly Past[], at: number): Told | undefined {
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

/** Which currencies have ever had a rate with which others; read where it is needed. */
function waysOf(db: Reader, pool: Pool) {
  let others: Map<string, Set<string>> | undefined
  /** Over how many rates each currency leads to the pivot. */
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
    // what is added meanwhile is visited too
    for (const [code, far] of found)
      for (const other of others.get(code) ?? []) if (!found.has(other)) found.set(other, far + 1)
    return found
  }
  return {
    add,
    /** The others through which a currency is priced: those with a mid, or else those that lead to one soonest. */
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
 * What prices were 24 hours before a moment, by rates of the firm and of the pool (of which alone the pool knows). Who
 * sets a rate while they ask says so by `add`.
 */
export function pastOf(db: Reader, pool: Pool, now: number) {
  const at = now - LOOK_BACK
  const ways = waysOf(db, pool)
  const tellBy = (pairs: readonly Pair[]): Told | undefined =>
    pairs.length === 0 ? undefined : tell(db.query<Past>(OF_PAIRS, [pool, at, JSON.stringify(pairs)]), at)
  const ownMid = (currency: string): Told | undefined => tellBy(bothWays(currency, PIVOT))

  // the first rate since then stays the first, whatever is set meanwhile
  const known = new Map<string, Ratio>()
  /**
   * The mid of a currency. One without a mid of its own is priced through another currency that has one, so that only
   * the first price of a currency is compared with nothing, and not its first one against the pivot.
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
    /** What one of `base` was in `quote`: by the mids, or by rates of the pair where one of them had no price else. */
    price(base: string, quote: string): Ratio | undefined {
      const from = mid(base)
      const to = from && mid(quote)
      if (from && to) return { n: from.n * to.d, d: from.d * to.n }
      const pair = tellBy(bothWays(base, quote))
      return pair && priceBy(base, pair.rate)
    },
  }
}
export type PastPrices = ReturnType<typeof pastOf>

/** Whether two prices differ by more than so many per cent of the second. */
const differs = (one: Ratio, other: Ratio, percent: bigint): boolean => {
  const [a, b] = [one.n * other.d, other.n * one.d]
  return (a > b ? a - b : b - a) * 100n > b * percent
}

/** Whether a price of a pair is so far from another one of it that one person's word is not enough. */
export const isFar = ({ base, quote }: Pair, price: Ratio, from: Ratio): boolean =>
  differs(price, from, isCrypto(base) || isCrypto(quote) ? MAX_CRYPTO_CHANGE : MAX_CHANGE)

/**
 * Whether a price of a pair is far from that of 24 hours ago. The first price of a currency has nothing to differ from,
 * and passes.
 */
export function jumps(past: PastPrices, pair: Pair, price: Ratio): boolean {
  const before = past.price(pair.base, pair.quote)
  return before !== undefined && isFar(pair, price, before)
}

/** Whether a rate says the same as another one, within one per cent. */
export const repeats = (rate: string, of: string): boolean => !differs(parseRate(rate), parseRate(of), 1n)
