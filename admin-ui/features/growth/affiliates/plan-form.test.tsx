import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { Plan } from './affiliates.api.ts'
import { PlanForm } from './plan-form.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const plan = (with_: Partial<Plan['versions'][number]> = {}): Plan => ({
  id: 'pln_1',
  name: 'Gold',
  version: 4,
  createdAt: AT,
  updatedAt: AT,
  versions: [
    {
      id: 'plv_1',
      number: 1,
      currency: 'EUR',
      override: 'difference',
      splits: [],
      maxLevels: 3,
      cap: '0.8',
      rules: [{ model: 'revenue', symbols: ['*'], rate: '0.255' }],
      validFrom: AT,
      createdAt: AT,
      ...with_,
    },
  ],
})
const open = async (of?: Plan, answers: Answers = {}, role: Role = 'admin') => {
  const closed: true[] = []
  const drawn = await renderPage(<PlanForm {...(of && { plan: of })} onClose={() => void closed.push(true)} />, {
    at: '/affiliates',
    route: '/affiliates',
    role,
    answers: {
      'commissionPlans.list': buildPage(plan()),
      'commissionPlans.create': plan(),
      'commissionPlans.update': plan(),
      ...answers,
    },
  })
  return { ...drawn, closed }
}
const model = async (name: string | RegExp): Promise<void> => {
  await press(await seen('combobox', 'Pays'))
  await press(await seen('option', name))
}

test('the rate of a plan is sent as a decimal amount, and its shares as parts of one', async () => {
  const { server, closed } = await open()
  await fill(await screen.findByLabelText(/^Name/), ' Silver ')
  await fill(screen.getByLabelText(/^Rate in EUR/), '7,5')
  await pressButton('Make plan')
  await waitFor(() => expect(closed).toHaveLength(1))
  expect(server.of('commissionPlans.create')[0]?.body).toEqual({
    name: 'Silver',
    currency: 'EUR',
    override: 'difference',
    splits: [],
    maxLevels: 3,
    cap: '0.8',
    rules: [{ model: 'lot', symbols: ['*'], rate: '7.5' }],
  })
})

test('a rate of “1,500” is sent only after the reader chose which amount it means', async () => {
  const { server } = await open()
  await fill(await screen.findByLabelText(/^Name/), 'Silver')
  await fill(screen.getByLabelText(/^Rate in EUR/), '1,500')
  await pressButton('Make plan')
  expect(await screen.findByText('Say which of the two is meant')).toBeDefined()
  expect(server.of('commissionPlans.create')).toEqual([])
  await pressButton('1,500.00')
  await pressButton('Make plan')
  await waitFor(() => expect(server.of('commissionPlans.create')[0]?.body).toMatchObject({ rules: [{ rate: '1500' }] }))
})

test('a rule for a new client may require a deposit and lots, and has no symbols', async () => {
  const { server } = await open()
  await fill(await screen.findByLabelText(/^Name/), 'New clients')
  await model(/client/i)
  expect(screen.queryByLabelText(/^Symbols/)).toBeNull()
  await fill(await screen.findByLabelText(/^Rate in EUR/), '1,500.00')
  await fill(screen.getByLabelText(/^Least first deposit in EUR/), '2.000,00')
  await fill(screen.getByLabelText(/^Least lots after it/), '1.5')
  await pressButton('Make plan')
  await waitFor(() =>
    expect(server.of('commissionPlans.create')[0]?.body).toMatchObject({
      rules: [{ model: 'cpa', rate: '1500.00', minDeposit: '2000.00', minLots: '1.5' }],
    }),
  )
})

test('a rate is cleared when the rule’s kind changes to one with other rates', async () => {
  await open()
  await fill(await screen.findByLabelText(/^Rate in EUR/), '7.50')
  await model(/revenue/i)
  expect(await screen.findByLabelText(/^Rate in per cent/)).toHaveProperty('value', '')
})

test('the form of a plan’s next version starts from the newest one, and sends the version that it showed', async () => {
  const { server } = await open(plan())
  const rate = await screen.findByLabelText(/^Rate in per cent/)
  expect(rate).toHaveProperty('value', '25.5')
  await fill(rate, '30 %')
  await pressButton('Save as next version')
  await waitFor(() =>
    expect(server.of('commissionPlans.update')[0]).toMatchObject({
      body: { rules: [{ model: 'revenue', symbols: ['*'], rate: '0.3' }], cap: '0.8' },
      ifMatch: '"4"',
    }),
  )
})

test.each(['', 'much', '-1'])('the rate %p of a commission plan is refused', async (text) => {
  const { server } = await open(plan())
  await fill(await screen.findByLabelText(/^Rate in per cent/), text)
  await pressButton('Save as next version')
  expect(await screen.findByText('Enter a number such as 5.00')).toBeDefined()
  expect(server.of('commissionPlans.update')).toEqual([])
})

test('rules of a plan are added and removed, and the last one stays', async () => {
  await open()
  await pressButton('Add a rule')
  expect(await screen.findByText('Rule 2')).toBeDefined()
  await pressButton('Remove rule 1')
  await waitFor(() => expect(screen.queryByText('Rule 2')).toBeNull())
  expect(screen.queryByRole('button', { name: /^Remove rule/ })).toBeNull()
})

test('the calculator shows who gets what of a trade by the terms in the form', async () => {
  const { server } = await open(undefined, {
    'commissionPlans.calculate': {
      levels: [{ level: 1, rate: '5', amount: '15.00', cut: true }],
      currency: 'EUR',
      steps: ['Level 1: three lots at five'],
    },
  })
  await fill(await screen.findByLabelText(/^Rate in EUR/), '5')
  await fill(screen.getByLabelText(/^Lots/), '3')
  await pressButton('Work it out')
  expect(await screen.findByText('Level 1: three lots at five')).toBeDefined()
  expect(within(await seen('table', /./)).getByText('15.00')).toBeDefined()
  expect(server.of('commissionPlans.calculate')[0]?.body).toMatchObject({
    rules: [{ model: 'lot', rate: '5' }],
    trade: { symbol: 'EURUSD', lots: '3', spread: '24', commission: '-12' },
  })
})

test('a sample trade that the server refuses shows why', async () => {
  await open(undefined, { 'commissionPlans.calculate': refusal(422, 'validation_failed', 'Rate is missing') })
  await pressButton('Work it out')
  expect(await screen.findByText('Rate is missing')).toBeDefined()
})

test('a reader who may not change a plan is told so, and has no calculator', async () => {
  await open(plan(), {}, 'manager')
  expect(await screen.findByText('Only an administrator changes a plan.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Work it out' })).toBeNull()
})
