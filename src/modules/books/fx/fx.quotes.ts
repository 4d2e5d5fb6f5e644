import { DAY, HOUR } from '../../../platform/clock.ts'
import { plainDecimal } from '../../../platform/http/body/exact-numbers.ts'
import { convertByRatio, parseRate, type Ratio, type Rounding } from '../../../platform/money.ts'
import { defineErrors, type Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** A rate in use, of the firm or of the global pool. */
export type StoredRate = {
  id: string
  base: string
  quote: string
  rate: string
  source: string
  pool: 'tenant' | 'global'
  createdBy: string | null
  /** Who sent the rate that the author confirmed; null if it needed no second person. */
  proposedBy: string | null
  createdAt: number
}

/** Returns the people who sent or confirmed a rate. */
export const listRateAuthors = ({ createdBy, proposedBy }: Pick<StoredRate, 'createdBy' | 'proposedBy'>): string[] =>
  [createdBy, proposedBy].filter((id) => id !== null)

/** The rates in use by pair in exactly this direction: the firm's before the pool's. */
export type Rates = { of(base: string, quote: string): readonly StoredRate[] }

/** An exact ratio from one currency to another, and the rates that it is made of. */
export type Quote = {
  ratio: Ratio
  via: 'same' | 'direct' | 'inverse' | 'pivot'
  rates: StoredRate[]
}

/**
 * The price of a conversion. `bounds` has the rates of both compared prices, since the author of any of them could
 * allow a better price.
 */
type Price = Quote & { bounds: StoredRate[] }

/** The firm's terms for clients' own conversions. */
export type ClientTerms = { spread: number; maxAgeHours: number }

/** All mid prices are in US dollars. RULES “FX”. */
export const PIVOT = 'USD'
const ONE: Ratio = { n: 1n, d: 1n }
/** The price of a currency in itself. */
export const SAME_CURRENCY: Price = { ratio: ONE, via: 'same', rates: [], bounds: [] }

const inverse = ({ n, d }: Ratio): Ratio => ({ n: d, d: n })
export const times = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.n, d: a.d * b.d })
const isAbove = (a: Ratio, b: Ratio): boolean => a.n * b.d > b.n * a.d

function pairQuote(rates: Rates, base: string, quote: string): Quote | undefined {
  const [direct] = rates.of(base, quote)
  if (direct) return { ratio: parseRate(direct.rate), via: 'direct', rates: [direct] }
  const [back] = rates.of(quote, base)
  return back && { ratio: inverse(parseRate(back.rate)), via: 'inverse', rates: [back] }
}

/**
 * Looks a rate up: the firm's, else the global one, else the inverse, else through USD; undefined without one. RULES
 * “FX”.
 */
export function lookUp(rates: Rates, base: string, quote: string): Quote | undefined {
  if (base === quote) return SAME_CURRENCY
  return pairQuote(rates, base, quote) ?? throughPivot(rates, base, quote)
}

/** Returns the rate through the pivot; undefined if either rate is missing or a currency is the pivot itself. */
export function throughPivot(rates: Rates, base: string, quote: string): Quote | undefined {
  const into = base === PIVOT ? undefined : pairQuote(rates, base, PIVOT)
  const out = quote === PIVOT ? undefined : pairQuote(rates, PIVOT, quote)
  return into && out && { ratio: times(into.ratio, out.ratio), via: 'pivot', rates: [...into.rates, ...out.rates] }
}

/** Returns the newest rate; of two from the same moment, the one written last. */
export const newest = <R extends Pick<StoredRate, 'id' | 'createdAt'>>(rates: readonly R[]): R | undefined =>
  rates.reduce<R | undefined>(
    (best, rate) =>
      !best || rate.createdAt > best.createdAt || (rate.createdAt === best.createdAt && rate.id > best.id)
        ? rate
        : best,
    undefined,
  )

/** The price of one unit in USD and its rate; USD itself is 1, without a rate. */
type Mid = { price: Ratio; rate: StoredRate | null }

/** Returns the price of `base` by a rate of the pair in either direction. */
export const priceBy = (base: string, rate: Pick<StoredRate, 'base' | 'rate'>): Ratio =>
  rate.base === base ? parseRate(rate.rate) : inverse(parseRate(rate.rate))

/** Returns the mid price of a currency: the firm's newest rate against USD in either direction, else the pool's. */
function findMid(rates: Rates, currency: string): Mid | undefined {
  if (currency === PIVOT) return { price: ONE, rate: null }
  const all = [...rates.of(currency, PIVOT), ...rates.of(PIVOT, currency)]
  const rate = newest(all.filter(({ pool }) => pool === 'tenant')) ?? newest(all)
  return rate && { price: priceBy(currency, rate), rate }
}

/** Returns the price between two currencies by their mids; undefined unless both have one. */
export function findCross(rates: Rates, base: string, quote: string): Quote | undefined {
  if (base === quote) return SAME_CURRENCY
  const [from, to] = [findMid(rates, base), findMid(rates, quote)]
  if (!from || !to) return undefined
  const used = [from.rate, to.rate].filter((rate) => rate !== null)
  const [only] = used
  const via = used.length > 1 ? 'pivot' : only?.base === base ? 'direct' : 'inverse'
  return { ratio: times(from.price, inverse(to.price)), via, rates: used }
}

const rateErrors = defineErrors('', () => ({
  fx_rate_missing: [422, say('fx.error.fx_rate_missing'), say('fx.todo.fx_rate_missing')],
  fx_rate_stale: [422, say('fx.error.fx_rate_stale'), say('fx.todo.fx_rate_stale')],
}))

const missing = (base: string, quote: string): Problem =>
  rateErrors.fx_rate_missing({
    detail: say('fx.error.pair_missing', { base, quote }),
    errors: [{ path: 'quote', code: 'fx_rate_missing', message: say('fx.field.pair_missing', { base }) }],
  })

/** Throws 422 `fx_rate_missing` if one of two currencies has no mid price; the detail names the missing pair. */
function requireMids(rates: Rates, base: string, quote: string): StoredRate[] {
  return [base, quote].flatMap((currency) => {
    const mid = findMid(rates, currency)
    if (!mid) throw missing(currency, PIVOT)
    return mid.rate ?? []
  })
}

/** Returns whether two moments are more than `maxAgeHours` apart, without Saturdays and Sundays (UTC). */
function isTooOld(createdAt: number, now: number, maxAgeHours: number): boolean {
  let age = 0
  for (let from = createdAt; from < now; ) {
    const midnight = (Math.floor(from / DAY) + 1) * DAY
    const until = Math.min(midnight, now)
    const weekday = new Date(from).getUTCDay()
    if (weekday !== 0 && weekday !== 6) age += until - from
    // the exact age of a rate that is years old does not matter
    if (age > maxAgeHours * HOUR) return true
    from = until
  }
  return false
}

/**
 * Throws 422 `fx_rate_stale`, naming the pair, if the mid price of one of the currencies is too old, and 422
 * `fx_rate_missing` if a currency has none.
 */
export function requireFreshMids(rates: Rates, base: string, quote: string, maxAgeHours: number, now: number): void {
  if (base === quote) return
  for (const { base: one, quote: other, createdAt } of requireMids(rates, base, quote)) {
    if (!isTooOld(createdAt, now, maxAgeHours)) continue
    throw rateErrors.fx_rate_stale({
      detail: say('fx.error.pair_stale', { one, other, hours: maxAgeHours }),
      errors: [{ path: 'quote', code: 'fx_rate_stale', message: say('fx.field.pair_stale', { one, other }) }],
    })
  }
}

/** Returns the price that is worse for the seller of `base`; the first one if they are equal. */
const worse = (one: Quote, other: Quote | undefined): Quote => (other && isAbove(one.ratio, other.ratio) ? other : one)

/** Returns the looked-up rate, or the cross of the mids if that is worse; undefined without a looked-up rate. */
export function findPrice(rates: Rates, base: string, quote: string): Price | undefined {
  const found = lookUp(rates, base, quote)
  if (!found) return undefined
  const cross = findCross(rates, base, quote)
  return { ...worse(found, cross), bounds: [...found.rates, ...(cross?.rates ?? [])] }
}

/** Returns the price of a conversion by staff, like `findPrice`; 422 `fx_rate_missing` without one. */
export function quoteForStaff(rates: Rates, base: string, quote: string): Price {
  const price = findPrice(rates, base, quote)
  if (!price) throw missing(base, quote)
  return price
}

/**
 * Returns the factor that the firm's spread leaves of a price: 0.005 leaves 199/200. It uses the number's decimal
 * digits, not its double.
 */
function lessSpread(spread: number): Ratio {
  const [whole = '0', fraction = ''] = plainDecimal(String(spread)).split('.')
  const d = 10n ** BigInt(fraction.length)
  return { n: d - BigInt(whole + fraction), d }
}

/**
 * Returns the price of a client's own conversion: the looked-up rate or the cross of the mids, whichever is worse, less
 * the spread. Each currency has one mid, so no series of conversions, each rounded down, ends with more value than it
 * began with. RULES “FX”.
 */
export function quoteForClient(rates: Rates, base: string, quote: string, terms: ClientTerms, now: number): Price {
  if (base === quote) return SAME_CURRENCY
  requireFreshMids(rates, base, quote, terms.maxAgeHours, now)
  const best = quoteForStaff(rates, base, quote)
  return { ...best, ratio: times(best.ratio, lessSpread(terms.spread)) }
}

/** Converts minor units of `base` to `quote`. Money that moves is rounded down; comparisons round half to even. */
export const applyQuote = (
  minor: bigint,
  base: string,
  quote: string,
  { ratio }: Quote,
  rounding: Rounding = 'half-even',
): bigint => convertByRatio(minor, base, quote, ratio, rounding)
