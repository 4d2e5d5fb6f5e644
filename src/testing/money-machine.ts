import fc from 'fast-check'
import {
  applyQuote,
  type ClientTerms,
  type Quote,
  quoteForClient,
  type Rates,
  type StoredRate,
} from '../modules/books/fx/fx.quotes.ts'
import { HOUR } from '../platform/clock.ts'
import { MoneyError, type Rounding } from '../platform/money.ts'
import { Problem } from '../platform/problem.ts'

/** The approximate value of one unit in USD, for currencies with 0, 2, 3, 6 and 8 decimals. */
const WORTH = { USD: 1, EUR: 1.0845, JPY: 0.0067, KWD: 3.257, BTC: 61234.5, GBP: 1.27, KRW: 0.00073, XRP: 0.52 }
type Currency = keyof typeof WORTH
const CURRENCIES = Object.keys(WORTH) as Currency[]

/** A Wednesday, so that no weekend matters. */
const NOW = Date.UTC(2026, 0, 14, 12)

/** The function that prices a client's conversion. Tests also pass wrong ones, whose gain must be found. */
type Pricing = (rates: Rates, base: string, quote: string, terms: ClientTerms, now: number) => Quote
export type Machine = { price: Pricing; rounding: Rounding }
/** The pricing of the program. */
export const OURS: Machine = { price: quoteForClient, rounding: 'down' }

const toRates = (rates: readonly StoredRate[]): Rates => ({
  of: (base, quote) =>
    (['tenant', 'global'] as const).flatMap((pool) =>
      rates.filter((rate) => rate.base === base && rate.quote === quote && rate.pool === pool),
    ),
})

/** Returns a rate as a feed gives it: slightly wrong, and with few decimals. */
const printed = (value: number, decimals: number): string => {
  const text = value.toFixed(decimals)
  return Number(text) > 0 ? text : value.toFixed(12)
}

const arbitraryRate = (base: Currency, quote: Currency, pool: StoredRate['pool']): fc.Arbitrary<StoredRate> =>
  fc
    .record({
      noise: fc.oneof(fc.constant(1), fc.double({ min: 0.97, max: 1.03, noNaN: true })),
      decimals: fc.integer({ min: 2, max: 8 }),
      age: fc.integer({ min: 0, max: 30 * HOUR }),
    })
    .map(({ noise, decimals, age }) => ({
      id: `${pool}-${base}-${quote}`,
      base,
      quote,
      rate: printed((WORTH[base] / WORTH[quote]) * noise, decimals),
      source: 'feed',
      pool,
      createdBy: null,
      proposedBy: null,
      createdAt: NOW - age,
    }))

/** Generates rates of a firm and of the pool, in both directions; some are missing. */
const ratesFor = (currencies: readonly Currency[]): fc.Arbitrary<StoredRate[]> =>
  fc
    .tuple(
      ...currencies.flatMap((base) =>
        [...new Set<Currency>([...currencies, 'USD'])]
          .filter((quote) => quote !== base)
          .flatMap((quote) =>
            (['tenant', 'global'] as const).flatMap((pool) =>
              // a rate in one direction against USD makes a mid price; most currencies have one
              [fc.option(arbitraryRate(base, quote, pool)), fc.option(arbitraryRate(quote, base, pool), { freq: 2 })],
            ),
          ),
      ),
    )
    .map((rates) => [...new Map(rates.filter((rate) => rate !== null).map((rate) => [rate.id, rate])).values()])

/**
 * An act of a client, who pays money in, moves it between two wallets of a currency, or converts all or a part of it.
 */
type Act = { kind: 'pay' | 'move' | 'convert'; from: number; to: number; share: number }
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('pay', 'move', 'convert', 'convert', 'convert', 'convert'),
  from: fc.nat({ max: 5 }),
  to: fc.nat({ max: 5 }),
  share: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 })),
})

type Case = {
  currencies: Currency[]
  rates: StoredRate[]
  spread: number
  amount: number
  round: number[]
  rounds: number
  acts: Act[]
}

/** Generates two to six currencies with rates, and acts of a client with an amount of the first. */
const cases: fc.Arbitrary<Case> = fc.shuffledSubarray(CURRENCIES, { minLength: 2, maxLength: 6 }).chain((currencies) =>
  fc.record({
    currencies: fc.constant(currencies),
    rates: ratesFor(currencies),
    spread: fc.oneof(fc.constantFrom(0, 0.005, 0.0001, 1e-7), fc.double({ min: 0, max: 0.2, noNaN: true })),
    amount: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1_000_000_000_000 })),
    round: fc.array(fc.nat({ max: currencies.length - 1 }), { minLength: 1, maxLength: 5 }),
    rounds: fc.integer({ min: 1, max: 4 }),
    acts: fc.array(act, { maxLength: 20 }),
  }),
)

/** Makes one conversion; returns null if the program refuses it. */
type Convert = (amount: bigint, from: Currency, to: Currency) => bigint | null

function converter({ price, rounding }: Machine, { rates, spread }: Case): Convert {
  const table = toRates(rates)
  return (amount, from, to) => {
    try {
      const quote = price(table, from, to, { spread, maxAgeHours: 24 }, NOW)
      const result = applyQuote(amount, from, to, quote, rounding)
      return result > 0n ? result : null
    } catch (error) {
      if (error instanceof Problem || error instanceof MoneyError) return null
      throw error
    }
  }
}

/** Converts a whole amount round and round. It must never exceed the former amount of the same currency. */
function goRound({ currencies, amount, round, rounds }: Case, convert: Convert): string | null {
  let at = currencies[0]
  if (at === undefined) return null
  let purse = BigInt(amount)
  const was = new Map<Currency, bigint>([[at, purse]])
  const path = [...round, 0]
  for (let step = 0; step < rounds * path.length; step += 1) {
    const to = currencies[path[step % path.length] ?? 0]
    const got = to === undefined || to === at ? null : convert(purse, at, to)
    if (to === undefined || got === null) continue
    const before = was.get(to)
    if (before !== undefined && got > before) return `${before} ${to} became ${got} ${to} in minor units, going round`
    was.set(to, got)
    at = to
    purse = got
  }
  return null
}

/** Moves money between two wallets of each currency, with payments in the first; no more of that may come back. */
function wander({ currencies, amount, acts }: Case, convert: Convert): string | null {
  const [home] = currencies
  if (home === undefined) return null
  const wallets = currencies.flatMap((currency) => [
    { currency, amount: 0n },
    { currency, amount: 0n },
  ])
  const first = wallets.find(({ currency }) => currency === home)
  if (!first) return null
  let paid = BigInt(amount)
  first.amount = paid
  for (const { kind, from, to, share } of acts) {
    const source = wallets[(from * 2 + (to % 2)) % wallets.length]
    const target = wallets[(to * 2 + (from % 2)) % wallets.length]
    if (!source || !target || source === target) continue
    if (kind === 'pay') {
      first.amount += BigInt(share)
      paid += BigInt(share)
      continue
    }
    const part = (source.amount * BigInt(share)) / 100n
    const isMove = source.currency === target.currency
    const got =
      part === 0n ? null : isMove ? part : kind === 'convert' ? convert(part, source.currency, target.currency) : null
    if (got === null) continue
    source.amount -= part
    target.amount += got
  }
  const back = wallets.reduce(
    (sum, wallet) =>
      sum +
      (wallet.currency === home
        ? wallet.amount
        : wallet.amount === 0n
          ? 0n
          : (convert(wallet.amount, wallet.currency, home) ?? 0n)),
    0n,
  )
  return back > paid ? `${paid} ${home} became ${back} ${home} in minor units, to and fro` : null
}

/** Describes what a client gained in a case; null if they gained nothing. */
function describeGain(machine: Machine, one: Case): string | null {
  const convert = converter(machine, one)
  return goRound(one, convert) ?? wander(one, convert)
}

/** Tries this many cases; returns the gain of the smallest counter-example with the example, or null. */
export function findGain(machine: Machine, numRuns: number, seed?: number): string | null {
  const property = fc.property(cases, (one) => describeGain(machine, one) === null)
  const {
    failed,
    counterexample,
    numRuns: tried,
  } = fc.check(property, { numRuns, ...(seed !== undefined && { seed }) })
  if (!failed) return null
  const [one] = counterexample ?? []
  return `${one ? describeGain(machine, one) : 'failed'}, after ${tried} cases:\n${JSON.stringify(one, null, 2)}`
}
