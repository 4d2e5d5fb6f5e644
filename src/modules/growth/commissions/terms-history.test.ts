import { expect, test } from 'bun:test'
import type { Terms } from './compute.ts'
import { chainAt, clientAt, type History, lastTermsAt, type TermsRow } from './terms-history.ts'

const terms = (planId: string): Terms => ({
  id: `v-${planId}`,
  planId,
  number: 1,
  currency: 'EUR',
  override: 'difference',
  splits: [],
  maxLevels: 10,
  cap: '1',
  rules: [],
})
const row = (parentId: string | null, planId: string | null, more: Partial<TermsRow> = {}): TermsRow => ({
  parentId,
  planId,
  status: 'active',
  validFrom: 10,
  ...more,
})
const plans = new Map([['p', [{ ...terms('p'), validFrom: 0 }]]])
const buildHistory = (rows: Record<string, TermsRow[]>): History => ({ terms: new Map(Object.entries(rows)), plans })
const nobody = (): boolean => false

test('a chain begins at the client’s broker and has the parents of that time', () => {
  const history = buildHistory({ a: [row(null, 'p')], b: [row('a', 'p'), row(null, 'p', { validFrom: 20 })] })
  const idsAt = (at: number) => chainAt(history, 'b', at, nobody).map(({ affiliateId }) => affiliateId)
  expect([idsAt(9), idsAt(10), idsAt(20)]).toEqual([[], ['b', 'a'], ['b']])
})

test('an affiliate who is inactive, or is the client, stays in the chain and earns nothing', () => {
  const history = buildHistory({ a: [row(null, 'p')], b: [row('a', null, { status: 'suspended' })] })
  expect(chainAt(history, 'b', 10, (id) => id === 'a')).toMatchObject([
    { affiliateId: 'b', terms: null, earns: false },
    { affiliateId: 'a', terms: { planId: 'p' }, earns: false },
  ])
})

test('a cycle of parents does not run for ever', () => {
  const history = buildHistory({ a: [row('b', 'p')], b: [row('a', 'p')] })
  expect(chainAt(history, 'a', 10, nobody).map(({ affiliateId }) => affiliateId)).toEqual(['a', 'b'])
})

test('an affiliate without a plan has the last earlier plan, and none that came later', () => {
  const history = buildHistory({ a: [row(null, 'p'), row(null, null, { validFrom: 20 })] })
  expect([9, 10, 30].map((at) => lastTermsAt(history, 'a', at)?.planId)).toEqual([undefined, 'p', 'p'])
})

test('a client counts as the one into whom they were merged by then', () => {
  const merges = new Map([
    ['x', { target: 'y', at: 10 }],
    ['y', { target: 'z', at: 20 }],
  ])
  expect([9, 10, 19, 20].map((at) => clientAt(merges, 'x', at))).toEqual(['x', 'y', 'y', 'z'])
})
