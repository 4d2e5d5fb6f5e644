import { expect, test } from 'bun:test'
import { type Answers, buildPage, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { keys, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { DeliveryPage } from './delivery-page.tsx'
import { SubscriptionList } from './subscription-list.tsx'
import { SubscriptionPage } from './subscription-page.tsx'
import type { DeliveryRecord, Subscription } from './webhooks.api.ts'

const AT = '2026-01-05T10:00:00.000Z'
const hook = (with_: Partial<Subscription> = {}): Subscription => ({
  ...blank('webhooks.subscriptions.get'),
  id: 'whk_1',
  url: 'https://site.example/hooks',
  events: ['deposit.settled', 'kyc.approved', 'lead.created'],
  status: 'active',
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  madeBy: 'usr_1',
  health: { failures: 0, failingSince: null, lastSuccessAt: AT, lastFailureAt: null },
  ...with_,
})
const delivery = (with_: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  id: 'whd_1',
  subscriptionId: 'whk_1',
  event: 'deposit.settled',
  eventId: 'evt_1',
  status: 'delivered',
  attempts: 1,
  nextAttemptAt: null,
  replayOf: null,
  finishedAt: AT,
  createdAt: AT,
  body: '{}',
  log: [],
  ...with_,
})
const open = (answers: Answers = {}) =>
  renderPage(<SubscriptionPage />, {
    at: '/webhooks/whk_1/deliveries',
    route: '/webhooks/$id/deliveries',
    role: 'admin',
    answers: {
      'webhooks.events': buildPage(),
      'webhooks.subscriptions.get': hook(),
      'webhooks.deliveries.list': buildPage(delivery(), delivery({ id: 'whd_2', status: 'pending', attempts: 2 })),
      ...answers,
    },
  })
/** Returns the text beside a label of the receiver. */
const findFact = async (label: string): Promise<string | null | undefined> =>
  (await screen.findByText(label, { selector: 'dt' })).nextElementSibling?.textContent

test('a webhook shows its health, and nothing that does not apply', async () => {
  await open()
  expect(await findFact('Last success')).toBe('Jan 5, 2026')
  expect(await findFact('Last failure')).toBe('—')
  for (const label of ['Failing since', 'Old secret also signs until'])
    expect(screen.queryByText(label, { selector: 'dt' })).toBeNull()
})

test('a failing webhook shows since when it fails, and until when the old secret signs as well', async () => {
  await open({
    'webhooks.subscriptions.get': hook({
      secretOverlapUntil: '2026-01-06T10:00:00.000Z',
      health: { failures: 4, failingSince: AT, lastSuccessAt: null, lastFailureAt: AT },
    }),
  })
  expect(await findFact('Failing since')).toBe('Jan 5, 2026')
  expect(await findFact('Old secret also signs until')).toStartWith('Jan 6, 2026')
  expect(await screen.findByText('Failing, 4 attempts')).toBeDefined()
})

test('a webhook that is off says that nothing is sent until it is turned on again', async () => {
  await open({ 'webhooks.subscriptions.get': hook({ status: 'disabled' }) })
  expect(await screen.findByText('Nothing is sent until it is turned on again.')).toBeDefined()
})

test('a webhook lists its own deliveries; a waiting one is marked, and Enter opens it', async () => {
  const { server, address } = await open()
  expect((await seen('table', 'Deliveries')).textContent).toContain('Will be tried again')
  expect(server.of('webhooks.deliveries.list')[0]).toMatchObject({ params: { id: 'whk_1' } })
  await keys('{ArrowDown}{ArrowDown}{Enter}')
  await waitFor(() => expect(address()).toBe('/webhooks/deliveries/whd_2'))
})

test('“Try again” reads a webhook that could not be read', async () => {
  const { server } = await open({ 'webhooks.subscriptions.get': refusal(422, 'broken', 'Not now.') })
  await seen('button', 'Try again')
  server.now({ 'webhooks.subscriptions.get': hook() })
  await pressButton('Try again')
  expect(await seen('heading', 'https://site.example/hooks')).toBeDefined()
})

test('an empty list of webhooks explains what one is for, and opens the form', async () => {
  await renderPage(<SubscriptionList />, {
    at: '/webhooks',
    route: '/webhooks',
    role: 'admin',
    answers: { 'webhooks.subscriptions.list': buildPage(), 'webhooks.events': buildPage() },
  })
  expect(await screen.findByText('No webhooks yet')).toBeDefined()
  const [, second] = screen.getAllByRole('button', { name: 'New webhook' })
  await press(second ?? document.body)
  expect(await seen('dialog', 'New webhook')).toBeDefined()
})

const one = (with_: Partial<DeliveryRecord>, answers: Answers = {}) =>
  renderPage(<DeliveryPage />, {
    at: '/webhooks/deliveries/whd_1',
    route: '/webhooks/deliveries/$id',
    role: 'admin',
    answers: { 'webhooks.deliveries.get': delivery(with_), ...answers },
  })

test('a delivery that was not sent yet shows the time of its first attempt', async () => {
  await one({ status: 'pending', attempts: 0, finishedAt: null, nextAttemptAt: '2026-01-05T10:05:00.000Z' })
  expect(await screen.findByText('Not sent yet')).toBeDefined()
  expect(await findFact('Next attempt')).toStartWith('Jan 5, 2026')
  expect(await findFact('Finished')).toBe('—')
  expect(screen.queryByText('Repeats', { selector: 'dt' })).toBeNull()
})

test('a delivery that cannot be sent again shows why, and its page stays', async () => {
  const { address } = await one(
    { replayOf: 'whd_0' },
    { 'webhooks.deliveries.replay': refusal(409, 'disabled', 'The subscription is disabled; enable it first.') },
  )
  expect(await findFact('Repeats')).toBe('whd_0')
  await pressButton('Send again')
  await press(within(await seen('dialog', 'Send this again')).getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('The subscription is disabled; enable it first.')).toBeDefined()
  expect(address()).toBe('/webhooks/deliveries/whd_1')
})

test('a webhook of a former colleague is paused until it is confirmed', async () => {
  const { server } = await open({
    'webhooks.subscriptions.get': hook({ standsStill: true, madeBy: 'usr_gone' }),
    'webhooks.subscriptions.confirm': hook(),
    'users.list': buildPage(),
  })
  await waitFor(async () => expect(await findFact('Made by')).toBe('Former colleague'))
  expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull()
  await pressButton('Confirm')
  const dialog = within(await seen('dialog', 'Confirm this webhook'))
  await press(dialog.getByRole('button', { name: 'Confirm' }))
  await waitFor(() =>
    expect(server.of('webhooks.subscriptions.confirm').map(({ params }) => params)).toEqual([{ id: 'whk_1' }]),
  )
})
