import { afterEach, beforeEach, expect, test } from 'bun:test'
import { verifyChain } from '../../../platform/audit/verify.ts'
import { createTestApp, SETUP_TOKEN, type TestApp } from '../../../testing/app.ts'

const PASSWORD = 'correct horse battery'
let app: TestApp
beforeEach(() => {
  app = createTestApp()
})
afterEach(() => app.close())

const input = {
  token: SETUP_TOKEN,
  tenantName: 'Öst & West Brokers',
  email: 'Boss@Firm.test',
  displayName: 'Boss',
  password: PASSWORD,
}
const setUp = (body: object = {}) => app.call('POST', '/v1/setup', { body: { ...input, ...body } })
const isOpen = async () => (await app.call('GET', '/v1/setup')).body

test('setup creates the first firm and its owner, who administers the box, and closes for ever', async () => {
  expect(await isOpen()).toEqual({ open: true })
  const answer = await setUp()
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    name: 'Öst & West Brokers',
    slug: 'ost-west-brokers',
    status: 'active',
    version: 1,
  })
  expect(answer.text).not.toContain(PASSWORD)
  expect(await isOpen()).toEqual({ open: false })
  const again = await setUp({ email: 'other@firm.test' })
  expect([again.status, again.body.code]).toEqual([409, 'setup.closed'])
  const signedIn = await app.call('POST', '/v1/auth/login', { body: { email: 'boss@firm.test', password: PASSWORD } })
  expect(signedIn.body).toEqual({ status: 'ok' })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const me = await app.call('GET', '/v1/auth/me', { headers: { cookie } })
  expect(me.body).toMatchObject({ role: 'platform_admin', roles: ['owner', 'platform_admin'], email: 'boss@firm.test' })
  const { reader, secrets } = app.platform
  const actions = reader.all<{ action: string }>('SELECT action FROM audit ORDER BY seq').map(({ action }) => action)
  expect(actions.slice(0, 3)).toEqual(['tenant.create', 'tenant.create', 'tenant.create'])
  expect((await verifyChain(reader, secrets, answer.body.id)).intact).toBe(true)
})

test('setup needs the printed token, and creates nothing without it', async () => {
  for (const token of ['x', `${SETUP_TOKEN} `, SETUP_TOKEN.toUpperCase()]) {
    const answer = await setUp({ token })
    expect([answer.status, answer.body.code, answer.body.errors[0].path]).toEqual([403, 'setup.wrong_token', 'token'])
    expect(answer.text).not.toContain(SETUP_TOKEN)
  }
  expect(await isOpen()).toEqual({ open: true })
  expect(app.platform.reader.all('SELECT 1 FROM users')).toEqual([])
})

test.each([
  [{ password: 'short' }, 'password'],
  [{ email: 'nobody' }, 'email'],
  [{ tenantName: ' ' }, 'tenantName'],
  [{ displayName: 'two\nlines' }, 'displayName'],
  [{ slug: 'mine' }, 'slug'],
])('a wrong field of setup is a 422 that names it: %j', async (wrong, path) => {
  const answer = await setUp(wrong)
  expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
  expect(await isOpen()).toEqual({ open: true })
})

test('of ten setups at the same time, exactly one creates the firm', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => setUp({ email: `boss${index}@firm.test` })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  expect(app.platform.reader.all('SELECT 1 FROM tenants')).toHaveLength(1)
  expect(app.platform.reader.all('SELECT 1 FROM users')).toHaveLength(1)
})

test('a failed setup can be repeated', async () => {
  expect((await setUp({ password: 'x' })).status).toBe(422)
  expect((await setUp({ token: 'wrong' })).status).toBe(403)
  expect((await setUp()).status).toBe(201)
})

test('setup takes the time zone and currency of the firm, and refuses invalid ones', async () => {
  for (const [wrong, path] of [
    [{ timeZone: 'Moon/Base' }, 'timeZone'],
    [{ currency: 'XXQ' }, 'currency'],
  ] as const) {
    const answer = await setUp(wrong)
    expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
  }
  const answer = await setUp({ timeZone: 'Europe/Nicosia', currency: 'EUR' })
  expect(answer.body).toMatchObject({ timeZone: 'Europe/Nicosia', currency: 'EUR' })
})
