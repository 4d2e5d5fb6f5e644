import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { PHONE } from '../../../testing/dom.ts'
import { press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { Affiliate, Explained, Line, Plan } from './affiliates.api.ts'
import { CommissionLines } from './commission-lines.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const affiliate: Affiliate = {
  id: 'aff_1',
  traderId: 'trd_1',
  name: 'Ana Lima',
  code: 'ANA',
  parentId: null,
  planId: null,
  status: 'active',
  version: 1,
  createdAt: AT,
  updatedAt: AT,
  clients: 0,
  balances: [],
}
const plan: Plan = { id: 'pln_1', name: 'Gold', version: 1, createdAt: AT, updatedAt: AT, versions: [] }
const line = (with_: Partial<Line> = {}): Line => ({
  id: 'cln_1',
  affiliateId: 'aff_1',
  traderId: 'trd_7',
  runId: 'run_1',
  level: 2,
  model: 'lot',
  sourceType: 'trade',
  sourceId: 'pos_1',
  symbol: 'EURUSD',
  lots: '1.5',
  currency: 'EUR',
  amount: '1500.00',
  rate: '7.50',
  note: 'cut',
  occurredAt: AT,
  createdAt: AT,
  ...with_,
})
const explained = (with_: Partial<Explained> = {}): Explained => ({
  source: { type: 'trade', id: 'pos_1', occurredAt: AT },
  planVersion: { planId: 'pln_1', number: 3, validFrom: AT },
  inputs: { symbol: 'EURUSD', lots: '1500.5', openedAt: AT, moon_phase: 'full' },
  steps: ['200 lots at 7.50 make 1500.00 EUR.', 'Level 2 gets all of it.'],
  rate: '7.50',
  result: '1500.00',
  recomputed: '1500.00',
  equal: true,
  ...with_,
})
const open = (answers: Answers = {}, { one = false, width = 1440, at = '' } = {}) =>
  renderPage(<CommissionLines {...(one && { affiliateId: 'aff_1' })} />, {
    at: `/affiliates${at}`,
    route: '/affiliates',
    role: 'manager',
    width,
    answers: {
      'commissions.list': buildPage(line()),
      'commissions.explain': explained(),
      'affiliates.list': buildPage(affiliate),
      'commissionPlans.list': buildPage(plan),
      ...answers,
    },
  })
const explain = async () => {
  await press(await screen.findByText('EURUSD'))
  return within(await seen('dialog', 'How this was earned'))
}
const cells = async (): Promise<string[]> =>
  within(await seen('table', 'Commissions'))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent ?? '')

test('each commission line in the list of all affiliates names its affiliate', async () => {
  await open()
  await screen.findByText('Ana Lima')
  expect(await cells()).toEqual([
    'Ana Lima',
    'Nov 20, 2026',
    'Trade',
    '1,500.00 EUR',
    '2',
    'By the lot',
    'EURUSD',
    '1.5',
  ])
})

test('the commission lines on an affiliate’s page are only that affiliate’s, without the name', async () => {
  const { server } = await open({}, { one: true })
  expect((await cells()).slice(0, 2)).toEqual(['Nov 20, 2026', 'Trade'])
  expect(server.of('commissions.list')[0]?.query).toMatchObject({ affiliateId: 'aff_1' })
})

test('commission lines are filtered by source and kind', async () => {
  const { server } = await open({}, { at: '?sourceType=deposit&model=cpa' })
  await screen.findByText('Ana Lima')
  expect(server.of('commissions.list')[0]?.query).toMatchObject({ sourceType: 'deposit', model: 'cpa' })
})

test('a phone shows the affiliate of a commission line, and omits its source', async () => {
  await open({}, { width: PHONE })
  expect(await screen.findByText('Ana Lima')).toBeDefined()
  expect(screen.queryByText('Trade')).toBeNull()
})

test('a commission line is explained step by step, by its source and the version of its plan', async () => {
  await open()
  const drawer = await explain()
  expect(await drawer.findByText('200 lots at 7.50 make 1,500.00 EUR.')).toBeDefined()
  expect(drawer.getByText('1,500.5')).toBeDefined()
  expect(drawer.getByText('Moon phase')).toBeDefined()
  expect(drawer.queryByText(/^Opened/)).toBeNull()
  expect(await drawer.findByText('Gold, version 3')).toBeDefined()
  expect(drawer.getByText('Cut by the cap')).toBeDefined()
  expect(drawer.getByText('7.50 EUR a lot')).toBeDefined()
  expect(drawer.getByRole('link', { name: 'Trade' }).getAttribute('href')).toBe('/admin/positions?q=pos_1&status=*')
})

test.each([
  ['the same', {}, /it is the same, to the cent/],
  ['another amount', { equal: false, recomputed: '1400.50' }, /it would be 1,400\.50 EUR/],
  ['nothing any more', { equal: false, recomputed: null }, /the source gives nothing any more/],
] as const)('a commission line that is computed again gives %s, which is shown', async (_, with_, words) => {
  await open({ 'commissions.explain': explained(with_) })
  const drawer = await explain()
  expect((await drawer.findByRole('status')).textContent).toMatch(words)
})

test('a plan without a name is shown by its version', async () => {
  await open({ 'commissionPlans.list': buildPage() })
  const drawer = await explain()
  expect(await drawer.findByText('Version 3')).toBeDefined()
})

test('the explanation of a commission line links to its affiliate’s page', async () => {
  await open()
  expect((await (await explain()).findByRole('link', { name: 'Ana Lima' })).getAttribute('href')).toBe(
    '/admin/affiliates/aff_1',
  )
})

test('an explanation that cannot be read says why below the facts, and “Try again” reads it', async () => {
  const { server } = await open({ 'commissions.explain': refusal(422, 'invalid', 'The source is locked') })
  const drawer = await explain()
  expect((await drawer.findByRole('alert')).textContent).toContain('The source is locked')
  expect(drawer.getByText('By the lot')).toBeDefined()
  server.now({ 'commissions.explain': explained() })
  await pressButton('Try again')
  await waitFor(() => expect(drawer.getByText('Level 2 gets all of it.')).toBeDefined())
})

test('an empty list of commission lines explains when there will be some', async () => {
  await open({ 'commissions.list': buildPage() })
  expect(await screen.findByText('Nothing earned yet')).toBeDefined()
})
