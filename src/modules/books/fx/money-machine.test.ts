import { describe, expect, test } from 'bun:test'
import { findGain, type Machine, OURS } from '../../../testing/money-machine.ts'
import { findCross, lookUp, type Quote, quoteForStaff, SAME_CURRENCY } from './fx.quotes.ts'

/** The suite tries this many cases; `bun run machine -- --cases 100000` tries more. */
const CASES = 2000

test('while no rate changes, no series of a client’s conversions and transfers ends with more than was paid in', () => {
  expect(findGain(OURS, CASES)).toBeNull()
})

describe('the test above finds', () => {
  const or = (quote: Quote | undefined): Quote => quote ?? SAME_CURRENCY
  const broken: Record<string, Machine> = {
    'a price that is only looked up': { ...OURS, price: (rates, base, quote) => or(lookUp(rates, base, quote)) },
    'a spread without the mids': {
      ...OURS,
      price: (rates, base, quote, { spread }) => {
        const { ratio, ...found } = or(lookUp(rates, base, quote))
        const left = BigInt(Math.round((1 - spread) * 1e9))
        return { ...found, ratio: { n: ratio.n * left, d: ratio.d * 1_000_000_000n } }
      },
    },
    'the better of the two prices': {
      ...OURS,
      price: (rates, base, quote) => {
        const [one, other] = [or(lookUp(rates, base, quote)), or(findCross(rates, base, quote))]
        return one.ratio.n * other.ratio.d > other.ratio.n * one.ratio.d ? one : other
      },
    },
    'a price without a spread that is rounded up': { price: quoteForStaff, rounding: 'up' },
    'a price without a spread that is rounded to the nearest': { price: quoteForStaff, rounding: 'half-even' },
  }
  for (const [name, machine] of Object.entries(broken)) {
    test(`the search finds that ${name} gains money`, () => {
      // a fixed seed, so that every run has the same result
      expect(findGain(machine, CASES, 1)).toContain('became')
    })
  }
})
