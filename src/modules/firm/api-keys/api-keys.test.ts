import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SCOPES } from '../../../platform/access/catalogue.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const HOUR = 3600_000
const inHours = (hours: number) => new Date(app.clock.now() + hours * HOUR).toISOString()
const make = (body: object = {}, as = firm.as.admin) =>
  app.call('POST', '/v1/api-keys', { as, body: { label: 'robot', scopes: ['traders:read'], ...body } })
const made = async (body: object = {}, as = firm.as.admin) => {
  const answer = await make(body, as)
  expect(answer.status).toBe(201)
  firm.effects()
  return { ...answer.body, headers: { 'x-api-key': answer.body.key } }
}
const change = (id: string, body: object, as = firm.as.admin, headers = {}) =>
  app.call('PATCH', `/v1/api-keys/${id}`, { as, body, headers })

describe('POST /v1/api-keys', () => {
  test('a new key is shown only in the answer to its creation, works at once, and acts for its maker: 201', async () => {
    firm.effects()
    const answer = await make({ scopes: ['traders:read', 'auth:read'], allowedNetworks: ['127.0.0.0/8'] })
    expect(answer.status).toBe(201)
    const { key, ...shown } = answer.body
    expect(key).toMatch(/^crm_live_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/)
    expect(shown).toMatchObject({ label: 'robot', status: 'active', lastUsedAt: null, userId: firm.as.admin.id })
    expect(key.startsWith(`${shown.prefix}_`)).toBe(true)
    expect(firm.effects()).toEqual({ events: [], actions: ['api_key.create'] })
    const as = { id: '', headers: { 'x-api-key': key } }
    expect((await app.call('GET', '/v1/auth/me', { as })).body.id).toBe(firm.as.admin.id)
    expect((await app.call('GET', '/v1/traders', { as })).status).toBe(200)
    expect((await app.call('GET', '/v1/deposits', { as })).status).toBe(403)
    // the use is noted by a later write, for which the answer does not wait
    await app.platform.writer.submit(() => null)
    const list = await app.call('GET', '/v1/api-keys', { as: firm.as.admin })
    const row = list.body.data.find((item: { id: string }) => item.id === shown.id)
    expect(row.lastUsedAt).toBe(new Date(app.clock.now()).toISOString())
    const secret = key.slice(-43)
    expect(list.text).not.toContain(secret)
    expect(list.text).not.toContain('argon2')
    expect(list.text.toLowerCase()).not.toContain('secret')
    const trail = app.platform.reader.get<{ after: string }>(
      'SELECT d.after FROM audit_data d JOIN audit a USING (tenant_id, seq) WHERE a.entity_id = ?',
      [shown.id],
    )
    expect(trail?.after).toContain('robot')
    expect(trail?.after).not.toContain('argon2')
  })

  test('an Idempotency-Key makes one key, and a repetition shows the same one', async () => {
    const headers = { 'idempotency-key': 'robot-1' }
    const body = { label: 'once', scopes: ['users:read'] }
    const first = await app.call('POST', '/v1/api-keys', { as: firm.as.admin, body, headers })
    const again = await app.call('POST', '/v1/api-keys', { as: firm.as.admin, body, headers })
    expect([again.status, again.body]).toEqual([201, first.body])
  })

  test('a key passes on only the scopes, roles and limits that it has itself', async () => {
    const parent = await made({
      scopes: ['api-keys:write', 'traders:read'],
      expiresAt: inHours(2),
      allowedNetworks: ['127.0.0.0/8'],
    })
    const limits = { expiresAt: inHours(1), allowedNetworks: ['127.0.0.0/8'] }
    const child = await made(limits, parent)
    expect(child.userId).toBe(firm.as.admin.id)
    for (const [wrong, path] of [
      [{ ...limits, scopes: ['traders:read', 'deposits:write'] }, 'scopes'],
      [{ ...limits, expiresAt: null }, 'expiresAt'],
      [{ ...limits, expiresAt: inHours(3) }, 'expiresAt'],
      [{ ...limits, allowedNetworks: [] }, 'allowedNetworks'],
      [{ ...limits, allowedNetworks: ['0.0.0.0/0'] }, 'allowedNetworks'],
    ] as const) {
      const answer = await make(wrong, parent)
      expect([answer.status, answer.body.code]).toEqual([403, 'api_keys.beyond_you'])
      expect(answer.body.errors.map((error: { path: string }) => error.path)).toEqual([path])
    }
    expect((await change(parent.id, { expiresAt: null }, parent)).status).toBe(403)
    expect((await change(parent.id, { label: 'still me' }, parent)).status).toBe(200)
  })

  test('a key acts with its own role at most, and never above its maker’s present role', async () => {
    const users = { scopes: ['auth:read', 'api-keys:read', 'api-keys:write', 'traders:read', 'traders:write'] }
    const key = await made({ ...users, role: 'viewer' })
    expect(key.role).toBe('viewer')
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(200)
    const trader = { email: 'by-key@x.test' }
    expect((await app.call('POST', '/v1/traders', { as: key, body: trader })).body.code).toBe('forbidden')
    expect((await app.call('GET', '/v1/api-keys', { as: key })).status).toBe(403)
    expect((await app.call('GET', '/v1/auth/me', { as: key })).body).toMatchObject({
      role: 'viewer',
      roles: ['viewer'],
    })
    const list = await app.call('GET', '/v1/api-keys?limit=200', { as: firm.as.admin })
    expect(list.body.data.find((item: { id: string }) => item.id === key.id).role).toBe('viewer')

    // a key writes with its own role: the decision made before the write is repeated inside it
    const operator = await made({ scopes: ['traders:write'], role: 'operator' })
    const written = await app.call('POST', '/v1/traders', { as: operator, body: trader })
    expect(written.status).toBe(201)

    // if the maker's role falls below that of the key, the key acts with the maker's
    const own = await app.firm('keyring')
    const admins = await made({ scopes: ['auth:read'], role: 'manager' }, own.as.admin)
    const as = async () => (await app.call('GET', '/v1/auth/me', { as: admins })).body.role
    expect(await as()).toBe('manager')
    const path = `/v1/users/${own.as.admin.id}/roles`
    await app.call('PATCH', path, { as: own.as.owner, body: { roles: ['operator'] } })
    expect(await as()).toBe('operator')
    await app.call('PATCH', path, { as: own.as.owner, body: { roles: ['owner'] } })
    expect(await as()).toBe('manager')
  })

  test('making a key with a role above one’s own is a 403, also for a key', async () => {
    const above = await make({ role: 'owner' })
    expect([above.status, above.body.code, above.body.errors[0].path]).toEqual([403, 'api_keys.role_above_you', 'role'])
    const parent = await made({ scopes: ['api-keys:write', 'traders:read'], role: 'admin' }, firm.as.owner)
    for (const body of [{}, { role: 'owner' }]) {
      const answer = await make(body, parent)
      expect([answer.status, answer.body.errors[0].path]).toEqual([403, 'role'])
    }
    expect((await make({ role: 'manager' }, parent)).status).toBe(201)
    // this key acts as an admin, and keys of owners are above that rank
    expect((await change(parent.id, { label: 'me' }, parent)).body.code).toBe('api_keys.above_you')
    expect((await make({ role: 'nobody' })).status).toBe(422)
  })

  test.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['traders:erase'] }, 'scopes.0'],
    [{ scopes: ['traders:read', 'traders:read'] }, 'scopes'],
    [{ label: '' }, 'label'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    [{ expiresAt: 'soon' }, 'expiresAt'],
    [{ allowedNetworks: ['10.0.0.1'] }, 'allowedNetworks.0'],
    [{ allowedNetworks: ['10.0.0.0/8', '10.0.0.0/99'] }, 'allowedNetworks.1'],
    [{ userId: 'usr_x' }, 'userId'],
  ])('a wrong field of a key is named by a 422: %j', async (wrong, path) => {
    firm.effects()
    const answer = await make(wrong)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(firm.effects().actions).toEqual([])
  })

  test('making a key is a 401 without a credential and a 403 below admin', async () => {
    expect((await app.call('POST', '/v1/api-keys', { body: {} })).status).toBe(401)
    expect((await make({}, firm.as.manager)).status).toBe(403)
    expect((await make({}, await firm.key(['api-keys:read']))).status).toBe(403)
  })
})

describe('PATCH /v1/api-keys/{id}', () => {
  test('a key’s new end and networks apply to the next request', async () => {
    const key = await made()
    const works = async () => (await app.call('GET', '/v1/traders', { as: key })).status
    expect((await change(key.id, { allowedNetworks: ['203.0.113.0/24'] })).body).toMatchObject({
      allowedNetworks: ['203.0.113.0/24'],
      version: 2,
    })
    expect(firm.effects()).toEqual({ events: [], actions: ['api_key.update'] })
    expect(await works()).toBe(401)
    await change(key.id, { allowedNetworks: [], expiresAt: inHours(1) })
    expect(await works()).toBe(200)
    app.clock.advance(HOUR)
    expect(await works()).toBe(401)
    const list = await app.call('GET', '/v1/api-keys?limit=200', { as: firm.as.admin })
    expect(list.body.data.find((item: { id: string }) => item.id === key.id).status).toBe('expired')
    expect((await change(key.id, { expiresAt: null })).body.status).toBe('active')
    expect(await works()).toBe(200)
  })

  test('changing a key is refused for another firm, a lower role, an old version, scopes and a past expiry', async () => {
    const key = await made()
    expect((await change(key.id, { label: 'x' }, other.as.owner)).status).toBe(404)
    expect((await change(key.id, { label: 'x' }, firm.as.admin, { 'if-match': '"7"' })).status).toBe(412)
    expect((await change(key.id, { label: 'x' }, firm.as.manager)).status).toBe(403)
    const owners = await made({}, firm.as.owner)
    expect((await change(owners.id, { label: 'x' })).body.code).toBe('api_keys.above_you')
    expect((await change(key.id, { scopes: ['users:write'] })).status).toBe(422)
    expect((await change(key.id, { expiresAt: '2020-01-01T00:00:00Z' })).status).toBe(422)
  })
})

describe('DELETE /v1/api-keys/{id}', () => {
  test('a revoked key stops at once, is still listed as revoked, and cannot be changed back: 204', async () => {
    const key = await made()
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(200)
    const remove = () => app.call('DELETE', `/v1/api-keys/${key.id}`, { as: firm.as.admin })
    const answer = await remove()
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(firm.effects()).toEqual({ events: [], actions: ['api_key.revoke'] })
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(401)
    expect((await remove()).status).toBe(204)
    expect(firm.effects().actions).toEqual([])
    const back = await change(key.id, { expiresAt: null })
    expect([back.status, back.body.code]).toEqual([409, 'wrong_state'])
    const list = await app.call('GET', '/v1/api-keys?revoked=true', { as: firm.as.admin })
    expect(list.body.data.map((item: { id: string; status: string }) => [item.id, item.status])).toEqual([
      [key.id, 'revoked'],
    ])
    const live = await app.call('GET', '/v1/api-keys?revoked=false&limit=200', { as: firm.as.admin })
    expect(live.body.data.map((item: { id: string }) => item.id)).not.toContain(key.id)
  })

  test('revoking another person’s key mails all owners; revoking one’s own mails nobody', async () => {
    const mails = async (): Promise<{ id: string; subject: string; recipient: string }[]> =>
      (await app.call('GET', '/v1/mails?limit=200', { as: firm.as.owner })).body.data
    const before = (await mails()).length
    const remove = (id: string, as = firm.as.admin) => app.call('DELETE', `/v1/api-keys/${id}`, { as })
    const bridge = await made({ label: 'bridge' }, firm.as.owner)
    for (let twice = 0; twice < 2; twice += 1) expect((await remove(bridge.id)).status).toBe(204)
    expect((await remove((await made()).id)).status).toBe(204)
    const parent = await made({ scopes: ['api-keys:write', 'traders:read'] })
    expect((await remove((await made()).id, parent)).status).toBe(204)
    const sent = await mails()
    expect(sent.length - before).toBe(1)
    const mail = sent.find(({ subject }) => subject.includes('revoked an API key of'))
    const { body } = await app.call('GET', `/v1/mails/${mail?.id}`, { as: firm.as.owner })
    const people = await app.call('GET', '/v1/users?limit=200', { as: firm.as.owner })
    const getName = (id: string): string => people.body.data.find((user: { id: string }) => user.id === id).displayName
    for (const word of [getName(firm.as.admin.id), getName(firm.as.owner.id), '“bridge”'])
      expect(body.text).toContain(word)
    // deleting the maker's account revokes the maker's keys
    const theirs = await app.firm('gone')
    const key = await app.call('POST', '/v1/api-keys', {
      as: theirs.as.admin,
      body: { label: 'feed', scopes: ['traders:read'] },
    })
    expect(key.status).toBe(201)
    await app.call('DELETE', `/v1/users/${theirs.as.admin.id}`, { as: theirs.as.owner })
    const told = await app.call('GET', '/v1/mails', { as: theirs.as.owner })
    expect(told.body.data[0].subject).toContain('revoked an API key of')
  })

  test('revoking a key is a 404 for another firm, a 401 without a sign-in, and a 403 below admin', async () => {
    const key = await made()
    const remove = (as?: typeof firm.as.admin) => app.call('DELETE', `/v1/api-keys/${key.id}`, as ? { as } : {})
    expect((await remove(other.as.owner)).status).toBe(404)
    expect((await remove()).status).toBe(401)
    expect((await remove(firm.as.manager)).status).toBe(403)
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(200)
  })
})

test('keys have scopes of the catalogue, whose list is for admins of the firm', async () => {
  const { body } = await app.call('GET', '/v1/api-keys/scopes', { as: firm.as.viewer })
  expect(body.data.map(({ scope }: { scope: string }) => scope)).toEqual(Object.keys(SCOPES))
  expect(body.data.every(({ description }: { description: string }) => description !== '')).toBe(true)
  expect((await app.call('GET', '/v1/api-keys/scopes')).status).toBe(401)
  expect((await app.call('GET', '/v1/api-keys')).status).toBe(401)
  expect((await app.call('GET', '/v1/api-keys', { as: firm.as.manager })).status).toBe(403)
  expect((await app.call('GET', '/v1/api-keys', { as: other.as.admin })).body.data).toEqual([])
})
