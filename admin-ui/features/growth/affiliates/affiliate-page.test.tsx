import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { AffiliatePage } from './affiliate-page.tsx'
import type { AffiliateDetail, BroughtClient, Plan } from './affiliates.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const balance = { currency: 'EUR', earned: '21500.00', asked: '250.00', paid: '20000.00', available: '1250.00' }
const affiliate = (with_: Partial<AffiliateDetail> = {}): AffiliateDetail => ({
  id: 'aff_1',
  traderId: 'trd_1',
  name: 'Ana Lima',
  code: 'ANA',
  parentId: null,
  planId: 'pln_1',
  status: 'active',
  version: 5,
  createdAt: AT,
  updatedAt: AT,
  stats: { clients: 1200, below: 3, clientsBelow: 40, clicks: 7, balances: [balance] },
  ...with_,
})
const plan = (id: string, name: string): Plan => ({
  id,
  name,
  version: 1,
  createdAt: AT,
  updatedAt: AT,
  versions: [],
})
const client = (with_: Partial<BroughtClient> = {}): BroughtClient => ({
  id: 'trd_7',
  firstName: 'Bo',
  lastName: 'Ek',
  email: 'bo@mail.example',
  phone: null,
  country: null,
  kycApproved: true,
  deposited: false,
  createdAt: AT,
  ...with_,
})
const open = (with_: Partial<AffiliateDetail> = {}, answers: Answers = {}, role: Role = 'manager', tab = '') =>
  renderPage(<AffiliatePage />, {
    at: `/affiliates/aff_1${tab}`,
    route: '/affiliates/$id',
    role,
    answers: {
      'auth.me': meAs(role),
      'affiliates.get': affiliate(with_),
      'affiliates.list': buildPage(),
      'affiliates.tree': { data: [], truncated: false },
      'commissionPlans.list': buildPage(plan('pln_1', 'Gold'), plan('pln_2', 'Silver')),
      ...answers,
    },
  })
const choose = async (field: string, option: string): Promise<void> => {
  await press(await seen('combobox', field))
  await press(await seen('option', option))
}

test('an affiliate is shown with name, results and money by currency', async () => {
  await open()
  expect((await seen('link', 'Ana Lima')).getAttribute('href')).toBe('/admin/traders/trd_1')
  expect(await screen.findByText('Gold')).toBeDefined()
  const stats = [...document.querySelectorAll('.stats .stat')].map(({ textContent }) => textContent)
  expect(stats).toEqual([
    'Clients1,200',
    'Affiliates below3',
    'Their clients40',
    'Clicks in 30 days7',
    'Earned21,500.00 EUR',
    'Paid20,000.00 EUR',
    'Requested250.00 EUR',
    'Available for payout1,250.00 EUR',
  ])
})

test.each([
  [null, 'None: nothing is earned'],
  ['pln_old', 'pln_old'],
])('an affiliate’s plan %j is shown as “%s”', async (planId, words) => {
  await open({ planId })
  expect(await screen.findByText(words)).toBeDefined()
})

test('the terms of a plan are shown to managers only', async () => {
  const { server } = await open({}, {}, 'operator')
  await seen('link', 'Ana Lima')
  expect(screen.queryByText('Plan')).toBeNull()
  expect(screen.queryAllByRole('button', { name: /Edit|Request a payout/ })).toEqual([])
  expect(server.of('commissionPlans.list')).toEqual([])
})

test('state, plan and code of an affiliate are saved only if nobody changed the affiliate meanwhile', async () => {
  const { server } = await open({}, { 'affiliates.update': affiliate({ version: 6 }) })
  await pressButton('Edit all')
  const form = within(await seen('dialog', 'Edit affiliate'))
  await choose('State', 'Suspended')
  await choose('Plan', 'Silver')
  await fill(form.getByLabelText(/^Code/), ' ana-2 ')
  await press(form.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Affiliate saved.')).toBeDefined()
  expect(server.of('affiliates.update')[0]).toMatchObject({
    body: { code: 'ana-2', status: 'suspended', planId: 'pln_2', parentId: null },
    ifMatch: '"5"',
  })
})

test.each([
  ['active', ['Active', 'Suspended', 'Closed']],
  ['pending', ['Pending', 'Active', 'Closed']],
] as const)('an affiliate in the state %s can be set only to %j', async (status, names) => {
  await open({ status })
  await pressButton('Edit all')
  await press(await seen('combobox', 'State'))
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([...names])
})

test('the code and the plan of an affiliate are changed in place, each by a request of its own', async () => {
  const { server } = await open({}, { 'affiliates.update': { ...affiliate(), version: 9 } })
  await pressButton(/^Change: .*code/i)
  const code = await screen.findByRole('textbox', { name: /code/i })
  await fill(code, 'x')
  await keys('{Enter}')
  expect(await screen.findByText(/3 to 32|3–32/)).toBeDefined()
  await fill(code, 'NORTH')
  await keys('{Enter}')
  await waitFor(() => expect(server.of('affiliates.update').map(({ body }) => body)).toEqual([{ code: 'NORTH' }]))
  await pressButton(/^Change: .*plan/i)
  await press(await seen('option', 'Silver'))
  await waitFor(() => expect(server.of('affiliates.update').map(({ body }) => body)[1]).toEqual({ planId: 'pln_2' }))
})

test('a closed affiliate is neither edited nor paid', async () => {
  await open({ status: 'closed' })
  await seen('link', 'Ana Lima')
  expect(screen.queryAllByRole('button', { name: /Edit|Request a payout/ })).toEqual([])
})

test('an affiliate’s code that links cannot contain is not sent', async () => {
  const { server } = await open()
  await pressButton('Edit all')
  const form = within(await seen('dialog', 'Edit affiliate'))
  await fill(form.getByLabelText(/^Code/), 'a b')
  await press(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('Use 3 to 32 letters, digits, - or _')).toBeDefined()
  expect(server.of('affiliates.update')).toEqual([])
})

test('the code of another affiliate is refused at its field, and the typed text stays', async () => {
  const taken = refusal(409, 'conflict', 'Taken', [{ path: 'code', message: 'is taken by another affiliate' }])
  await open({}, { 'affiliates.update': taken })
  await pressButton('Edit all')
  const form = within(await seen('dialog', 'Edit affiliate'))
  await fill(form.getByLabelText(/^Code/), 'BOB')
  await press(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText(/^Is taken by another affiliate/)).toBeDefined()
  expect(form.getByLabelText(/^Code/)).toHaveProperty('value', 'BOB')
})

test('a payout is requested in a currency with a balance, whose available amount is shown', async () => {
  const { server } = await open({}, { 'payouts.create': Response.json({}) })
  await pressButton('Request a payout')
  const form = within(await seen('dialog', 'Request a payout'))
  expect(form.getByText('1,250.00 EUR available for payout')).toBeDefined()
  await press(form.getByRole('button', { name: 'Request' }))
  expect(await form.findByText('Enter an amount such as 250.00')).toBeDefined()
  await fill(form.getByLabelText(/^Amount/), '1000')
  await press(form.getByRole('button', { name: 'Request' }))
  expect(await screen.findByText('Requested. It waits for an administrator.')).toBeDefined()
  expect(server.of('payouts.create').map(({ body }) => body)).toEqual([
    { currency: 'EUR', amount: '1000.00', affiliateId: 'aff_1' },
  ])
})

test('a request of a payout that got no answer is repeated with the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await open({}, { 'payouts.create': () => (++times === 1 ? noAnswer() : Response.json({})) })
  await pressButton('Request a payout')
  const form = within(await seen('dialog', 'Request a payout'))
  await fill(form.getByLabelText(/^Amount/), '10')
  await press(form.getByRole('button', { name: 'Request' }))
  expect(await form.findByText(/No answer came/)).toBeDefined()
  await press(form.getByRole('button', { name: 'Request' }))
  await waitFor(() => expect(screen.queryAllByRole('dialog')).toEqual([]))
  expect(new Set(server.of('payouts.create').map(({ key }) => key)).size).toBe(1)
})

test('an affiliate’s clients link to their pages, one without a name by id', async () => {
  const nameless = client({ id: 'trd_8', firstName: null, lastName: null, email: null, deposited: true })
  const { server } = await open({}, { 'affiliates.clients': buildPage(client(), nameless) }, 'manager', '?tab=clients')
  const rows = within(await seen('table', 'Clients brought'))
    .getAllByRole('row')
    .slice(1)
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Bo Ekbo@mail.exampleYesNoNov 20, 2026',
    'trd_8—YesYesNov 20, 2026',
  ])
  expect((await seen('link', 'Bo Ek')).getAttribute('href')).toBe('/admin/traders/trd_7')
  expect(server.of('affiliates.clients')[0]?.params).toEqual({ id: 'aff_1' })
})

test('an affiliate that cannot be read shows why, and “Try again” reads it', async () => {
  const { server } = await open({}, { 'affiliates.get': refusal(422, 'invalid', 'It cannot be read') })
  expect((await screen.findByRole('alert')).textContent).toContain('It cannot be read')
  server.now({ 'affiliates.get': affiliate() })
  await pressButton('Try again')
  expect(await seen('link', 'Ana Lima')).toBeDefined()
})
