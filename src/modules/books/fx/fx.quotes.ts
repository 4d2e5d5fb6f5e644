import { DAY, HOUR } from '../../../platform/clock.ts'
import { plainDecimal } from '../../../platform/http/body/exact-numbers.ts'
import { convertByRatio, parseRate, type Ratio, type Rounding } from '../../../platform/money.ts'
import { defineErrors, type Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'

/** A rate that holds, of the firm or of the global pool. */
export type StoredRate = {
  id: string
  base: string
  quote: string
  rate: string
  source: string
  pool: 'tenant' | 'global'
  createdBy: string | null
  /** Whose word the author confirmed, where a second person had to. */
  proposedBy: string | null
  createdAt: number
}

/** Everybody whose word a rate is. */
export const authorsOf = ({ createdBy, proposedBy }: Pick<StoredRate, 'createdBy' | 'proposedBy'>): string[] =>
  [createdBy, proposedBy].filter((id) => id !== null)

/** The rates that hold now, by pair in exactly this direction: the firm's before the pool's. */
export type Rates = { of(base: string, quote: string): readonly StoredRate[] }

/** How one currency becomes another: an exact fraction, and the rates it was made of. */
export type Quote = {
  ratio: Ratio
  via: 'same' | 'direct' | 'inverse' | 'pivot'
  rates: StoredRate[]
}

/**
 * The price of a conversion. `bounds`: every rate that it is never better than, the worse price's and the other one's,
 * since whoever enters one of them lets a better price through.
 */
type Price = Quote & { bounds: StoredRate[] }

/** What a firm set for its clients' own conversions. */
export type ClientTerms = { spread: number; maxAgeHours: number }

/** The currency that all mid prices are in. Fixed by RULES “FX”. */
export const PIVOT = 'USD'
const ONE: Ratio = { n: 1n, d: 1n }
/** A currency in itself. */
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
 * The looked-up rate: the firm's, else global, else the inverse, else through USD; undefined when there is none.
 * RULES “FX”.
 */
export function lookUp(rates: Rates, base: string, quote: string): Quote | undefined {
  if (base === quote) return SAME_CURRENCY
  return pairQuote(rates, base, quote) ?? throughPivot(rates, base, quote)
}

/** The rate by way of the pivot; undefined where one of the two is missing or is the pivot itself. */
export function throughPivot(rates: Rates, base: string, quote: string): Quote | undefined {
  const into = base === PIVOT ? undefined : pairQuote(rates, base, PIVOT)
  const out = quote === PIVOT ? undefined : pairQuote(rates, PIVOT, quote)
  return into && out && { ratio: times(into.ratio, out.ratio), via: 'pivot', rates: [...into.rates, ...out.rates] }
}

/** The newest of several rates; of two of one moment the one that was written last. */
export const newest = <R extends Pick<StoredRate, 'id' | 'createdAt'>>(rates: readonly R[]): R | undefined =>
  rates.reduce<R | undefined>(
    (best, rate) =>
      !best || rate.createdAt > best.createdAt || (rate.createdAt === best.createdAt && rate.id > best.id)
        ? rate
        : best,
    undefined,
  )

/** What one of a currency is in USD, and the rate that says so; USD itself is 1 by no rate. */
type Mid = { price: Ratio; rate: StoredRate | null }

/** What one of `base` is by a rate of the pair in either direction. */
export const priceBy = (base: string, rate: Pick<StoredRate, 'base' | 'rate'>): Ratio =>
  rate.base === base ? parseRate(rate.rate) : inverse(parseRate(rate.rate))

/**
 * The one mid price of a currency: the newest of the firm's rates against USD, else of the pool's, in either direction.
 */
function midOf(rates: Rates, currency: string): Mid | undefined {
  if (currency === PIVOT) return { price: ONE, rate: null }
  const all = [...rates.of(currency, PIVOT), ...rates.of(PIVOT, currency)]
  const rate = newest(all.filter(({ pool }) => pool === 'tenant')) ?? newest(all)
  return rate && { price: priceBy(currency, rate), rate }
}

/** What one currency is in another by their two mids; undefined without both. */
export function crossOf(rates: Rates, base: string, quote: string): Quote | undefined {
  if (base === quote) return SAME_CURRENCY
  const [from, to] = [midOf(rates, base), midOf(rates, quote)]
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

/**
 * Throws 422 `fx_rate_missing` where one of two currencies has no mid price; the detail names the pair that would be
 * one.
 */
function requireMids(rates: Rates, base: string, quote: string): StoredRate[] {
  return [base, quote].flatMap((currency) => {
    const mid = midOf(rates, currency)
    if (!mid) throw missing(currency, PIVOT)
    return mid.rate ?? []
  })
}

/** Whether more time than `maxAgeHours` lies between two moments, Saturdays and Sundays (UTC) not counted. */
function isTooOld(createdAt: number, now: number, maxAgeHours: number): boolean {
  let age = 0
  for (let from = createdAt; from < now; ) {
    const midnight = (Math.floor(from / DAY) + 1) * DAY
    const until = Math.min(midnight, now)
    const weekday = new Date(from).getUTCDay()
    if (weekday !== 0 && weekday !== 6) age += until - from
    // years of age need no counting to the end
    if (age > maxAgeHours * HOUR) return true
    from = until
  }
  return false
}

/**
 * Throws 422 `fx_rate_stale`, naming the pair, where the mid price of one of two currencies is too old, and
 * `fx_rate_missing` where it has none.
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

/** The worse of two prices for who gives `base` away; of two equal ones the first. */
const worse = (one: Quote, other: Quote | undefined): Quote => (other && isAbove(one.ratio, other.ratio) ? other : one)

/**
 * The looked-up rate, never better than the cross of the mids where there are both; undefined when nothing is found.
 */
export function priceOf(rates: Rates, base: string, quote: string): Price | undefined {
  const found = lookUp(rates, base, quote)
  if (!found) return undefined
  const cross = crossOf(rates, base, quote)
  return { ...worse(found, cross), bounds: [...found.rates, ...(cross?.rates ?? [])] }
}

/** The price of a conversion by staff: as `priceOf`; 422 `fx_rate_missing` when there is none. */
export function quoteForStaff(rates: Rates, base: string, quote: string): Price {
  const price = priceOf(rates, base, quote)
  if (!price) throw missing(base, quote)
  return price
}

/**
 * What is left of a price after the firm's share: 0.005 leaves 199/200. The digits of the number count, not what a
 * double makes of them.
 */
function lessSpread(spread: number): Ratio {
  const [whole = '0', fraction = ''] = plainDecimal(String(spread)).split('.')
  const d = 10n ** BigInt(fraction.length)
  return { n: d - BigInt(whole + fraction), d }
}

/**
 * The price of a conversion that a client makes alone: the worse of the looked-up rate and the cross of the two mids,
 * less the firm's spread. Every currency has one mid, so a client's prices are never better than one set of values for
 * all currencies, and whatever they convert in whatever order, rounded down each time, is worth no more at its end.
 * RULES “FX”.
 */
export function quoteForClient(rates: Rates, base: string, quote: string, terms: ClientTerms, now: number): Price {
  if (base === quote) return SAME_CURRENCY
  requireFreshMids(rates, base, quote, terms.maxAgeHours, now)
  const best = quoteForStaff(rates, base, quote)
  return { ...best, ratio: times(best.ratio, lessSpread(terms.spread)) }
}

/** Minor units of `base` in minor units of `quote`. Money that moves is rounded down; comparisons are half-even. */
export const applyQuote = (
  minor: bigint,
  base: string,
  quote: string,
  { ratio }: Quote,
  rounding: Rounding = 'half-even',
): bigint => convertByRatio(minor, base, quote, ratio, rounding)
