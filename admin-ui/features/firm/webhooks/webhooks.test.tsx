import { expect, test } from 'bun:test'
import { startOfDay } from '../../../lib/text/zone.ts'
import type { Row } from '../../../operations.ts'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import {
  act,
  fill,
  keys,
  press,
  pressButton,
  renderPage,
  screen,
  seen,
  waitFor,
  within,
} from '../../../testing/render.tsx'
import { meAs } from '../../../testing/samples.ts'
import { DeliveryPage } from './delivery-page.tsx'
import { SubscriptionList } from './subscription-list.tsx'
import { SubscriptionPage } from './subscription-page.tsx'
import type { Attempt, DeliveryRecord, NewSubscription, Subscription } from './webhooks.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const hook = (with_: Partial<Subscription> = {}): Subscription => ({
  ...blank('webhooks.subscriptions.get'),
  id: 'whk_1',
  url: 'https://site.example/hooks',
  events: ['deposit.settled'],
  status: 'active',
  madeBy: 'usr_1',
  health: { failures: 0, failingSince: null, lastSuccessAt: AT, lastFailureAt: null },
  version: 3,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const SECRET = 'whsec_the-whole-secret'
const made: NewSubscription = { ...hook({ id: 'whk_new' }), secret: SECRET }
const attempt = (with_: Partial<Attempt> = {}): Attempt => ({
  attempt: 1,
  statusCode: 200,
  latencyMs: 41,
  startedAt: AT,
  nextAttemptAt: null,
  error: null,
  response: null,
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
  log: [attempt()],
  ...with_,
})
const EVENTS = buildPage<Row<'webhooks.events'>>(
  { event: 'deposit.settled', description: 'A deposit was settled', payload: {} },
  { event: 'kyc.approved', description: 'An identity was approved', payload: {} },
)
const common = (): Answers => ({
  'auth.me': meAs('admin'),
  'webhooks.events': EVENTS,
  'webhooks.subscriptions.list': buildPage(hook()),
  'webhooks.subscriptions.get': hook(),
  'webhooks.deliveries.list': buildPage(delivery()),
})
const list = (answers: Answers = {}, at = '/webhooks') =>
  renderPage(<SubscriptionList />, { at, route: '/webhooks', role: 'admin', answers: { ...common(), ...answers } })
const page = (answers: Answers = {}) =>
  renderPage(<SubscriptionPage />, {
    at: '/webhooks/whk_1/deliveries',
    route: '/webhooks/$id/deliveries',
    role: 'admin',
    answers: { ...common(), ...answers },
  })
const one = (answers: Answers = {}) =>
  renderPage(<DeliveryPage />, {
    at: '/webhooks/deliveries/whd_1',
    route: '/webhooks/deliveries/$id',
    role: 'admin',
    answers: { ...common(), 'webhooks.deliveries.get': delivery(), ...answers },
  })
const openNew = async (answers: Answers = {}) => {
  const drawn = await list({ 'webhooks.subscriptions.create': made, ...answers }, '/webhooks?new=1')
  await fill(await screen.findByRole('textbox', { name: /^Address/ }), ' https://a.eu ')
  await press(await seen('checkbox', /^The money of a deposit arrived/))
  return drawn
}
const choose = async (name: string): Promise<void> => {
  await pressButton('Actions')
  await press(await seen('menuitem', name))
}

test('a new webhook is sent as typed, and its secret is shown once', async () => {
  const { server, router, address } = await openNew()
  await pressButton('Add webhook')
  expect(await screen.findByText(SECRET)).toBeDefined()
  expect(server.of('webhooks.subscriptions.create').map(({ body }) => body)).toEqual([
    { url: 'https://a.eu', events: ['deposit.settled'] },
  ])
  await keys('{Escape}')
  act(() => void router.navigate({ to: '/kyc' }))
  expect(await screen.findByText(/^Keep it first/)).toBeDefined()
  expect(address()).toBe('/webhooks')
  await pressButton('I have kept it')
  await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull())
})

test('a webhook without an address or events is not sent', async () => {
  const { server } = await list({}, '/webhooks?new=1')
  await fill(await screen.findByRole('textbox', { name: /^Address/ }), 'site')
  await pressButton('Add webhook')
  expect(await screen.findByText('Enter an address that begins with https://')).toBeDefined()
  expect(screen.getByText('Choose at least one event')).toBeDefined()
  expect(server.of('webhooks.subscriptions.create')).toEqual([])
})

test('a new webhook that got no answer is created only once, and the second press shows its secret', async () => {
  let times = 0
  const { server } = await openNew({ 'webhooks.subscriptions.create': () => (++times === 1 ? noAnswer() : made) })
  await pressButton('Add webhook')
  expect(await screen.findByText(/It may have been done: look/)).toBeDefined()
  await pressButton('Add webhook')
  expect(await screen.findByText(SECRET)).toBeDefined()
  const [first, second] = server.of('webhooks.subscriptions.create')
  expect(second?.key).toBe(first?.key ?? 'none')
})

test('once the secret is kept, a test shows the receiver’s answer and links to the deliveries', async () => {
  const { server, address } = await openNew({
    'webhooks.subscriptions.test': delivery({ log: [attempt({ statusCode: 204 })] }),
  })
  await pressButton('Add webhook')
  await pressButton(/test/i)
  const dialog = await screen.findByRole('dialog', { name: 'Test delivery' })
  expect(await within(dialog).findByText('204')).toBeDefined()
  expect(within(dialog).getByText('41 ms')).toBeDefined()
  expect(server.of('webhooks.subscriptions.test').map(({ params }) => params)).toEqual([{ id: 'whk_new' }])
  await press(within(dialog).getAllByRole('button', { name: 'Close' }).at(-1) ?? dialog)
  await waitFor(() => expect(address()).toBe('/webhooks/whk_new/deliveries'))
})

test.each([
  ['that is off', hook({ status: 'disabled' }), 'Off'],
  ['that fails', hook({ health: { ...hook().health, failures: 1200 } }), 'Failing, 1,200 attempts'],
  ['that failed once', hook({ health: { ...hook().health, failures: 1 } }), 'Failing, 1 attempt'],
  ['that was never used', hook({ health: { ...hook().health, lastSuccessAt: null } }), 'Not used yet'],
] as const)('the list of webhooks shows the state of one %s', async (_, receiver, words) => {
  await list({ 'webhooks.subscriptions.list': buildPage(receiver) })
  expect(await screen.findByText(words)).toBeDefined()
})

test('address and events of a webhook are changed only if nobody changed it meanwhile', async () => {
  const { server } = await page({ 'webhooks.subscriptions.update': hook({ version: 4 }) })
  await choose('Edit')
  await press(await seen('checkbox', 'Documents of a client were approved'))
  await pressButton('Save')
  expect(await screen.findByText('Webhook saved.')).toBeDefined()
  expect(server.of('webhooks.subscriptions.update')[0]).toMatchObject({
    body: { url: 'https://site.example/hooks', events: ['deposit.settled', 'kyc.approved'] },
    ifMatch: '"3"',
  })
})

test.each([
  ['active', 'Turn off', false, 'Webhook turned off.'],
  ['disabled', 'Turn on', true, 'Webhook turned on.'],
] as const)('a webhook that is %s is switched after a question', async (status, name, enabled, words) => {
  const { server } = await page({
    'webhooks.subscriptions.get': hook({
      status,
      disabledReason: status === 'disabled' ? 'It failed for days.' : null,
    }),
    'webhooks.subscriptions.update': hook({ version: 4 }),
  })
  if (status === 'disabled') expect(await screen.findByText('It failed for days.')).toBeDefined()
  await choose(name)
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name }))
  expect(await screen.findByText(words)).toBeDefined()
  expect(server.of('webhooks.subscriptions.update')[0]).toMatchObject({ body: { enabled }, ifMatch: '"3"' })
})

test('the dialog of a webhook keeps its version, although the page reads a newer one meanwhile', async () => {
  const { server, client } = await page({
    'webhooks.subscriptions.update': refusal(412, 'version_mismatch', 'A colleague changed it.'),
  })
  await choose('Turn off')
  server.now({ 'webhooks.subscriptions.get': hook({ version: 9 }) })
  const before = server.of('webhooks.subscriptions.get').length
  await act(() => client.invalidateQueries({ queryKey: ['webhooks'] }))
  await waitFor(() => expect(server.of('webhooks.subscriptions.get').length).toBeGreaterThan(before))
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Turn off' }))
  expect(await screen.findByText('A colleague changed it.')).toBeDefined()
  expect(server.of('webhooks.subscriptions.update')[0]?.ifMatch).toBe('"3"')
})

test.each([
  ['signs for 24 hours more', 24],
  ['stops at once', 0],
] as const)('the old secret %s, and the new one is shown once', async (words, overlapHours) => {
  const { server } = await page({
    'webhooks.subscriptions.rotateSecret': { ...made, secretOverlapUntil: overlapHours ? AT : null },
  })
  await choose('Replace secret')
  await press(await seen('radio', new RegExp(`^${words}`)))
  await pressButton('Replace secret')
  const dialog = await screen.findByRole('dialog', { name: 'Signing secret' })
  expect(within(dialog).getByText(SECRET)).toBeDefined()
  expect(dialog.textContent?.includes('signatures of both')).toBe(overlapHours > 0)
  expect(server.of('webhooks.subscriptions.rotateSecret').map(({ body }) => body)).toEqual([{ overlapHours }])
  await keys('{Escape}')
  expect(screen.getByText(SECRET)).toBeDefined()
})

test.each([
  [0, 'Nothing else was missed; what waits is tried again now.'],
  [1, '1 event is sent.'],
  [1500, '1,500 events are sent.'],
])('the recovery of missed events says how many are sent: %i', async (queued, words) => {
  const { server } = await page({ 'webhooks.subscriptions.recover': { queued } })
  await choose('Recover missed events')
  await pressButton('Send what was missed')
  expect(await screen.findByText('Choose a day and a time')).toBeDefined()
  await fill(await screen.findByLabelText(/^Since/), '2026-11-20')
  await fill(screen.getByLabelText('Time'), '10')
  await pressButton('Send what was missed')
  expect(await screen.findByText(words)).toBeDefined()
  expect(server.of('webhooks.subscriptions.recover').map(({ body }) => body)).toEqual([
    { since: startOfDay('2026-11-20', '10:00').toISOString() },
  ])
})

test('a removed webhook’s page is left before anything is read again', async () => {
  const { server, address } = await page({ 'webhooks.subscriptions.delete': Response.json({}) })
  await choose('Remove')
  await pressButton('Remove webhook')
  await waitFor(() => expect(address()).toBe('/webhooks'))
  expect(server.of('webhooks.subscriptions.delete')[0]).toMatchObject({ params: { id: 'whk_1' }, ifMatch: '"3"' })
  expect(server.of('webhooks.subscriptions.get')).toHaveLength(1)
})

test('a webhook that is off sends no missed events', async () => {
  await page({ 'webhooks.subscriptions.get': hook({ status: 'disabled' }) })
  await pressButton('Actions')
  await seen('menuitem', 'Turn on')
  expect(screen.queryByRole('menuitem', { name: 'Recover missed events' })).toBeNull()
})

test('a delivery shows its attempts, the latest first', async () => {
  await one({
    'webhooks.deliveries.get': delivery({
      log: [
        attempt({ statusCode: null, error: 'No route', latencyMs: 10 }),
        attempt({ attempt: 2, statusCode: 500, response: 'Oops', latencyMs: 20 }),
      ],
    }),
  })
  const attempts = await screen.findAllByRole('listitem')
  expect(attempts.map(({ textContent }) => textContent?.slice(0, 1))).toEqual(['2', '1'])
  expect(attempts[0]?.textContent).toContain('Oops')
  expect(attempts[1]?.textContent).toContain('No route')
})

test('a delivery is sent again, and the new one is opened', async () => {
  const { server, address } = await one({ 'webhooks.deliveries.replay': delivery({ id: 'whd_2', replayOf: 'whd_1' }) })
  await pressButton('Send again')
  await press(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('Sent again.')).toBeDefined()
  await waitFor(() => expect(address()).toBe('/webhooks/deliveries/whd_2'))
  expect(server.of('webhooks.deliveries.replay').map(({ params }) => params)).toEqual([{ id: 'whd_1' }])
})

test.each([
  ['the deposit before its client', { payload: { traderId: 'trd_1', depositId: 'dep_1' } }, '/admin/deposits/dep_1'],
  ['the client', { payload: { traderId: 'trd_1' } }, '/admin/traders/trd_1'],
] as const)('a delivery links to the subject of its signed body: %s', async (_, body, href) => {
  await one({ 'webhooks.deliveries.get': delivery({ body: JSON.stringify(body) }) })
  await seen('heading', 'deposit.settled')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain(href)
})

test('a delivery without a record links back to its list only', async () => {
  await one({ 'webhooks.deliveries.get': delivery({ body: 'no JSON' }) })
  await seen('heading', 'deposit.settled')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/admin/webhooks/whk_1/deliveries',
  ])
})
