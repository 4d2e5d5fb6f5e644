import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createCtx } from '../../../platform/access/ctx.ts'
import { DAY } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { whileStale } from '../../../testing/stale.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const current = (as = firm.as.viewer) => app.call('GET', '/v1/tenants/current', { as })
const patch = (body: object, headers: Record<string, string> = {}, as = firm.as.admin) =>
  app.call('PATCH', '/v1/tenants/current', { as, body, headers })

describe('/v1/tenants/current', () => {
  test('the current firm’s branding and flags are merged, the changes audited, and the answer has the ETag', async () => {
    const before = await current()
    expect(before.body).toMatchObject({ slug: 'alpha', status: 'active', branding: {}, featureFlags: {} })
    firm.effects()
    const body = { name: 'Alpha Markets', branding: { color: '#112233' }, featureFlags: { beta: true } }
    const answer = await patch(body, { 'if-match': before.headers.get('etag') ?? '' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ ...body, version: before.body.version + 1 })
    expect(firm.effects()).toEqual({ events: [], actions: ['tenant.update'] })
    const merged = await patch({ branding: {}, featureFlags: { other: false } })
    expect(merged.body).toMatchObject({ branding: { color: '#112233' }, featureFlags: { beta: true, other: false } })
    const removed = await patch({ featureFlags: { other: null } })
    expect(removed.body.featureFlags).toEqual({ beta: true })
    await patch({ featureFlags: { other: false } })
    expect((await patch({ branding: { color: null } })).body.branding).toEqual({})
    firm.effects()
    await patch({ name: 'Alpha Markets' })
    expect(firm.effects().actions).toEqual([])
    expect((await current(other.as.viewer)).body.name).toBe('beta')
  })

  test('changing the current firm is a 412 after another change, a 401 without a sign-in, and a 403 below admin', async () => {
    expect((await patch({ name: 'X' }, { 'if-match': '"999"' })).status).toBe(412)
    expect((await patch({ name: 'X' }, {}, firm.as.manager)).status).toBe(403)
    expect((await app.call('GET', '/v1/tenants/current')).status).toBe(401)
    expect((await app.call('PATCH', '/v1/tenants/current', { body: { name: 'X' } })).status).toBe(401)
    expect((await patch({ name: 'X' }, {}, await firm.key(['tenants:read']))).status).toBe(403)
  })

  test.each([
    [{ name: '' }, 'name'],
    [{ slug: 'x' }, 'slug'],
    [{ branding: { color: 'red' } }, 'branding.color'],
    [{ branding: { logoUrl: '/v1/files/fil_somebody' } }, 'branding.logoUrl'],
    [{ branding: { logoUrl: 'https://evil.test/x.png' } }, 'branding.logoUrl'],
    [{ branding: { font: 'x'.repeat(17_000) } }, 'branding'],
    [{ featureFlags: { text: 'x'.repeat(17_000) } }, 'featureFlags'],
    [{ featureFlags: 'all' }, 'featureFlags'],
    [{ timeZone: 'Moon/Base' }, 'timeZone'],
    [{ currency: 'XXQ' }, 'currency'],
    [{ platforms: [''] }, 'platforms.0'],
    [{ platformAcknowledges: 'yes' }, 'platformAcknowledges'],
  ])('a wrong field of the firm is named by a 422: %j', async (wrong, path) => {
    firm.effects()
    const answer = await patch(wrong)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(firm.effects().actions).toEqual([])
  })
})

test('branding and flags may be any object of up to 16 KiB', async () => {
  const body = {
    branding: { font: { family: 'Inter' } },
    featureFlags: { limits: { perDay: 3 }, mode: 'new', list: [1] },
  }
  const answer = await patch(body)
  expect([answer.status, answer.body]).toMatchObject([200, body])
  await patch({ branding: { font: null }, featureFlags: { limits: null, mode: null, list: null } })
  firm.effects()
})

describe('settings of the firm', () => {
  test('settings of the firm have defaults, are merged by member, and are audited as one change', async () => {
    const defaults = {
      timeZone: 'UTC',
      currency: 'EUR',
      conversion: { spread: 0.005, maxAgeHours: 24, dailyLimit: '10000' },
      platforms: ['terminal5', 'terminal4', 'other'],
      platformAcknowledges: false,
      security: { secondFactorRoles: [] },
    }
    const before = await current()
    expect(before.body).toMatchObject(defaults)
    expect((await current(other.as.viewer)).body).toMatchObject(defaults)
    firm.effects()
    const body = { timeZone: 'Asia/Tokyo', platforms: ['bridge', 'bridge2'], conversion: { spread: 0.01 } }
    const answer = await patch(body, {}, firm.as.owner)
    expect(answer.body).toMatchObject({
      timeZone: 'Asia/Tokyo',
      platforms: ['terminal5', 'bridge', 'bridge2'],
      conversion: { ...defaults.conversion, spread: 0.01 },
      version: before.body.version + 1,
    })
    expect(firm.effects().actions).toEqual(['tenant.update'])
    // service levels that were never set follow the firm's time zone
    const sla = await app.call('GET', '/v1/support/sla-policies', { as: firm.as.viewer })
    expect(sla.body.timeZone).toBe('Asia/Tokyo')
    await patch({ timeZone: 'UTC', platforms: defaults.platforms, conversion: defaults.conversion }, {}, firm.as.owner)
    firm.effects()
  })

  test('only owners change the firm’s conversion or security settings', async () => {
    firm.effects()
    for (const body of [{ conversion: { spread: 0.1 } }, { security: { secondFactorRoles: ['admin'] } }]) {
      const refused = await patch(body)
      expect([refused.status, refused.body.errors[0].path]).toEqual([403, Object.keys(body)[0]])
    }
    expect(firm.effects().actions).toEqual([])
    expect((await patch({ security: { secondFactorRoles: ['admin'] } }, {}, firm.as.owner)).status).toBe(200)
    expect((await patch({ conversion: { dailyLimit: '0' } }, {}, firm.as.owner)).body.errors[0].path).toBe(
      'conversion.dailyLimit',
    )
    for (const spread of [-0.1, 0.3])
      expect((await patch({ conversion: { spread } }, {}, firm.as.owner)).body.errors[0].path).toBe('conversion.spread')
    await patch({ security: { secondFactorRoles: [] } }, {}, firm.as.owner)
    firm.effects()
  })

  test('an owner in a fresh session sets for how many years records of erased clients are kept', async () => {
    const set = (keepYears: unknown, as = firm.as.owner) => patch({ keepYears }, {}, as)
    const defaults = [(await current()).body.keepYears, (await current(other.as.viewer)).body.keepYears]
    expect(defaults).toEqual([5, 5])
    firm.effects()
    const refused = await set(1, firm.as.admin)
    expect([refused.status, refused.body.errors[0].path]).toEqual([403, 'keepYears'])
    const stale = await whileStale(app, firm, firm.as.owner, () => set(10))
    expect([stale.status, stale.body.code]).toEqual([403, 'reauthentication_required'])
    for (const years of [0, 11, 2.5, '5', null]) {
      const wrong = await set(years)
      expect([years, wrong.status, wrong.body.errors?.[0].path]).toEqual([years, 422, 'keepYears'])
    }
    expect((await set(10)).body.keepYears).toBe(10)
    expect((await current(other.as.viewer)).body.keepYears).toBe(5)
  })

  test('only an owner changes whether platforms acknowledge transfers, in both directions', async () => {
    for (const platformAcknowledges of [true, false]) {
      const refused = await patch({ platformAcknowledges })
      expect([refused.status, refused.body.errors[0].path]).toEqual([403, 'platformAcknowledges'])
      expect((await patch({ platformAcknowledges }, {}, firm.as.owner)).body).toMatchObject({ platformAcknowledges })
      // sending all settings unchanged changes nothing
      expect((await patch({ platformAcknowledges })).status).toBe(200)
    }
    firm.effects()
  })

  test('the approval policy starts at 10,000 of the firm’s currency', async () => {
    const { body } = await app.call('GET', '/v1/approval-policies', { as: other.as.manager })
    expect(body).toMatchObject({ currency: 'EUR', threshold: '10000.00', version: 0 })
    await app.call('PATCH', '/v1/tenants/current', { as: other.as.owner, body: { currency: 'JPY' } })
    const after = await app.call('GET', '/v1/approval-policies', { as: other.as.manager })
    expect(after.body).toMatchObject({ currency: 'JPY', threshold: '10000', version: 0 })
    await app.call('PATCH', '/v1/tenants/current', { as: other.as.owner, body: { currency: 'EUR' } })
    // an admin cannot move the threshold by changing the firm's currency
    await app.call('PATCH', '/v1/tenants/current', { as: other.as.admin, body: { currency: 'BTC' } })
    const kept = await app.call('GET', '/v1/approval-policies', { as: other.as.manager })
    expect(kept.body).toMatchObject({ currency: 'EUR', threshold: '10000.00', version: 1 })
    other.effects()
  })
})

describe('/v1/tenants, for the platform administrator', () => {
  const owner = { email: 'boss@gamma.test', displayName: 'Boss', password: 'correct horse battery' }

  test('the platform administrator creates a firm whose owner signs in; the creation is in both audits', async () => {
    firm.effects()
    const body = { name: 'Gamma & Söhne', owner }
    const answer = await app.call('POST', '/v1/tenants', { as: firm.as.platform_admin, body })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ name: 'Gamma & Söhne', slug: 'gamma-sohne', status: 'active', version: 1 })
    expect(answer.text).not.toContain('assword')
    expect(firm.effects()).toEqual({ events: [], actions: ['tenant.found'] })
    const { email, password } = owner
    expect((await app.call('POST', '/v1/auth/login', { body: { email, password } })).status).toBe(200)
    const list = await app.call('GET', '/v1/tenants', { as: firm.as.platform_admin })
    expect(list.body.data.map((tenant: { slug: string }) => tenant.slug)).toEqual(['alpha', 'beta', 'gamma-sohne'])
    expect(list.body.nextCursor).toBeNull()
    const one = await app.call('GET', `/v1/tenants/${answer.body.id}`, { as: firm.as.platform_admin })
    expect(one.body).toEqual(answer.body)
    const again = await app.call('POST', '/v1/tenants', { as: firm.as.platform_admin, body })
    expect([again.status, again.body.errors[0].path]).toEqual([409, 'slug'])
  })

  test('the creation of a firm writes both audits or neither', async () => {
    const principal = { kind: 'system', id: 'test' } as const
    const ctx = createCtx(app.platform, { principal, tenantId: firm.tenantId, requestId: 'test', ip: null })
    const half = { tenantId: other.tenantId, action: 'tenant.create' } as const
    const founding = ctx.writeAcross('tenant.found', half, (tx, theirs) => {
      theirs.audit({ entity: 'tenant', after: { name: 'half' } })
      tx.audit({ entity: 'tenant' })
      throw new Error('out of disk')
    })
    await expect(founding).rejects.toThrow('out of disk')
    expect([firm.effects().actions, other.effects().actions]).toEqual([[], []])
    for (const { as } of [firm, other]) {
      await app.call('PATCH', '/v1/tenants/current', { as: as.admin, body: { branding: { color: '#010203' } } })
      expect((await app.call('GET', '/v1/audit/verify', { as: as.admin })).body.intact).toBe(true)
    }
  })

  test('the owner of a new firm without a password is invited by mail', async () => {
    const body = { name: 'Delta', owner: { email: 'boss@delta.test', displayName: 'Boss' } }
    const answer = await app.call('POST', '/v1/tenants', { as: firm.as.platform_admin, body })
    const user = app.platform.reader.get('SELECT status FROM users WHERE tenant_id = ?', [answer.body.id])
    expect(user).toEqual({ status: 'invited' })
    // nobody of the new firm could pass on the held mail, so its creator does
    const held = await app.call('GET', '/v1/mails?recipient=boss@delta.test', { as: firm.as.platform_admin })
    const letter = await app.call('GET', `/v1/mails/${held.body.data[0].id}`, { as: firm.as.platform_admin })
    const token = /token=(\S+)/.exec(letter.body.text)?.[1]
    expect((await app.call('GET', `/v1/mails/${held.body.data[0].id}`, { as: firm.as.admin })).status).toBe(403)
    // “forgot password” sends a new invite after the first one expired
    app.clock.advance(DAY)
    await app.call('POST', '/v1/auth/forgot', { body: { email: 'boss@delta.test' } })
    await app.platform.writer.submit(() => null)
    const accept = { body: { token, password: 'correct horse battery' } }
    expect((await app.call('POST', '/v1/users/accept-invite', accept)).status).toBe(410)
    const again = app.platform.reader.get('SELECT recipient FROM mails WHERE tenant_id = ?', [answer.body.id])
    expect(again).toEqual({ recipient: 'boss@delta.test' })
  })

  test('a firm is suspended at once with sessions and keys, in its own audit; its domain cannot be taken twice', async () => {
    const own = await app.firm('omega')
    const key = await own.key(['traders:read'])
    const path = `/v1/tenants/${own.tenantId}`
    const change = (body: object, headers = {}) =>
      app.call('PATCH', path, { as: firm.as.platform_admin, body, headers })
    expect((await change({ domain: 'office.omega.test' })).body.domain).toBe('office.omega.test')
    const taken = await app.call('PATCH', `/v1/tenants/${other.tenantId}`, {
      as: firm.as.platform_admin,
      body: { domain: 'office.omega.test' },
    })
    expect([taken.status, taken.body.errors[0].path]).toEqual([409, 'domain'])
    expect((await change({ status: 'suspended' }, { 'if-match': '"1"' })).status).toBe(412)
    own.effects()
    expect((await change({ status: 'suspended' })).body.status).toBe('suspended')
    const { actions } = own.effects()
    expect(actions[0]).toBe('tenant.update')
    expect(new Set(actions)).toEqual(new Set(['tenant.update', 'session.end']))
    const entry = app.platform.reader.get(
      `SELECT actor_id FROM audit WHERE tenant_id = ? AND action = 'tenant.update' ORDER BY seq DESC LIMIT 1`,
      [own.tenantId],
    )
    expect(entry).toEqual({ actor_id: firm.as.platform_admin.id })
    expect((await current(own.as.owner)).status).toBe(401)
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(401)
    await change({ status: 'active', domain: null })
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(200)
  })

  test('suspending one’s own firm is a 409; an unknown firm is a 404, any firm a 401 without a sign-in and a 403 for owners', async () => {
    const own = await app.call('PATCH', `/v1/tenants/${firm.tenantId}`, {
      as: firm.as.platform_admin,
      body: { status: 'suspended' },
    })
    expect([own.status, own.body.code]).toEqual([409, 'tenants.own'])
    const admin = { as: firm.as.platform_admin }
    expect((await app.call('GET', '/v1/tenants/tnt_none', admin)).status).toBe(404)
    expect((await app.call('PATCH', '/v1/tenants/tnt_none', { ...admin, body: { name: 'X' } })).status).toBe(404)
    for (const path of ['/v1/tenants', `/v1/tenants/${firm.tenantId}`]) {
      expect((await app.call('GET', path)).status).toBe(401)
      expect((await app.call('GET', path, { as: firm.as.owner })).status).toBe(403)
    }
    const body = { name: 'X', owner }
    expect((await app.call('POST', '/v1/tenants', { as: firm.as.owner, body })).status).toBe(403)
    expect((await app.call('POST', '/v1/tenants', { ...admin, body: { name: 'X' } })).status).toBe(422)
  })
})
