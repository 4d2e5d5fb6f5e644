import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Rule } from '../affiliates/plans.table.ts'
import { type Member, MissingRate, shareOut, type Terms } from './compute.ts'
import { parseFraction, toMinor, whole } from './fraction.ts'

const terms = (rules: Rule[], more: Partial<Terms> = {}): Terms => ({
  id: 'v',
  planId: 'p',
  number: 1,
  currency: 'EUR',
  override: 'difference',
  splits: [],
  maxLevels: 10,
  cap: '1',
  rules,
  ...more,
})
const lot = (rate: string): Rule => ({ model: 'lot', symbols: ['*'], rate })
const none = (from: string): never => {
  throw new MissingRate(from, '2026-01-15')
}

describe('a chain of affiliates', () => {
  const buildChain = (...rates: (string | null)[]): Member[] =>
    rates.map((rate, index) => ({ affiliateId: `a${index + 1}`, terms: terms(rate ? [lot(rate)] : []), earns: true }))
  const give = (chain: readonly Member[], revenue = 10n ** 30n) =>
    shareOut({
      chain,
      model: 'lot',
      base: whole(2n),
      findRule: ({ rules }) => rules[0],
      convert: none,
      revenue: whole(revenue),
    }).map(({ level, amount, rate, cut }) => [level, amount, rate, cut])

  test('each level of a chain is paid the part of its rate above all lower rates', () => {
    expect(give(buildChain('5', '7', '6', '10'))).toEqual([
      [1, 1000n, '5', false],
      [2, 400n, '2', false],
      // the third level's rate is below the second's, so it gets no line
      [4, 600n, '3', false],
    ])
  })

  test('the part of a suspended affiliate in a chain is not paid, though their rate still counts', () => {
    const [first, second] = buildChain('5', '7')
    if (!first || !second) throw new Error('there are two')
    expect(give([{ ...first, earns: false }, second])).toEqual([[2, 400n, '2', false]])
  })

  test('a chain is cut from the top if the revenue is too small, and its lines show it', () => {
    const chain = buildChain('5', '7', '10')
    expect(give(chain, 1700n)).toEqual([
      [1, 1000n, '5', false],
      [2, 400n, '2', false],
      [3, 300n, '3', true],
    ])
    expect(give(chain, 1100n)).toEqual([
      [1, 1000n, '5', false],
      [2, 100n, '2', true],
      [3, 0n, '3', true],
    ])
    expect(give(chain, -5n)).toEqual([
      [1, 0n, '5', true],
      [2, 0n, '2', true],
      [3, 0n, '3', true],
    ])
  })

  test('a chain is split by fixed shares if the plan has them', () => {
    const split = terms([lot('10')], { override: 'split', splits: ['0.7', '0.3'], maxLevels: 2 })
    const chain = [{ affiliateId: 'a', terms: split, earns: true }, ...buildChain('50', '60')]
    expect(give(chain)).toEqual([
      [1, 1400n, '7', false],
      [2, 600n, '3', false],
    ])
  })

  test('a chain with fixed shares needs no rates for currencies of plans above', () => {
    const split = terms([lot('10')], { override: 'split', splits: ['0.7', '0.3'], maxLevels: 2 })
    const above = terms([lot('50')], { currency: 'JPY' })
    const chain = [split, above].map((one, index) => ({ affiliateId: `a${index}`, terms: one, earns: true }))
    expect(give(chain)).toEqual([
      [1, 1400n, '7', false],
      [2, 600n, '3', false],
    ])
    expect(() => give([{ affiliateId: 'a', terms: terms([lot('10')]), earns: true }, ...chain.slice(1)])).toThrow(
      MissingRate,
    )
  })

  test('a chain never gets more than the cap of the revenue, nor less than zero, whatever the rates', () => {
    const share = fc.integer({ min: 0, max: 1_000_000 }).map((n) => `0.${String(n).padStart(6, '0').slice(0, 6)}`)
    const member = fc.record({ rate: share, earns: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(member, { minLength: 1, maxLength: 10 }),
        ...([
          share,
          fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
          fc.boolean(),
          fc.array(share, { maxLength: 10 }),
        ] as const),
        (members, cap, revenue, isSplit, splits) => {
          const rules = (rate: string): Rule[] => [{ model: 'spread', symbols: ['*'], rate }]
          const chain = members.map(({ rate, earns }, index) => ({
            affiliateId: `a${index}`,
            earns,
            terms: terms(rules(rate), { cap, splits, override: isSplit ? 'split' : 'difference' }),
          }))
          const base = revenue > 0n ? revenue : 0n
          const shares = shareOut({
            chain,
            model: 'spread',
            base: whole(base),
            findRule: ({ rules: [first] }) => first,
            convert: none,
            revenue: whole(revenue),
          })
          const { n, d } = parseFraction(cap)
          const sum = shares.reduce((total, { amount }) => total + amount, 0n)
          expect(sum * d <= base * n).toBe(true)
          for (const { amount } of shares) expect(amount >= 0n).toBe(true)
          const earners = new Set(chain.filter(({ earns }) => earns).map(({ affiliateId }) => affiliateId))
          expect(shares.every(({ affiliateId }) => earners.has(affiliateId))).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('the highest level of a chain loses exactly what rounding added above the cap', () => {
    const chain = ['0.5', '1'].map(
      (rate, index): Member => ({
        affiliateId: `a${index}`,
        earns: true,
        terms: terms([{ model: 'spread', symbols: ['*'], rate }]),
      }),
    )
    const shares = shareOut({
      chain,
      model: 'spread',
      base: whole(3n),
      revenue: whole(3n),
      findRule: ({ rules }) => rules[0],
      convert: none,
    })
    expect(shares.map(({ amount }) => amount)).toEqual([2n, 1n])
  })

  test('a chain’s amounts are rounded once, at the end, half to even', () => {
    const chain = [{ affiliateId: 'a', terms: terms([lot('0.25')]), earns: true }]
    const amounts = ['0.02', '0.06', '0.10'].map((lots) => {
      const base = parseFraction(lots)
      return shareOut({
        chain,
        model: 'lot',
        base,
        convert: none,
        revenue: { n: 10n ** 30n, d: 1n },
        findRule: ({ rules }) => rules[0],
      })[0]?.amount
    })
    // these are 0.5, 1.5 and 2.5 cents
    expect(amounts).toEqual([0n, 2n, 2n])
    expect(toMinor('0.25', 'EUR')).toEqual({ n: 2500n, d: 100n })
  })
})
