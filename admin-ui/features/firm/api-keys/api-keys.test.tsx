import { expect, test } from 'bun:test'
import { type Answers, buildPage, noAnswer, refusal } from '../../../testing/answers.ts'
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
import type { ApiKey, NewApiKey, ScopeInfo } from './api-keys.api.ts'
import { KeyList } from './key-list.tsx'

const AT = '2026-11-20T10:00:00.000Z'
const apiKey = (with_: Partial<ApiKey> = {}): ApiKey => ({
  id: 'key_1',
  label: 'Website',
  status: 'active',
  prefix: 'bb_live_1a2b',
  scopes: ['traders:read'],
  lostScopes: [],
  role: null,
  userId: 'usr_marco',
  expiresAt: null,
  allowedNetworks: [],
  lastUsedAt: null,
  revokedAt: null,
  version: 2,
  createdAt: AT,
  updatedAt: AT,
  ...with_,
})
const SECRET = 'bb_live_1a2b_the-whole-secret'
const made: NewApiKey = { ...apiKey({ id: 'key_new', label: 'Sign-up form' }), key: SECRET }
const SCOPES = buildPage<ScopeInfo>(
  { scope: 'traders:read', description: 'Read clients' },
  { scope: 'traders:write', description: 'Change clients' },
  { scope: 'deposits:read', description: 'Read deposits' },
)

const open = (answers: Answers = {}, at = '/api-keys') =>
  renderPage(<KeyList />, {
    at,
    route: '/api-keys',
    role: 'admin',
    answers: { 'apiKeys.list': buildPage(apiKey()), 'apiKeys.scopes': SCOPES, ...answers },
  })
/** Opens the form of a new key and fills in the required fields. */
const openNew = async (answers: Answers = {}) => {
  const drawn = await open({ 'apiKeys.create': made, ...answers }, '/api-keys?new=1')
  await fill(await screen.findByRole('textbox', { name: /^Label/ }), ' Form ')
  await press(await seen('checkbox', /^Read clients/))
  return drawn
}
const menu = async (row: string, act: string): Promise<void> => {
  await pressButton(`Actions for ${row}`)
  await press(await seen('menuitem', act))
}

test('a new key is sent as typed, and acts for its maker unless a role is chosen', async () => {
  const { server } = await openNew()
  await pressButton('Create key')
  await waitFor(() => expect(server.of('apiKeys.create')).toHaveLength(1))
  expect(server.of('apiKeys.create')[0]?.body).toEqual({
    label: 'Form',
    scopes: ['traders:read'],
    allowedNetworks: [],
    expiresAt: null,
  })
})

test('a key works until the last second of the chosen day', async () => {
  const { server } = await openNew()
  await fill(await screen.findByLabelText(/^Last day it works/), '2027-03-31')
  await fill(await screen.findByPlaceholderText('Type and press Enter'), '10.0.0.0/8{Enter}')
  await pressButton('Create key')
  await waitFor(() => expect(server.of('apiKeys.create')).toHaveLength(1))
  expect(server.of('apiKeys.create')[0]?.body).toMatchObject({
    expiresAt: new Date('2027-03-31T23:59:59').toISOString(),
    allowedNetworks: ['10.0.0.0/8'],
  })
})

test('a key can be given no more than its maker may do', async () => {
  const { server } = await openNew()
  await press(await seen('combobox', 'Acts as'))
  const roles = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(roles).toEqual(['Viewer', 'Operator', 'Manager', 'Admin'])
  await press(await seen('option', 'Operator'))
  await pressButton('Create key')
  await waitFor(() => expect(server.of('apiKeys.create')[0]?.body).toMatchObject({ role: 'operator' }))
})

test('a key without a name or a permission is not sent', async () => {
  const { server } = await open({}, '/api-keys?new=1')
  await pressButton('Create key')
  expect(await screen.findByText('Name the program that will use it')).toBeDefined()
  expect(screen.getByText('Choose at least one permission')).toBeDefined()
  expect(server.of('apiKeys.create')).toEqual([])
})

test('a key’s secret is shown once, with a call that it may make, and neither Esc nor Back loses it', async () => {
  const { router, address } = await openNew()
  await pressButton('Create key')
  const dialog = await screen.findByRole('dialog', { name: 'Your new API key' })
  expect(within(dialog).getByText(SECRET)).toBeDefined()
  expect(dialog.textContent).toContain(`curl -H 'X-API-Key: ${SECRET}'`)
  expect(dialog.textContent).toContain('/v1/traders?limit=5')
  await keys('{Escape}')
  act(() => void router.navigate({ to: '/kyc' }))
  expect(await within(dialog).findByText(/^Keep it first/)).toBeDefined()
  expect(address()).toBe('/api-keys')
  await pressButton('I have kept it')
  await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull())
})

test('Enter right after the secret appears copies it and closes nothing', async () => {
  await openNew()
  await pressButton('Create key')
  const copy = await seen('button', 'Copy')
  await waitFor(() => expect(document.activeElement).toBe(copy))
})

test('a new key that got no answer is made only once: the second press sends the same Idempotency-Key', async () => {
  let times = 0
  const { server } = await openNew({
    'apiKeys.create': () => (++times === 1 ? noAnswer() : made),
    'auth.me': meAs('admin'),
  })
  await pressButton('Create key')
  expect(await screen.findByText(/It may have been done: look/)).toBeDefined()
  await pressButton('Create key')
  expect(await screen.findByText(SECRET)).toBeDefined()
  const [first, second] = server.of('apiKeys.create')
  expect(first?.key).toBeString()
  expect(second?.key).toBe(first?.key ?? '')
})

test('an error about the networks of a key is shown at their field', async () => {
  await openNew({
    'apiKeys.create': refusal(400, 'validation_failed', 'Not valid.', [
      { path: '/allowedNetworks', message: 'is no network' },
    ]),
  })
  await pressButton('Create key')
  expect(await screen.findByText('Is no network')).toBeDefined()
  expect(screen.queryByText(SECRET)).toBeNull()
})

test('one checkbox ticks all read permissions of a key, and leaves the write permissions', async () => {
  const { server } = await open({ 'apiKeys.create': made }, '/api-keys?new=1')
  await fill(await screen.findByRole('textbox', { name: /^Label/ }), 'Reports')
  await press(await seen('checkbox', /restore clients; add notes$/))
  await press(await seen('checkbox', 'All read'))
  await pressButton('Create key')
  await waitFor(() => expect(server.of('apiKeys.create')).toHaveLength(1))
  expect(server.of('apiKeys.create')[0]?.body).toMatchObject({
    scopes: expect.arrayContaining(['traders:read', 'traders:write', 'deposits:read']),
  })
})

test('name, end and networks of a key are changed only if nobody changed it meanwhile', async () => {
  const { server } = await open({ 'apiKeys.update': apiKey({ version: 3 }) })
  await menu('Website', 'Edit')
  const label = await screen.findByRole('textbox', { name: /^Label/ })
  expect(screen.queryByRole('combobox', { name: 'Acts as' })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: /^Read clients/ })).toBeNull()
  await fill(label, 'Site')
  await pressButton('Save')
  await waitFor(() => expect(server.of('apiKeys.update')).toHaveLength(1))
  expect(server.of('apiKeys.update')[0]).toMatchObject({
    params: { id: 'key_1' },
    body: { label: 'Site', allowedNetworks: [], expiresAt: null },
    ifMatch: '"2"',
  })
  expect(await screen.findByText('API key saved.')).toBeDefined()
})

test('a key that a colleague changed meanwhile is read again, not overwritten', async () => {
  const { server } = await open({ 'apiKeys.update': refusal(412, 'version_mismatch', 'A colleague changed it.') })
  await menu('Website', 'Edit')
  await pressButton('Save')
  expect(await screen.findByText('This changed while you were working')).toBeDefined()
  const before = server.of('apiKeys.list').length
  await pressButton('Load the current version')
  await waitFor(() => expect(server.of('apiKeys.list').length).toBeGreaterThan(before))
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

test('a key is revoked after a question that names it', async () => {
  const { server } = await open({ 'apiKeys.revoke': Response.json({}) })
  await menu('Website', 'Revoke')
  const dialog = await screen.findByRole('dialog', { name: 'Revoke this API key' })
  expect(dialog.textContent).toContain('Programs that use Website are refused at once.')
  await press(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(server.of('apiKeys.revoke')).toEqual([])
  await menu('Website', 'Revoke')
  const before = server.of('apiKeys.list').length
  await pressButton('Revoke key')
  await waitFor(() => expect(server.of('apiKeys.revoke').map(({ params }) => params)).toEqual([{ id: 'key_1' }]))
  expect(await screen.findByText('API key revoked.')).toBeDefined()
  await waitFor(() => expect(server.of('apiKeys.list').length).toBeGreaterThan(before))
})

test('a revoked key has no actions, and does not open', async () => {
  await open({ 'apiKeys.list': buildPage(apiKey({ status: 'revoked' })) })
  expect(await screen.findByText('Website')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Actions for Website' })).toBeNull()
  await press(screen.getByText('Website'))
  expect(screen.queryByRole('textbox', { name: /^Label/ })).toBeNull()
})

test('the list of keys shows for whom a key acts and what it may no longer do', async () => {
  await open({ 'apiKeys.list': buildPage(apiKey({ role: 'operator', lostScopes: ['payouts:write'] })) })
  const table = await seen('table', 'API keys')
  expect(await within(table).findByText('Marco Bianchi')).toBeDefined()
  expect(within(table).getByText('Operator')).toBeDefined()
  expect(within(table).getByText('No longer: Payouts: change')).toBeDefined()
  await menu('Website', 'Edit')
  expect(
    (await screen.findByText('This key may do less than when it was made')).closest('[role]')?.textContent,
  ).toContain('mark withdrawals as paid (payouts:write)')
})

test('the list of keys begins with those in use', async () => {
  const { server } = await open({ 'apiKeys.list': buildPage() })
  expect(await screen.findByText('No API keys yet')).toBeDefined()
  expect(server.of('apiKeys.list')[0]?.query).toMatchObject({ revoked: 'false' })
})
