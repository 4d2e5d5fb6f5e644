import { expect, test } from 'bun:test'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import { ServerList } from './server-list.tsx'
import { ServerPage } from './server-page.tsx'
import type { Pending, Server, ServerTest } from './servers.api.ts'

const AT = '2026-11-20T10:00:00.000Z'
const [OLD, NEW] = ['ab'.repeat(32), 'cd'.repeat(32)]
const FIRM: Answers = { 'tenants.current': Response.json({ platforms: ['terminal5', 'ownline'] }) }
const HEALTH: Server['health'] = {
  state: 'connected',
  since: AT,
  lastReadAt: null,
  lastDealAt: null,
  lagSeconds: null,
  clockOffsetMinutes: 120,
  nextTryAt: null,
  lastError: null,
}
const server = (with_: Partial<Server> = {}): Server => ({
  id: 'trm_1',
  name: 'Live, London',
  driver: 'terminal5',
  platform: 'terminal5',
  server: 'Meridian-Live',
  status: 'active',
  address: 'https://trade.example.com:443',
  trust: 'pinned',
  certificate: OLD,
  login: '1001',
  groups: [{ mask: 'real\\*', type: 'live' }],
  since: AT,
  money: true,
  moneyHeldAt: null,
  readEvery: { deals: 10, positions: 30, accounts: 60, prices: 300 },
  requestsPerSecond: 5,
  enteredBy: ['usr_marco'],
  enteredAt: AT,
  confirmedBy: 'usr_me',
  confirmedAt: AT,
  version: 4,
  createdAt: AT,
  updatedAt: AT,
  pending: null,
  health: HEALTH,
  lastTest: null,
  groupsRead: [],
  ...with_,
})
const waiting = (with_: Partial<Pending> = {}): Pending => ({
  version: 7,
  by: ['usr_marco'],
  at: AT,
  fields: ['trust', 'certificate', 'password'],
  values: { trust: 'pinned', certificate: NEW },
  ...with_,
})
type Role = 'operator' | 'manager' | 'admin' | 'owner'
const openList = (answers: Answers = {}, role: Role = 'owner') =>
  renderPage(<ServerList />, {
    at: '/platforms',
    route: '/platforms',
    role,
    answers: { 'platforms.connections.list': buildPage(server()), ...FIRM, ...answers },
  })
const openPage = (one: Server, answers: Answers = {}, role: Role = 'owner') =>
  renderPage(<ServerPage />, {
    at: `/platforms/${one.id}`,
    route: '/platforms/$id',
    role,
    answers: { 'platforms.connections.get': one, ...answers },
  })
const act = async (name: string): Promise<void> => {
  await pressButton('Actions')
  await press(await seen('menuitem', name))
}

test('the list of trading servers shows what is wrong with each, and what waits', async () => {
  const lastError = { code: 'api_disabled', text: 'The Web API is off.', at: AT }
  await openList({
    'platforms.connections.list': buildPage(
      server(),
      server({ id: 'trm_2', name: 'Demo', status: 'error', health: { ...HEALTH, lastError } }),
      server({ id: 'trm_3', name: 'New', status: 'unconfirmed', pending: waiting() }),
    ),
  })
  const table = within(await seen('table', 'Trading servers'))
  const line = (name: string) => table.getByText(name).closest('tr')?.textContent
  expect(line('Demo')).toContain('The Web API is off.')
  expect(line('New')).toContain('For a second person')
  expect(line('Live, London')).toContain('Not read yet')
})

test('an empty list says how to begin, to an owner with the form and to others by whom', async () => {
  await openList({ 'platforms.connections.list': buildPage() }, 'operator')
  expect(await screen.findByText(/manager account of that server.*An owner of the firm/)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'New connection' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Findings' })).toBeNull()
})

test('a new connection needs its fields, and is sent with its masks and without surrounding blanks', async () => {
  const { server: fake, address } = await openList({ 'platforms.connections.create': server({ id: 'trm_9' }) })
  await pressButton('New connection')
  const form = within(await seen('dialog', 'New connection'))
  await press(form.getByRole('button', { name: 'Add connection' }))
  expect(await form.findAllByText('This is needed')).toHaveLength(6)
  await fill(form.getByLabelText(/^Name/), ' Live ')
  await fill(form.getByLabelText(/^Server/), 'Meridian-Live')
  await fill(form.getByLabelText(/^Address of the access server/), ' https://trade.example.com:443 ')
  await fill(form.getByLabelText(/^Login/), '1001')
  await fill(form.getByLabelText(/^API password/), ' kept as it is ')
  await fill(form.getByLabelText('Mask 1'), 'real\\*')
  await pressButton('Add a mask')
  await fill(form.getByLabelText('Mask 2'), 'demo\\*')
  await press(form.getByRole('button', { name: 'Add connection' }))
  await waitFor(() => expect(address()).toBe('/platforms/trm_9'))
  expect(fake.of('platforms.connections.create')[0]?.body).toEqual({
    name: 'Live',
    driver: 'terminal5',
    platform: 'terminal5',
    server: 'Meridian-Live',
    address: 'https://trade.example.com:443',
    trust: 'public',
    certificate: null,
    login: '1001',
    password: ' kept as it is ',
    groups: [
      { mask: 'real\\*', type: 'live' },
      { mask: 'demo\\*', type: 'live' },
    ],
  })
})

test('what is hidden from an operator says so, and there is nothing to do', async () => {
  const { address: _, login: __, certificate: ___, ...shown } = server()
  await openPage(shown, {}, 'operator')
  expect(await screen.findAllByText('Admins see it')).toHaveLength(3)
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull()
})

test('a connection that stopped says on top why', async () => {
  const lastError = { code: 'api_disabled', text: 'The Web API is off.', at: AT }
  await openPage(server({ status: 'error', health: { ...HEALTH, state: 'stopped', lastError } }))
  expect(await screen.findByText('This connection has stopped')).toBeDefined()
  expect(screen.getByText('The Web API is off.')).toBeDefined()
})

test('what waits is shown with both fingerprints, and exactly that is confirmed', async () => {
  const { server: fake } = await openPage(server({ pending: waiting() }), {
    'platforms.connections.confirm': server(),
  })
  const part = (await screen.findByText('Waits for a second person')).closest('section')
  expect(part?.textContent).toContain('Marco Bianchi entered this')
  const cells = [...(part?.querySelectorAll('tr') ?? [])].map(({ textContent }) => textContent)
  const lines = (pair: string): string => Array(4).fill(Array(8).fill(pair).join(':')).join(':\n')
  expect(cells).toContain(`Certificate${lines('AB')}${lines('CD')}`)
  expect(cells).toContain('API passwordin forceentered; nobody is shown it')
  await pressButton('Confirm')
  const dialog = within(await seen('dialog', 'Confirm these settings'))
  await press(dialog.getByRole('button', { name: 'Confirm' }))
  expect(await screen.findByText('Confirmed. The settings are in force.')).toBeDefined()
  expect(fake.of('platforms.connections.confirm')[0]).toMatchObject({ params: { id: 'trm_1' }, body: { version: 7 } })
})

test('a refused confirmation says why in the words of the server, and reads again what waits', async () => {
  const { server: fake } = await openPage(server({ pending: waiting() }), {
    'platforms.connections.confirm': refusal(409, 'terminals.changed_meanwhile', 'It was changed meanwhile.'),
  })
  await pressButton('Confirm')
  const dialog = within(await seen('dialog', 'Confirm these settings'))
  await press(dialog.getByRole('button', { name: 'Confirm' }))
  expect(await dialog.findByText('It was changed meanwhile.')).toBeDefined()
  await waitFor(() => expect(fake.of('platforms.connections.get').length).toBeGreaterThan(1))
})

test.each([
  ['admin', 'usr_me', AT, false, /^You entered it, so another admin or owner confirms it\.$/],
  ['owner', 'usr_me', new Date().toISOString(), false, /If the firm has nobody else, you can, 72 hours/],
  ['owner', 'usr_me', AT, true, /If the firm has nobody else, you can, 72 hours/],
  ['manager', 'usr_marco', AT, false, /^An admin or owner who did not enter it confirms it\.$/],
] as const)('%s sees of what %s entered at %s whether to confirm it: %p', async (role, by, at, may, words) => {
  await openPage(server({ pending: waiting({ by: [by], at: at === AT ? '2020-01-01T00:00:00.000Z' : at }) }), {}, role)
  expect(await screen.findByText(words)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Confirm' }) !== null).toBe(may)
})

const PRESENTED = { fingerprint: NEW, names: ['trade.example.com'], issuer: 'Example CA', validTo: AT }
const tested = (with_: Partial<ServerTest> = {}): ServerTest => ({
  at: AT,
  checks: [{ name: 'certificate', state: 'fine', text: 'The certificate is the one that is trusted.' }],
  certificate: PRESENTED,
  rights: { had: ['connect', 'delete'], missing: [], needless: ['delete'] },
  groups: [{ name: 'real\\usd', currency: 'USD', marginMode: 'netting', type: 'live' }],
  build: '4000',
  ...with_,
})

test('a test shows its checks, the certificate, rights and groups, and can be repeated', async () => {
  const needless = { name: 'needless', state: 'look_closer', text: 'The login has: delete accounts.' } as const
  let tries = 0
  const { server: fake } = await openPage(server(), {
    'platforms.connections.test': () => {
      tries += 1
      return tries === 1 ? noAnswer() : tested({ checks: [...tested().checks, needless] })
    },
  })
  await pressButton('Test')
  const dialog = within(await seen('dialog', 'Test of Live, London'))
  await press(await dialog.findByRole('button', { name: 'Try again' }))
  expect(await dialog.findByText('It works; look closer at some of it.')).toBeDefined()
  expect(dialog.getByText('The login has: delete accounts.')).toBeDefined()
  expect(dialog.getByText('trade.example.com')).toBeDefined()
  expect(dialog.getByText('connect using Manager, delete accounts')).toBeDefined()
  expect(dialog.getByText('real\\usd · USD · Live')).toBeDefined()
  await press(dialog.getByRole('button', { name: 'Test again' }))
  await waitFor(() => expect(fake.of('platforms.connections.test')).toHaveLength(3))
  expect(fake.of('platforms.connections.test')[0]?.body).toEqual({})
})

test('what waits is tested by itself, and another certificate than the last test saw is told', async () => {
  const { server: fake } = await openPage(
    server({ pending: waiting(), lastTest: tested({ certificate: { ...PRESENTED, fingerprint: OLD } }) }),
    { 'platforms.connections.test': tested() },
  )
  expect(await screen.findByText(/^The last test was shown another certificate: AB:AB/)).toBeDefined()
  await pressButton('Test these settings')
  await seen('dialog', 'Test of what waits for Live, London')
  await waitFor(() => expect(fake.of('platforms.connections.test')[0]?.body).toEqual({ pending: true }))
})

test.each([
  ['active', 'Pause', true, 'Connection paused.'],
  ['paused', 'Resume', false, 'Connection resumed.'],
] as const)('a connection that is %s can be switched: %s', async (status, name, paused, told) => {
  const { server: fake } = await openPage(server({ status }), { 'platforms.connections.update': server() }, 'admin')
  await act(name)
  await press(within(await seen('dialog', `${name} this connection`)).getByRole('button', { name }))
  expect(await screen.findByText(told)).toBeDefined()
  expect(fake.of('platforms.connections.update')[0]).toMatchObject({ body: { paused }, ifMatch: '"4"' })
})

test('an admin switches money off at once, and neither changes where it leads nor removes it', async () => {
  const { server: fake } = await openPage(server(), { 'platforms.connections.update': server() }, 'admin')
  await pressButton('Actions')
  expect(await screen.findAllByRole('menuitem')).toHaveLength(4)
  await press(await seen('menuitem', 'Money off'))
  await press(within(await seen('dialog', 'Switch money off')).getByRole('button', { name: 'Money off' }))
  expect(await screen.findByText('Money is off.')).toBeDefined()
  expect(fake.of('platforms.connections.update')[0]?.body).toEqual({ money: false })
})

test('where money is held an owner lets it move again', async () => {
  const held = server({ moneyHeldAt: AT })
  const { server: fake } = await openPage(held, { 'platforms.connections.update': server() })
  expect(await screen.findByText('No money moves here')).toBeDefined()
  await pressButton('Let money move again')
  const dialog = within(await seen('dialog', 'Let money move again'))
  await press(dialog.getByRole('button', { name: 'Let money move again' }))
  expect(await screen.findByText('Money moves again.')).toBeDefined()
  expect(fake.of('platforms.connections.update')[0]).toMatchObject({ body: { money: true }, ifMatch: '"4"' })
})

const ofGroup = (group: string, withoutEmail = 0) => ({ group, logins: 3, clients: 2, withoutEmail })
const newcomers = { logins: 6, clients: 3, withoutEmail: 1, groups: [ofGroup('demo\\a'), ofGroup('real\\<b>', 1)] }

test('clients are brought in by group, as a dry run counted them, and the import is shown', async () => {
  const { server: fake, address } = await openPage(server(), { 'platforms.connections.import': newcomers }, 'admin')
  await act('Bring clients in')
  const form = within(await seen('dialog', 'Bring clients in from Live, London'))
  expect(
    await form.findByText('5 logins come in. 1 is left out: it has no e-mail address, or we may not see it.'),
  ).toBeDefined()
  expect(form.getByText('3 logins · 2 clients · 1 without an e-mail address')).toBeDefined()
  await press(form.getByLabelText(/^demo\\a/))
  expect(form.getByText(/^2 logins come in/)).toBeDefined()
  await press(form.getByLabelText(/^real/))
  expect(form.getByRole('button', { name: 'Bring in' })).toHaveProperty('disabled', true)
  await press(form.getByLabelText(/^real/))
  fake.now({ 'platforms.connections.import': refusal(503, 'terminals.no_answer', 'Nobody answered.') })
  await press(form.getByRole('button', { name: 'Bring in' }))
  expect(await form.findByText('Nobody answered.')).toBeDefined()
  fake.now({ 'platforms.connections.import': Response.json({ id: 'imp_1' }) })
  await press(form.getByRole('button', { name: 'Bring in' }))
  await waitFor(() => expect(address()).toBe('/traders/import/imp_1'))
  const sent = fake.of('platforms.connections.import').map(({ body }) => body)
  expect(sent[0]).toEqual({ dryRun: true })
  expect(sent.at(-1)).toEqual({ dryRun: false, groups: ['real\\<b>'] })
})

test('where nobody is left to bring in, or the server does not answer, that is said', async () => {
  let tries = 0
  await openPage(server(), {
    'platforms.connections.import': () => {
      tries += 1
      return tries === 1 ? noAnswer() : { logins: 0, clients: 0, withoutEmail: 0, groups: [] }
    },
  })
  await act('Bring clients in')
  const form = within(await seen('dialog', 'Bring clients in from Live, London'))
  await press(await form.findByRole('button', { name: 'Try again' }))
  expect(await form.findByText('Nobody to bring in')).toBeDefined()
  expect(form.getByRole('button', { name: 'Bring in' })).toHaveProperty('disabled', true)
})

test('only settings that were changed are sent, and a field that the server refuses says why', async () => {
  const { server: fake } = await openPage(server({ money: false }), {
    'platforms.connections.update': refusal(422, 'validation_failed', 'Not valid', [
      { path: 'password', message: 'is needed again' },
    ]),
  })
  await act('Change settings')
  const form = within(await seen('dialog', 'Live, London'))
  await fill(form.getByLabelText(/^Fingerprint/), ` ${NEW} `)
  await press(form.getByRole('button', { name: 'Enter' }))
  expect(await form.findByText('Is needed again')).toBeDefined()
  fake.now({ 'platforms.connections.update': server() })
  await fill(form.getByLabelText(/^API password/), 'secret')
  await press(form.getByLabelText(/^Money may be booked/))
  await press(form.getByRole('button', { name: 'Enter' }))
  expect(await screen.findByText('Entered. Another admin or owner confirms it.')).toBeDefined()
  expect(fake.of('platforms.connections.update')[1]).toMatchObject({ ifMatch: '"4"' })
  expect(fake.of('platforms.connections.update')[1]?.body).toEqual({
    trust: 'pinned',
    certificate: NEW,
    money: true,
    password: 'secret',
  })
})

test('a change of settings begins with what waits already', async () => {
  await openPage(server({ pending: waiting() }))
  await act('Change settings')
  const form = within(await seen('dialog', 'Live, London'))
  expect(form.getByLabelText(/^Fingerprint/)).toHaveProperty('value', NEW)
  await press(form.getByRole('button', { name: 'Enter' }))
  expect(await screen.findByText('Nothing was changed.')).toBeDefined()
})

test('name and pace are changed by an admin within the ranges of the server', async () => {
  const { server: fake } = await openPage(server(), { 'platforms.connections.update': server() }, 'admin')
  await act('Edit name and pace')
  const form = within(await seen('dialog', 'Live, London'))
  await fill(form.getByLabelText(/^Deals/), '3')
  await press(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('A whole number from 5 to 60')).toBeDefined()
  await fill(form.getByLabelText(/^Deals/), '20')
  await press(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(fake.of('platforms.connections.update')).toHaveLength(1))
  expect(fake.of('platforms.connections.update')[0]?.body).toEqual({
    name: 'Live, London',
    readEvery: { deals: 20, positions: 30, accounts: 60, prices: 300 },
    requestsPerSecond: 5,
  })
})

test('a connection is removed only if nobody changed it meanwhile, and its page is left', async () => {
  const { server: fake, address } = await openPage(server(), {
    'platforms.connections.delete': new Response(null, { status: 204 }),
  })
  await act('Remove')
  const dialog = within(await seen('dialog', 'Remove this connection'))
  await press(dialog.getByRole('button', { name: 'Remove connection' }))
  await waitFor(() => expect(address()).toBe('/platforms'))
  expect(fake.of('platforms.connections.delete')[0]).toMatchObject({ params: { id: 'trm_1' }, ifMatch: '"4"' })
})
