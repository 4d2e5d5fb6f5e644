import { expect, test } from 'bun:test'
import type { Role } from '../../../lib/api/session.ts'
import { type Answers, buildPage } from '../../../testing/answers.ts'
import { conversion, rate } from '../../../testing/money-samples.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { RateList } from './rate-list.tsx'

const waits = rate({
  id: 'fx_2',
  base: 'EUR',
  quote: 'PLN',
  rate: '9',
  unconfirmed: true,
  source: 'bank',
  confirmation: { by: 'another_person', from: '2026-11-20T10:00:00.000Z' },
})
const common = rate({ id: 'fx_3', base: 'GBP', quote: 'USD', rate: '1.27', pool: 'global' })
const past = rate({ id: 'fx_4', base: 'CHF', quote: 'USD', rate: '1.11', since: '2026-10-01' })

const open = (answers: Answers = {}, role: Role = 'admin') =>
  renderPage(<RateList />, {
    at: '/rates',
    route: '/rates',
    role,
    answers: {
      'fx.rates.list': ({ query }) => (query.past ? buildPage(past) : buildPage(rate(), waits, common)),
      'fx.rates.upsert': buildPage(rate()),
      // The converter on the page asks for a rate as soon as the page opens.
      'fx.convert': conversion(),
      ...answers,
    },
  })
const openMenu = async (pair: string): Promise<void> => pressButton(`Actions for ${pair}`)
const item = async (name: string): Promise<void> => press(await seen('menuitem', name))

test('each rate shows whose it is and whether it is in use', async () => {
  await open()
  const row = async (pair: string) => (await screen.findByText(pair)).closest('tr')?.textContent
  expect(await row('EUR → USD')).toContain('1.0845Your firmActive')
  expect(await row('EUR → PLN')).toContain('Unconfirmed')
  expect(await row('EUR → PLN')).toContain('Another person who sets rates has to send it too')
  expect(await row('GBP → USD')).toContain('Shared rate')
})

test('a reader who may not set rates has no buttons for it', async () => {
  await open({}, 'manager')
  await screen.findByText('EUR → USD')
  expect(screen.queryByRole('button', { name: 'Set a rate' })).toBeNull()
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
})

test('a rate is set again for the pair of its row', async () => {
  const { server } = await open()
  await openMenu('EUR → USD')
  await item('Set again')
  const field = await screen.findByLabelText(/^Rate/)
  await fill(field, '1.09')
  await fill(screen.getByLabelText(/^Source/), ' my bank ')
  await pressButton('Set rate')
  expect(await screen.findByText('Rate set.')).toBeDefined()
  expect(server.of('fx.rates.upsert')[0]?.body).toEqual({
    rates: [{ base: 'EUR', quote: 'USD', rate: '1.09', source: 'my bank' }],
  })
})

test('an unusual rate is stored and shown as waiting', async () => {
  await open({ 'fx.rates.upsert': buildPage(rate({ unconfirmed: true })) })
  await pressButton('Actions for EUR → USD')
  await item('Set again')
  await fill(await screen.findByLabelText(/^Rate/), '9')
  await pressButton('Set rate')
  expect(await screen.findByText(/it applies once a second person sends it too/)).toBeDefined()
})

test.each([
  ['owner', true],
  ['admin', false],
] as const)('the role %s confirms an unusual rate by sending it again, with force: %p', async (role, force) => {
  const { server } = await open({}, role)
  await openMenu('EUR → PLN')
  await item('Confirm')
  expect(await screen.findByText(/1 EUR = 9 PLN is far from/)).toBeDefined()
  await pressButton('Confirm rate')
  expect(await screen.findByText('Rate confirmed. It holds from now on.')).toBeDefined()
  expect(server.of('fx.rates.upsert')[0]?.body).toEqual({
    rates: [{ base: 'EUR', quote: 'PLN', rate: '9', source: 'bank' }],
    ...(force && { force }),
  })
})

test('a person who confirms an unusual rate of their own is told that it still waits', async () => {
  await open({ 'fx.rates.upsert': buildPage(waits) })
  await openMenu('EUR → PLN')
  await item('Confirm')
  await pressButton('Confirm rate')
  expect(await screen.findByText('It still waits. Its row says who can confirm it.')).toBeDefined()
})

test('a rate of the firm can be removed, one of the common pool cannot', async () => {
  const { server } = await open({ 'fx.rates.remove': new Response(null, { status: 204 }) })
  await openMenu('GBP → USD')
  await seen('menuitem', 'Set again')
  expect(screen.queryByRole('menuitem', { name: 'Remove' })).toBeNull()
  await openMenu('EUR → USD')
  await item('Remove')
  await press(within(await seen('dialog', 'Remove this rate')).getByRole('button', { name: 'Remove rate' }))
  await waitFor(() => expect(server.of('fx.rates.remove').map(({ params }) => params.id)).toEqual(['fx_1']))
})

test('a rate of a past day is listed below the current ones, and can be removed', async () => {
  const { server } = await open({ 'fx.rates.remove': new Response(null, { status: 204 }) })
  const row = (await screen.findByText('CHF → USD')).closest('tr')
  expect(row?.textContent).toContain('Oct 1, 2026')
  await pressButton(/CHF/)
  await press(await seen('menuitem', /./))
  await press(
    within(await seen('dialog', /./))
      .getAllByRole('button')
      .at(-1) ?? document.body,
  )
  await waitFor(() => expect(server.of('fx.rates.remove').map(({ params }) => params.id)).toEqual(['fx_4']))
})
