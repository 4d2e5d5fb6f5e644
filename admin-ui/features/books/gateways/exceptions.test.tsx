import { expect, test } from 'bun:test'
import { type Answers, buildPage, onlyDecided, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { fill, keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { describeCallback, formatReportedAmount } from './exception-words.ts'
import { Exceptions } from './exceptions.tsx'
import type { Exception } from './gateways.api.ts'
import { GatewaysPage } from './gateways-page.tsx'

const AT = '2026-01-05T10:00:00.000Z'
const exception = (with_: Partial<Exception> = {}): Exception => ({
  ...blank('psp.exceptions.close'),
  id: 'exc_1',
  connectionId: 'psp_1',
  depositId: 'dep_1',
  reference: 'PAY-9',
  status: 'success',
  amount: '1500.00',
  currency: 'EUR',
  reason: 'amount',
  state: 'open',
  version: 2,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const failed = exception({ id: 'exc_2', reference: 'PAY-8', status: 'failed', amount: null, reason: 'contradiction' })
const open = (answers: Answers = {}, at = '/gateways?tab=exceptions') =>
  renderPage(<Exceptions />, {
    at,
    route: '/gateways',
    answers: { 'psp.exceptions.list': buildPage(exception(), failed), ...answers },
  })
const findCells = async (name: RegExp): Promise<string[]> =>
  within(await seen('row', name))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent ?? '')

test('open exceptions come first, with the gateway’s message and why it was not booked', async () => {
  const { server } = await open()
  expect((await findCells(/PAY-9/)).slice(0, 5)).toEqual([
    'PAY-9',
    'It was paid',
    '1,500.00 EUR',
    'Another amount than announced',
    'To close',
  ])
  expect((await findCells(/PAY-8/)).slice(0, 4)).toEqual(['PAY-8', 'It failed', '—', 'The books say the opposite'])
  expect(server.of('psp.exceptions.list')[0]?.query).toMatchObject({ state: 'open', sort: 'createdAt' })
})

test('Enter opens an exception, which links to its deposit', async () => {
  await open()
  await seen('row', /PAY-9/)
  await keys('{ArrowDown}{Enter}')
  const drawer = within(await seen('dialog', 'Payment PAY-9'))
  expect(drawer.getByRole('link', { name: 'dep_1' }).getAttribute('href')).toBe('/admin/deposits/dep_1')
  expect(drawer.queryByText('Client')).toBeNull()
})

test.each([
  ['/gateways?tab=exceptions', 'No exceptions'],
  ['/gateways?tab=exceptions&state=*', 'No exceptions'],
])('exceptions at %s without rows show: %s', async (at, words) => {
  await open({ 'psp.exceptions.list': buildPage() }, at)
  expect(await screen.findByText(words)).toBeDefined()
})

test('exceptions of which none waits, although there are decided ones, say so', async () => {
  await open({ 'psp.exceptions.list': onlyDecided(exception()) }, '/gateways?tab=exceptions')
  expect(await screen.findByText('Nothing is waiting')).toBeDefined()
})

test('a failed search for the deposit of an exception is not reported as none found', async () => {
  await open({ 'deposits.list': refusal(422, 'broken', 'Deposits cannot be searched now.') })
  await seen('row', /PAY-9/)
  await keys('{ArrowDown}{Enter}')
  await pressButton('Close it')
  const form = within(await seen('dialog', 'Close this exception'))
  await fill(form.getByLabelText(/^Deposit that booked it/, { selector: 'input' }), 'WIRE')
  expect(await screen.findByText('Deposits cannot be searched now.')).toBeDefined()
})

test('an exception that a colleague closed first is reported, and the typed text stays', async () => {
  await open({ 'psp.exceptions.close': refusal(409, 'wrong_state', 'It is closed already.') })
  await seen('row', /PAY-9/)
  await keys('{ArrowDown}{Enter}')
  await pressButton('Close it')
  const form = within(await seen('dialog', 'Close this exception'))
  await fill(form.getByLabelText(/^Reason/), 'booked by hand')
  await press(form.getByRole('button', { name: 'Close it' }))
  expect(await form.findByText('It is closed already.')).toBeDefined()
  expect(form.getByLabelText(/^Reason/)).toHaveProperty('value', 'booked by hand')
})

test.each([
  ['manager', ['Exceptions']],
  ['admin', ['Connections', 'Exceptions']],
] as const)('the page of gateways has for the role %s the tabs %j', async (role, tabs) => {
  await renderPage(<GatewaysPage />, {
    at: '/gateways?tab=exceptions',
    route: '/gateways',
    role,
    answers: { 'psp.exceptions.list': buildPage(exception()) },
  })
  await waitFor(() => expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([...tabs]))
  expect(await seen('row', /PAY-9/)).toBeDefined()
})

test('a repeated message of a gateway is counted, and an amount of unknown form is shown as it came', () => {
  expect(describeCallback({ status: 'success', repeats: 2 })).toBe('It was paid, 3 times')
  expect(formatReportedAmount({ amount: '15,00', currency: null })).toBe('15,00')
  expect(formatReportedAmount({ amount: null, currency: 'EUR' })).toBeNull()
})
