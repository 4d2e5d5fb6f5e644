import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { sessions } from '../../firm/auth/auth.table.ts'
import { users } from '../../firm/users/users.table.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterEach(() => app.close())

const behind = (run: Parameters<ReturnType<typeof systemCtx>['write']>[1]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.write', run)
const start = (traderId: string, as: Caller = firm.as.owner) =>
  app.call('POST', '/v1/admin/impersonate/start', { as, body: { traderId, reason: 'They see no balance.' } })
const startAs = (userId: string, as: Caller = firm.as.owner) =>
  app.call('POST', `/v1/users/${userId}/impersonate`, { as })
/** The owner's browser in the tab of the view, which also sends the owner's cookie. */
const inView = (token: string, as: Caller = firm.as.owner): Caller => ({
  id: as.id,
  headers: { ...as.headers, 'x-crm-view': token },
})
const me = async (as: Caller) => app.call('GET', '/v1/auth/me', { as })

describe('a view as a client', () => {
  test('a view shows what the client sees, leaves the viewer’s session alone, and is audited with both names', async () => {
    const traderId = await firm.trader({ firstName: 'Ada' })
    firm.effects()
    const { status, body } = await start(traderId)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      token: expect.any(String),
      traderId,
      userId: null,
      expiresAt: new Date(app.clock.now() + 15 * MINUTE).toISOString(),
    })
    expect(firm.effects()).toEqual({ events: [], actions: ['view.start'] })
    const seen = await me(inView(body.token))
    expect(seen.body).toMatchObject({ kind: 'trader', id: traderId, impersonatorId: firm.as.owner.id })
    expect((await me(firm.as.owner)).body).toMatchObject({ kind: 'user', impersonatorId: null })
    // a view as a client cannot use routes of staff
    expect((await app.call('GET', '/v1/users', { as: inView(body.token) })).status).toBe(403)
    const ended = await app.call('POST', `/v1/admin/impersonate/${body.id}/end`, { as: inView(body.token) })
    expect([ended.status, ended.body.active]).toEqual([200, false])
    const { data } = (await app.call('GET', '/v1/audit?action=view.end', { as: firm.as.owner })).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      actorKind: 'user',
      actorId: firm.as.owner.id,
      impersonatorId: firm.as.owner.id,
      traderId,
    })
    expect((await me(inView(body.token))).status).toBe(401)
    expect((await me(firm.as.owner)).status).toBe(200)
  })

  test('a view is in the client’s own list of sessions, without the viewer’s address', async () => {
    const traderId = await firm.trader()
    const client = await firm.traderSession(traderId)
    await start(traderId)
    const { data } = (await app.call('GET', '/v1/auth/sessions', { as: client })).body
    expect(data.map((row: { impersonatorId: string | null }) => row.impersonatorId)).toContain(firm.as.owner.id)
    expect(data.find((row: { impersonatorId: string | null }) => row.impersonatorId)).toMatchObject({
      ip: '',
      userAgent: '',
    })
  })

  test('streams of a view count for the viewer and not for the viewed colleague', async () => {
    const { body } = await app.call('POST', `/v1/users/${firm.as.admin.id}/impersonate`, { as: firm.as.owner })
    const streams = await Promise.all(Array.from({ length: 8 }, () => app.handle('/v1/stream', inView(body.token))))
    expect(streams.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const own = await app.handle('/v1/stream', firm.as.admin)
    expect([own.status, (await app.handle('/v1/stream', firm.as.owner)).status]).toEqual([200, 429])
    for (const { body: lines } of [...streams, own]) await lines?.cancel()
    await app.call('POST', `/v1/admin/impersonate/${body.id}/end`, { as: inView(body.token) })
  })

  test('a view ends after 15 minutes, even while it is used', async () => {
    const { body } = await start(await firm.trader())
    for (const minutes of [6, 6]) {
      app.clock.advance(minutes * MINUTE)
      expect((await me(inView(body.token))).status).toBe(200)
      // the use is noted by a later write, for which the answer does not wait
      await app.platform.writer.submit(() => null)
    }
    app.clock.advance(3 * MINUTE)
    expect((await me(inView(body.token))).status).toBe(401)
  })

  test('a view’s token does not work as a cookie, and beside a key it is refused', async () => {
    const { body } = await start(await firm.trader())
    expect((await me({ id: '', headers: { cookie: `crm_session=${body.token}` } })).status).toBe(401)
    const key = await firm.key(['auth:read'])
    expect((await me({ id: '', headers: { ...key.headers, 'x-crm-view': body.token } })).status).toBe(401)
    expect((await me({ id: '', headers: { ...firm.as.owner.headers, 'x-crm-view': 'nothing' } })).status).toBe(401)
    const session = firm.as.owner.headers.cookie?.split('=')[1] ?? ''
    expect((await me({ id: '', headers: { 'x-crm-view': session } })).status).toBe(401)
  })

  test('a view is refused for a client who may not sign in, to lower roles, and to keys', async () => {
    const traderId = await firm.trader()
    expect((await start(traderId, firm.as.admin)).status).toBe(403)
    expect((await start(traderId, await firm.key(['auth:write']))).body.code).toBe('views.not_by_key')
    const closed = await start(await firm.trader({ status: 'closed' }))
    expect([closed.status, closed.body.code]).toEqual([409, 'views.no_access'])
    const foreign = await start(await other.trader())
    expect([foreign.status, foreign.body.errors[0].path]).toEqual([422, 'traderId'])
    const mute = await app.call('POST', '/v1/admin/impersonate/start', { as: firm.as.owner, body: { traderId } })
    expect([mute.status, mute.body.errors[0].path]).toEqual([422, 'reason'])
  })

  test('a view does not use the client’s share of requests', async () => {
    const limited = createTestApp({ config: { rateLimits: { short: 40, medium: 400, long: 4000 } } })
    const there = await limited.firm('gamma')
    const { body } = await limited.call('POST', '/v1/admin/impersonate/start', {
      as: there.as.owner,
      body: { traderId: await there.trader(), reason: 'x' },
    })
    const { headers } = await limited.call('GET', '/v1/auth/me', { as: inView(body.token, there.as.owner) })
    expect(headers.get('x-ratelimit-tracker')).toBe(`tenant:${there.tenantId}`)
    await limited.close()
  })
})

describe('a view ends with', () => {
  test('a view ends with the session that it was started from', async () => {
    const { body } = await start(await firm.trader())
    await app.call('POST', '/v1/auth/logout', { as: firm.as.owner })
    expect((await me(inView(body.token))).status).toBe(401)
  })

  test('a view ends with the viewer’s role or account', async () => {
    const { body } = await start(await firm.trader())
    await behind((tx) => tx.update(users, firm.as.owner.id, { roles: ['owner', 'platform_admin'] }).id)
    expect((await me(inView(body.token))).status).toBe(401)
    await behind((tx) => tx.update(users, firm.as.owner.id, { roles: ['owner'] }).id)
    expect((await me(inView(body.token))).status).toBe(200)
    await behind((tx) => tx.update(users, firm.as.owner.id, { status: 'disabled' }).id)
    expect((await me(inView(body.token))).status).toBe(401)
  })

  test('a view ends when the client is closed, the viewer’s session expires, or the firm is suspended', async () => {
    const traderId = await firm.trader()
    const { body } = await start(traderId)
    await app.call('PATCH', `/v1/traders/${traderId}`, { as: firm.as.manager, body: { status: 'closed' } })
    expect((await me(inView(body.token))).status).toBe(401)
    const second = await start(await firm.trader())
    await behind((tx) => {
      for (const { id } of tx.list(sessions, { userId: firm.as.owner.id }))
        tx.update(sessions, id, { expiresAt: tx.now + MINUTE })
      return null
    })
    app.clock.advance(MINUTE)
    expect((await me(inView(second.body.token))).status).toBe(401)
    await app.platform.writer.submit(() =>
      app.platform.connection.run(`UPDATE tenants SET status = 'suspended' WHERE id = ?`, [firm.tenantId]),
    )
    expect((await me(inView(body.token))).status).toBe(401)
  })
})

describe('a view as a colleague', () => {
  test('a view as a colleague is open only to a higher role than the colleague’s', async () => {
    const { body, status } = await startAs(firm.as.manager.id)
    expect([status, body.userId, body.traderId]).toEqual([200, firm.as.manager.id, null])
    expect((await me(inView(body.token))).body).toMatchObject({ id: firm.as.manager.id, role: 'manager' })
    for (const id of [firm.as.owner.id, firm.as.platform_admin.id])
      expect((await startAs(id)).body.code).toBe('views.not_below_you')
    expect((await startAs(other.as.viewer.id)).status).toBe(404)
    expect((await startAs(firm.as.viewer.id, firm.as.admin)).status).toBe(403)
    await behind((tx) => tx.update(users, firm.as.viewer.id, { status: 'disabled' }).id)
    expect((await startAs(firm.as.viewer.id)).body.code).toBe('views.no_access')
  })

  test('a view as a colleague ends when the colleague’s role is no longer below', async () => {
    const { body } = await startAs(firm.as.admin.id)
    await behind((tx) => tx.update(users, firm.as.admin.id, { roles: ['owner'] }).id)
    expect((await me(inView(body.token))).status).toBe(401)
  })
})

describe('the list of views', () => {
  test('the list of views is for owners, with reasons and what is active', async () => {
    expect((await app.call('GET', '/v1/admin/impersonate', { as: firm.as.owner })).body.data).toEqual([])
    const traderId = await firm.trader()
    const { body } = await start(traderId)
    const list = async (query = '') =>
      (await app.call('GET', `/v1/admin/impersonate${query}`, { as: firm.as.owner })).body.data
    expect(await list()).toMatchObject([{ id: body.id, traderId, reason: 'They see no balance.', active: true }])
    await app.call('POST', `/v1/admin/impersonate/${body.id}/end`, { as: firm.as.platform_admin })
    expect(await list(`?traderId=${traderId}`)).toMatchObject([{ active: false, endedAt: expect.any(String) }])
    expect(await list(`?traderId=${firm.as.owner.id}`)).toEqual([])
    expect((await app.call('GET', '/v1/admin/impersonate', { as: firm.as.admin })).status).toBe(403)
    const again = await app.call('POST', `/v1/admin/impersonate/${body.id}/end`, { as: firm.as.owner })
    expect(again.status).toBe(200)
    const foreign = await app.call('POST', `/v1/admin/impersonate/${body.id}/end`, { as: other.as.owner })
    expect(foreign.status).toBe(404)
  })

  test('a view may end itself and no other one', async () => {
    const [one, two] = [await start(await firm.trader()), await start(await firm.trader())]
    const ended = await app.call('POST', `/v1/admin/impersonate/${two.body.id}/end`, { as: inView(one.body.token) })
    expect(ended.status).toBe(404)
    expect((await me(inView(two.body.token))).status).toBe(200)
  })
})
