import { expect, test } from 'bun:test'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
import { blank } from '../../../testing/blank.ts'
import { fill, press, pressButton, renderPage, screen, seen, waitFor, within } from '../../../testing/render.tsx'
import type { Check, Connection, ConnectionTest } from './ads.api.ts'
import { ConnectionList } from './connection-list.tsx'
import { ConnectionPage } from './connection-page.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const connection = (with_: Partial<Connection> = {}): Connection => ({
  ...blank('ads.connections.get'),
  id: 'adc_1',
  platform: 'social',
  name: 'Spring',
  adAccountId: 'act_71',
  pageIds: ['104555'],
  status: 'active',
  testedAt: AT,
  version: 4,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
type Role = 'manager' | 'admin'
const openList = (answers: Answers = {}, role: Role = 'admin') =>
  renderPage(<ConnectionList />, {
    at: '/ads',
    route: '/ads',
    role,
    answers: { 'ads.connections.list': buildPage(connection()), ...answers },
  })
const openPage = (one: Connection, answers: Answers = {}, role: Role = 'admin') =>
  renderPage(<ConnectionPage />, {
    at: `/ads/${one.id}`,
    route: '/ads/$id',
    role,
    answers: { 'ads.connections.get': one, ...answers },
  })
const act = async (name: string): Promise<void> => {
  await pressButton('Actions')
  await press(await seen('menuitem', name))
}

test('the list of ad platforms shows the state of each connection, and its error', async () => {
  await openList({
    'ads.connections.list': buildPage(
      connection(),
      connection({ id: 'adc_2', name: 'Autumn', status: 'error', lastError: 'The token was revoked' }),
    ),
  })
  const table = within(await seen('table', 'Ad platforms'))
  expect(table.getByText('Autumn').closest('tr')?.textContent).toContain('The token was revoked')
  expect(table.getByText('Spring').closest('tr')?.textContent).not.toContain('revoked')
})

test('a manager reads connections and creates none', async () => {
  await openList({}, 'manager')
  await seen('table', 'Ad platforms')
  expect(screen.queryByRole('button', { name: 'New connection' })).toBeNull()
})

test('a new connection needs its name and three credentials, which are sent without surrounding blanks', async () => {
  const { server, address } = await openList({ 'ads.connections.create': connection({ id: 'adc_9' }) })
  await pressButton('New connection')
  const form = within(await seen('dialog', 'New connection'))
  await press(form.getByRole('button', { name: 'Add connection' }))
  expect(await form.findByText('Name the connection')).toBeDefined()
  expect(form.getAllByText('This is needed')).toHaveLength(3)
  expect(server.of('ads.connections.create')).toEqual([])
  await fill(form.getByLabelText(/^Name/), ' Summer ')
  await fill(form.getByLabelText(/^Access token/), ' EAAB1 ')
  await fill(form.getByLabelText(/^App secret/), '5f3c')
  await fill(form.getByLabelText(/^Verify token/), 'summer')
  await press(form.getByRole('button', { name: 'Add connection' }))
  expect(await screen.findByText('Connection added. Test it next.')).toBeDefined()
  expect(server.of('ads.connections.create')[0]?.body).toEqual({
    platform: 'social',
    name: 'Summer',
    adAccountId: null,
    pageIds: [],
    pixelId: null,
    datasetId: null,
    credentials: { accessToken: 'EAAB1', appSecret: '5f3c', verifyToken: 'summer' },
  })
  await waitFor(() => expect(address()).toBe('/ads/adc_9'))
})

test('a failing connection shows on top why, and how to repair it', async () => {
  await openPage(connection({ status: 'error', lastError: 'The token was revoked' }))
  expect(await screen.findByText('This connection does not work')).toBeDefined()
  expect(screen.getByText('The token was revoked')).toBeDefined()
  expect(screen.getByText(/Nothing is fetched until a test succeeds/)).toBeDefined()
})

test('a reader who does not administer a connection has no actions on it', async () => {
  await openPage(connection(), {}, 'manager')
  await screen.findByText('act_71')
  expect(screen.queryByRole('button', { name: 'Test connection' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull()
})

test('credentials of a connection stay unchanged, or all three are replaced', async () => {
  const { server } = await openPage(connection(), { 'ads.connections.update': connection({ version: 5 }) })
  await act('Edit')
  const form = within(await seen('dialog', 'Spring'))
  await fill(form.getByLabelText(/^App secret/), 'new')
  await press(form.getByRole('button', { name: 'Save' }))
  expect(await form.findAllByText('New credentials replace all three: fill in this one, too')).toHaveLength(2)
  await fill(form.getByLabelText(/^App secret/), '')
  await fill(form.getByLabelText(/^Pixel/), ' 900 ')
  await press(form.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Connection saved.')).toBeDefined()
  expect(server.of('ads.connections.update')).toMatchObject([
    { ifMatch: '"4"', body: { name: 'Spring', pixelId: '900', pageIds: ['104555'] } },
  ])
  expect(server.of('ads.connections.update')[0]?.body).not.toHaveProperty('credentials')
})

test.each([
  ['active', 'Disable', 'disabled', 'Connection disabled.'],
  ['disabled', 'Enable', 'active', 'Connection enabled.'],
] as const)('a connection that is %s can be switched: %s', async (status, name, to, told) => {
  const { server } = await openPage(connection({ status }), { 'ads.connections.update': connection() })
  await act(name)
  await press(within(await seen('dialog', `${name} this connection`)).getByRole('button', { name }))
  expect(await screen.findByText(told)).toBeDefined()
  expect(server.of('ads.connections.update')[0]).toMatchObject({ body: { status: to }, ifMatch: '"4"' })
})

test('a change of a connection that a colleague changed first is reported as a conflict', async () => {
  await openPage(connection(), { 'ads.connections.update': refusal(412, 'version_conflict', 'Changed') })
  await act('Disable')
  await press(within(await seen('dialog', 'Disable this connection')).getByRole('button', { name: 'Disable' }))
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
})

test('a connection is removed only if nobody changed it meanwhile, and its page is left', async () => {
  const { server, address } = await openPage(connection(), {
    'ads.connections.delete': new Response(null, { status: 204 }),
  })
  await act('Remove')
  const dialog = within(await seen('dialog', 'Remove this connection'))
  expect(dialog.getByText(/“Spring” is removed with its credentials/)).toBeDefined()
  await press(dialog.getByRole('button', { name: 'Remove connection' }))
  await waitFor(() => expect(address()).toBe('/ads'))
  expect(server.of('ads.connections.delete')[0]).toMatchObject({ params: { id: 'adc_1' }, ifMatch: '"4"' })
})

const identity: Check = { what: 'identity', id: '7', ok: true, name: 'Broker app', message: null }
const page: Check = { what: 'page', id: '104555', ok: false, name: null, message: 'No access to its leads' }
const tested = (...checks: Check[]): ConnectionTest => ({
  id: 'adc_1',
  status: 'active',
  lastError: null,
  testedAt: AT,
  version: 5,
  checks,
})

test('a test of a connection shows the result of each part, and can be repeated', async () => {
  let tries = 0
  const { server } = await openPage(connection(), {
    'ads.connections.test': () => {
      tries += 1
      return tries === 1 ? tested(identity, page) : tested(identity, { ...page, ok: true, name: 'Spring page' })
    },
  })
  await pressButton('Test connection')
  const dialog = within(await seen('dialog', 'Test of Spring'))
  expect(await dialog.findByText(/Something did not answer/)).toBeDefined()
  expect(dialog.getByText('No access to its leads')).toBeDefined()
  expect(dialog.getByText('Broker app')).toBeDefined()
  await press(dialog.getByRole('button', { name: 'Test again' }))
  expect(await dialog.findByText('Everything answered: leads can come.')).toBeDefined()
  expect(dialog.getByText('Spring page')).toBeDefined()
  expect(server.of('ads.connections.test')).toHaveLength(2)
})

test('a test of a connection shows no result without an answer, and says that a repaired one is active', async () => {
  let tries = 0
  await openPage(connection({ status: 'error' }), {
    'ads.connections.test': () => {
      tries += 1
      return tries === 1 ? noAnswer() : tested(identity)
    },
  })
  await pressButton('Test connection')
  const dialog = within(await seen('dialog', 'Test of Spring'))
  expect(dialog.queryByText(/Everything answered/)).toBeNull()
  await press(await dialog.findByRole('button', { name: 'Try again' }))
  expect(await dialog.findByText(/the connection is active again/)).toBeDefined()
})
