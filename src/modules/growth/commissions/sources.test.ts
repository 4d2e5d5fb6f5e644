import { expect, test } from 'bun:test'
import { MINUTE, SECOND, toIso } from '../../../platform/clock.ts'
import type { Rule } from '../affiliates/plans.table.ts'
import type { Trade } from './closed-trades.ts'
import { findTradeRule, listDepositRules, MissingRate, type Terms } from './compute.ts'
import { whole, ZERO } from './fraction.ts'
import { buildMonthLines, calculateRevenue, type Stretch, whyNot } from './sources.ts'

const now = Date.UTC(2026, 0, 31, 12)
const trade: Trade = {
  id: 't',
  traderId: 'trd_1',
  owner: null,
  symbol: 'EURUSD',
  lots: 1n,
  currency: 'EUR',
  isDemo: 0,
  liveSince: null,
  spread: null,
  commission: 0n,
  swap: 0n,
  assumed: 0,
  void: 0,
  openedAt: now - MINUTE * 3,
  closedAt: now,
}
const rule: Rule = { model: 'revenue', symbols: ['*'], rate: '1' }
const terms = (...rules: Rule[]): Terms => ({
  id: 'v',
  planId: 'p',
  number: 1,
  currency: 'EUR',
  override: 'difference',
  splits: [],
  maxLevels: 10,
  cap: '1',
  rules,
})
const none = (from: string): never => {
  throw new MissingRate(from, '2026-01-31')
}

test('a trade counts if it was opened after its account became live', () => {
  expect(whyNot({ ...trade, liveSince: trade.openedAt })).toBeNull()
  expect(whyNot({ ...trade, liveSince: trade.openedAt + 1 })).toBe('demo')
  expect(whyNot({ ...trade, openedAt: trade.openedAt + SECOND })).toBe('too_short')
})

test('a trade’s revenue is its reported spread and its commission, less the swap', () => {
  expect(calculateRevenue({ ...trade, commission: -5n, swap: 2n })).toBe(3n)
  expect(calculateRevenue({ ...trade, spread: 4n, commission: 5n, swap: -2n })).toBe(11n)
})

test('a rule applies from its moment on', () => {
  const from = toIso(now)
  const lot: Rule = { model: 'lot', symbols: ['*'], rate: '1', from }
  const cpa: Rule = { ...lot, model: 'cpa' }
  expect([now, now - 1].map((at) => findTradeRule(terms(lot), 'EURUSD', at))).toEqual([lot, undefined])
  expect([now, now - 1].map((at) => listDepositRules(terms(lot, cpa), at))).toEqual([[cpa], []])
  expect([now, now - 1].map((endsAt) => month([[1n, 'b']], terms({ ...rule, from }), endsAt).length)).toEqual([1, 0])
})

/** Computes the lines of a month of `a` at a rate of 1, from each chain's revenue and the affiliate above `a`. */
function month(brought: [bigint, string][], own = terms({ ...rule, rate: '0.5' }), endsAt = now) {
  const stretches = brought.map(
    ([minor, above]): Stretch => ({
      chain: [
        { affiliateId: 'a', terms: own, earns: true },
        { affiliateId: above, terms: terms(rule), earns: true },
      ],
      revenue: whole(minor),
    }),
  )
  const facts = { affiliateId: 'a', month: '2026-01', endsAt, terms: own, hasPlan: true, stretches, carried: ZERO }
  return buildMonthLines(facts, none).map(({ affiliateId, amount, detail }) => [affiliateId, amount, detail.carried])
}

test('a month’s revenue is shared among those whose part it came from, down to the smallest amount', () => {
  expect(month([[1n, 'b']], terms(rule))).toEqual([['a', 1n, '0']])
  const brought: [bigint, string][] = [
    [1n, 'b'],
    [3n, 'c'],
  ]
  expect(month(brought, terms({ ...rule, rate: '0.1' }))).toEqual([
    ['a', 0n, '0'],
    ['b', 1n, '0'],
    ['c', 3n, '0'],
  ])
})

test('a month of zero has a line if the plan shares revenue, and otherwise none', () => {
  const nothing: [bigint, string][] = [
    [5n, 'b'],
    [-5n, 'c'],
  ]
  expect(month(nothing)).toEqual([['a', 0n, '0']])
  expect(month(nothing, terms({ ...rule, model: 'lot' }))).toEqual([])
})
