import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Plan } from './affiliates.api.ts'
import { emptyRule, type PlanValues, planTerms, planValues, RULE_CHECKS } from './plan-values.ts'

const AT = '2026-11-20T10:00:00.000Z'
type Version = Plan['versions'][number]
const plan = (with_: Partial<Version> = {}): Plan => ({
  id: 'pln_1',
  name: 'Gold',
  version: 4,
  createdAt: AT,
  updatedAt: AT,
  versions: [
    {
      id: 'plv_2',
      number: 2,
      currency: 'USD',
      override: 'split',
      splits: ['0.7', '0.255'],
      maxLevels: 2,
      cap: '0.8',
      rules: [],
      validFrom: AT,
      createdAt: AT,
      ...with_,
    },
    {
      id: 'plv_1',
      number: 1,
      currency: 'EUR',
      override: 'difference',
      splits: [],
      maxLevels: 9,
      cap: '1',
      rules: [],
      validFrom: AT,
      createdAt: AT,
    },
  ],
})

test('a new plan begins with one rule per lot and three levels', () => {
  const { rules, ...values } = planValues(undefined)
  expect(values).toEqual({
    name: '',
    currency: 'EUR',
    override: 'difference',
    splits: [],
    maxLevels: 3,
    cap: '80',
  })
  expect(rules.map(({ model, symbols }) => [model, symbols])).toEqual([['lot', ['*']]])
})

test('a plan is edited from its newest version, with shares as percentages', () => {
  expect(planValues(plan())).toMatchObject({ currency: 'USD', splits: ['70', '25.5'], cap: '80', maxLevels: 2 })
})

test('an unchanged version in the form is sent as it was', () => {
  const rate = fc.integer({ min: 1, max: 9999 }).map((parts) => String(parts / 10_000))
  const rule = fc.record({
    model: fc.constantFrom('spread' as const, 'commission' as const, 'revenue' as const),
    symbols: fc.constant<string[]>(['XAU*', 'EURUSD']),
    rate,
  })
  fc.assert(
    fc.property(fc.array(rule), fc.array(rate), rate, (rules, splits, cap) => {
      const version = { rules, splits, cap, override: 'split' as const }
      expect(planTerms(planValues(plan(version)))).toEqual({ ...version, currency: 'USD', maxLevels: 2 })
    }),
  )
})

test.each([
  ['cpa', { minDeposit: '250.00', minLots: '2' }],
  ['lot', {}],
] as const)('a rule %s is sent with its own conditions only', (model, sent) => {
  const rule = { ...emptyRule(), model, rate: '7.50', minDeposit: '250.00', minLots: '2' }
  expect(planTerms({ ...planValues(undefined), rules: [rule] }).rules).toEqual([
    { model, symbols: ['*'], rate: '7.50', ...sent },
  ])
})

test('shares of levels are sent only if the levels are split', () => {
  const values: PlanValues = { ...planValues(plan()), override: 'difference' }
  expect(planTerms(values).splits).toEqual([])
})

test.each([
  ['lot', '7.50', true],
  ['lot', 'seven', false],
  ['spread', '25.5 %', true],
  ['spread', '25,5', true],
  ['spread', '-5', false],
  ['revenue', 'a fifth', false],
  ['cpa', '', false],
] as const)('a rate of %s typed as “%s” is accepted: %s', (model, rate, right) => {
  const values: PlanValues = { ...planValues(undefined), rules: [{ ...emptyRule(), model }] }
  expect(RULE_CHECKS.rate(rate, values, 'rules.0.rate') === null).toBe(right)
})

test('conditions of a rule are optional, and amounts if they are given', () => {
  expect([RULE_CHECKS.minDeposit(''), RULE_CHECKS.minLots(''), RULE_CHECKS.minDeposit('250')]).toEqual([
    null,
    null,
    null,
  ])
  expect(RULE_CHECKS.minLots('two')).not.toBeNull()
})
