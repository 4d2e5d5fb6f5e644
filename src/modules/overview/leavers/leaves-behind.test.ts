import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { lettersTo } from '../../../testing/sign-in.ts'
import { NEAR, startTradingServer } from '../../../testing/trading-server.ts'

const SECRET = 'known to whoever typed it'
const DAY = 24 * 3600_000
let app: TestApp
let firm: Firm
let firms = 0

beforeAll(() => {
  app = createTestApp({ config: NEAR })
})
// a disabled colleague is signed out, so each test has colleagues of its own
beforeEach(async () => {
  firms += 1
  firm = await app.firm(`left${firms}`)
})
afterAll(() => app.close())

const call = async (method: string, path: string, as: Caller, body?: object) => {
  const answer = await app.call(method, path, { as, ...(body ? { body } : {}) })
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`)
  return answer.body
}
const behind = (id: string, as = firm.as.owner) => app.call('GET', `/v1/users/${id}/leaves-behind`, { as })
const letters = () => lettersTo(app, `owner@${firm.slug}.test`, firm)
const credentials = (who: string) => ({
  accessToken: `token-of-${who}`,
  appSecret: `secret-of-${who}-12345`,
  verifyToken: `verify-of-${who}`,
})
const NOTHING = {
  gateways: [],
  adConnections: [],
  terminals: [],
  colleagues: [],
  receivers: [],
  apiKeys: [],
  secretsRead: [],
  imports: [],
  clients: { entered: 0, last30Days: 0 },
}

/** Lets an admin learn a secret of each kind. */
const busy = async () => {
  const { admin, owner } = firm.as
  const gateway = await call('POST', '/v1/psp/connections', admin, { name: 'CardPay', kind: 'generic', secret: SECRET })
  const ads = { platform: 'social', pageIds: [] }
  const spring = await call('POST', '/v1/ads/connections', owner, {
    ...ads,
    name: 'Spring',
    credentials: credentials('owner'),
  })
  await call('PATCH', `/v1/ads/connections/${spring.id}`, admin, { credentials: credentials('admin') })
  const autumn = await call('POST', '/v1/ads/connections', admin, {
    ...ads,
    name: 'Autumn',
    credentials: credentials('admin'),
  })
  await call('PATCH', `/v1/ads/connections/${autumn.id}`, owner, { credentials: credentials('owner') })
  await call('PATCH', `/v1/ads/connections/${autumn.id}`, admin, { name: 'Renamed' })
  const receiver = await call('POST', '/v1/webhooks/subscriptions', owner, {
    url: 'http://127.0.0.1:9/hook/first',
    events: ['trader.created'],
  })
  await call('PATCH', `/v1/webhooks/subscriptions/${receiver.id}`, admin, { url: 'http://127.0.0.1:9/hook/c2VjcmV0' })
  const key = await call('POST', '/v1/api-keys', admin, { label: 'robot', scopes: ['traders:write'] })
  return { gateway, spring, receiver, key }
}
const enter = (email: string, as: Caller) => call('POST', '/v1/traders', as, { email, firstName: 'Sock' })

describe('GET /v1/users/{id}/leaves-behind', () => {
  test('the list of what a colleague leaves behind has ids and labels, and no secret', async () => {
    const { admin } = firm.as
    const { gateway, spring, receiver, key } = await busy()
    await enter('one@x.test', admin)
    app.clock.advance(31 * DAY)
    // entries by a colleague's key count as the colleague's
    await enter('two@x.test', { id: '', headers: { 'x-api-key': key.key } })
    await enter('three@x.test', firm.as.owner)
    const { body, status, text } = await behind(admin.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      gateways: [{ id: gateway.id, label: 'CardPay', at: gateway.secretAt }],
      adConnections: [{ id: spring.id, label: 'Spring' }],
      receivers: [{ id: receiver.id, label: '127.0.0.1:9' }],
      apiKeys: [{ id: key.id, label: 'robot', revokedAt: null }],
      clients: { entered: 2, last30Days: 1 },
      secretsRead: [],
      imports: [],
    })
    for (const secret of [SECRET, 'c2VjcmV0', 'of-admin', key.key]) expect(text).not.toContain(secret)
    expect((await behind(firm.as.viewer.id)).body).toEqual(NOTHING)
  })

  test('what a colleague leaves behind includes views of the recovery key, and a client converted from a lead', async () => {
    const { platform_admin: boss } = firm.as
    await call('POST', '/v1/system/recovery-key/words', boss)
    const lead = await call('POST', '/v1/leads', boss, { email: 'lead@x.test', source: 'fair' })
    await call('POST', `/v1/leads/${lead.id}/convert`, boss)
    const { body } = await behind(boss.id)
    expect(body.secretsRead).toEqual([
      { what: 'recovery_words', label: null, at: new Date(app.clock.now()).toISOString() },
    ])
    expect(body.clients).toEqual({ entered: 1, last30Days: 1 })
  })

  test('whoever entered or confirmed the settings of a trading server leaves it behind, and nobody else', async () => {
    const { owner, admin, manager } = firm.as
    const { id, stop } = await startTradingServer(app, firm)
    await stop()
    for (const who of [owner, admin])
      expect((await behind(who.id)).body.terminals).toMatchObject([{ id, label: 'Simulated' }])
    expect((await behind(manager.id)).body.terminals).toEqual([])
    await call('DELETE', `/v1/users/${admin.id}`, owner)
    expect(letters().at(-1)).toContain('entered or confirmed: Simulated')
  })

  test('what a colleague leaves behind is answered before and after deletion; 404, 403 below admin and without scope', async () => {
    const { admin, owner } = firm.as
    await busy()
    await call('DELETE', `/v1/users/${admin.id}`, owner)
    const { body } = await behind(admin.id)
    expect(body.gateways).toHaveLength(1)
    expect(body.apiKeys[0].revokedAt).not.toBeNull()
    const other = await app.firm(`other${firms}`)
    expect((await behind(admin.id, other.as.owner)).status).toBe(404)
    expect((await behind('usr_none')).status).toBe(404)
    expect((await behind(admin.id, firm.as.manager)).status).toBe(403)
    expect((await behind(admin.id, await firm.key(['mails:read'], 'owner'))).status).toBe(403)
    expect((await app.call('GET', `/v1/users/${admin.id}/leaves-behind`)).status).toBe(401)
  })
})

describe('every owner is mailed what remains of a colleague', () => {
  test.each([
    ['deleted', (id: string) => call('DELETE', `/v1/users/${id}`, firm.as.owner)],
    ['disabled', (id: string) => call('PATCH', `/v1/users/${id}`, firm.as.owner, { status: 'disabled' })],
  ] as const)('every owner is mailed what a colleague leaves behind who is %s', async (how, leave) => {
    const { admin } = firm.as
    await busy()
    await enter('one@x.test', admin)
    await leave(admin.id)
    const letter = letters().find((text) => text.includes(`owner of ${firm.slug} ${how} admin of ${firm.slug}`)) ?? ''
    for (const line of [
      'entered: CardPay',
      'entered: Spring',
      'changed: 127.0.0.1:9',
      'made: robot',
      'One client whom they entered, 1 in the last 30 days',
    ])
      expect(letter).toContain(line)
    expect(letter).not.toContain('recovery words')
    expect(letter).not.toContain(SECRET)
  })

  test('owners are mailed even if a leaver leaves nothing behind, but not if a colleague is enabled or renamed', async () => {
    const { viewer, owner } = firm.as
    await call('PATCH', `/v1/users/${viewer.id}`, owner, { status: 'disabled' })
    expect(letters().at(-1)).toContain('Nothing is known.')
    const count = letters().length
    await call('PATCH', `/v1/users/${viewer.id}`, owner, { status: 'active' })
    expect(letters()).toHaveLength(count)
  })
})

test('colleagues invited by a leaver are named, and their open invitations become void', async () => {
  const { admin, owner } = firm.as
  const invited = { email: `friend@${firm.slug}.test`, displayName: 'A Friend', roles: ['operator'] }
  const friend = await call('POST', '/v1/users/invite', admin, invited)
  expect((await behind(admin.id)).body.colleagues).toMatchObject([{ id: friend.id, label: 'A Friend' }])
  const open = () => app.platform.reader.all('SELECT 1 FROM one_time_links WHERE user_id = ?', [friend.id]).length
  expect(open()).toBe(1)
  await call('DELETE', `/v1/users/${admin.id}`, owner)
  expect(open()).toBe(0)
  expect(letters().some((text) => text.includes('A Friend'))).toBe(true)
})

test('a password that a leaver gave and that was never changed no longer signs in', async () => {
  const { admin, owner } = firm.as
  const wanted = { displayName: 'Bob', roles: ['operator'], password: 'a password of the leaver' }
  const bob = await call('POST', '/v1/users/invite', admin, { email: `bob@${firm.slug}.test`, ...wanted })
  const signIn = () =>
    app.call('POST', '/v1/auth/login', { body: { email: `bob@${firm.slug}.test`, password: wanted.password } })
  expect((await signIn()).status).toBe(200)
  await call('DELETE', `/v1/users/${admin.id}`, owner)
  expect((await signIn()).status).toBe(401)
  expect(await call('GET', `/v1/users/${bob.id}`, owner)).toMatchObject({ status: 'invited' })
  expect((await app.call('POST', `/v1/users/${bob.id}/resend-invite`, { as: owner })).status).toBe(202)
})
