import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { renewedBy } from '../../../testing/sign-in.ts'
import { until } from '../../../testing/until.ts'
import { openMail } from '../../base/mails/mails.service.ts'
import { mails } from '../../base/mails/mails.table.ts'

let app: TestApp
let firm: Firm
let other: Firm

beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

let count = 0
const invite = async (body: object = {}, as = firm.as.owner) => {
  count += 1
  const input = { email: `new${count}@alpha.test`, displayName: `New ${count}`, roles: ['operator'], ...body }
  return app.call('POST', '/v1/users/invite', { as, body: input })
}
const PASSWORD = 'correct horse battery'
const member = async (roles: string[] = ['operator']) => {
  const answer = await invite({ roles, password: PASSWORD })
  expect(answer.status).toBe(201)
  firm.effects()
  return answer.body
}
const signIn = (email: string, password = PASSWORD) => app.call('POST', '/v1/auth/login', { body: { email, password } })
const startSession = async (email: string) => {
  const cookie = (await signIn(email)).headers.get('set-cookie')?.split(';')[0] ?? ''
  firm.effects()
  return { id: '', headers: { cookie, 'sec-fetch-site': 'same-origin' } }
}
const lastToken = (email: string) => {
  const ctx = systemCtx(app.platform, firm.tenantId, 'test')
  const mail = ctx.db.list(mails, { recipient: email }, { orderBy: 'id', descending: true })[0]
  return mail ? (/token=(\S+)/.exec(openMail(ctx.secrets, mail))?.[1] ?? '') : ''
}

describe('POST /v1/users/invite', () => {
  test('a key may neither set a password nor grant its maker’s role, since it could then act as that person', async () => {
    const key = await firm.key(['users:read', 'users:write'], 'admin')
    expect((await invite({ password: 'correct horse battery' }, key)).status).toBe(403)
    expect((await invite({ roles: ['admin'] }, key)).body.code).toBe('users.not_by_key')
    const invited = await invite({}, key)
    expect(invited.status).toBe(201)
    const raise = { as: key, body: { roles: ['admin'] } }
    expect((await app.call('PATCH', `/v1/users/${invited.body.id}/roles`, raise)).body.code).toBe('users.not_by_key')
  })

  test('a key invites nobody who may decide what the key may not', async () => {
    const decisions = [
      ...(['deposit-decisions:write', 'withdrawal-decisions:write', 'adjustment-decisions:write'] as const),
      ...(['kyc-decisions:write', 'sanctions-decisions:write', 'affiliate-decisions:write'] as const),
      ...(['gifts:write', 'holds:write', 'merges:write', 'bridge:write'] as const),
    ]
    const owners = await firm.key(['users:write', ...decisions], 'owner')
    expect((await invite({ roles: ['admin'] }, owners)).body.code).toBe('users.not_by_key')
    const refused = await invite({ roles: ['manager'] }, owners)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('payouts:write')])
    const whole = await firm.key(['users:write', ...decisions, 'payouts:write'], 'owner')
    const made = await invite({ roles: ['manager'] }, whole)
    expect(made.status).toBe(201)
    const raise = { as: whole, body: { roles: ['admin'] } }
    expect((await app.call('PATCH', `/v1/users/${made.body.id}/roles`, raise)).body.code).toBe('users.not_by_key')
  })

  test('a colleague invited with a password is active at once and can sign in: 201', async () => {
    firm.effects()
    const answer = await invite({ email: 'Anna@Alpha.test', password: PASSWORD })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ email: 'anna@alpha.test', status: 'active', roles: ['operator'], version: 1 })
    expect(answer.text).not.toContain('assword')
    expect(firm.effects()).toEqual({ events: [], actions: ['user.invite', 'auth.change_password'] })
    expect(lastToken('anna@alpha.test')).toBe('')
    expect((await signIn('anna@alpha.test')).status).toBe(200)
  })

  test('a colleague invited without a password is not active before using the mailed link, which works once: 201', async () => {
    firm.effects()
    const { body } = await invite({ sendInviteLink: true })
    expect(body).toMatchObject({ status: 'invited', lastLoginAt: null })
    expect(firm.effects()).toEqual({ events: [], actions: ['user.invite'] })
    const token = lastToken(body.email)
    const input = { token, password: PASSWORD, displayName: 'Berta' }
    const taken = await app.call('POST', '/v1/users/accept-invite', { body: input })
    expect([taken.status, taken.body]).toEqual([200, { status: 'ok' }])
    expect(firm.effects().actions).toEqual(['auth.accept_invite', 'auth.change_password'])
    const after = await app.call('GET', `/v1/users/${body.id}`, { as: firm.as.viewer })
    expect(after.body).toMatchObject({ status: 'active', displayName: 'Berta' })
    expect((await signIn(body.email)).status).toBe(200)
    const again = await app.call('POST', '/v1/users/accept-invite', { body: input })
    expect([again.status, again.body.code]).toEqual([410, 'auth.link_invalid'])
  })

  test('a mailed link expires after 24 hours, and when a newer one is sent', async () => {
    const { body } = await invite()
    const first = lastToken(body.email)
    firm.effects()
    const sent = await app.call('POST', `/v1/users/${body.id}/resend-invite`, { as: firm.as.admin })
    expect([sent.status, sent.body]).toEqual([202, { status: 'accepted' }])
    expect(firm.effects()).toEqual({ events: [], actions: ['user.resend_invite'] })
    const take = (token: string) => app.call('POST', '/v1/users/accept-invite', { body: { token, password: PASSWORD } })
    expect((await take(first)).status).toBe(410)
    app.clock.advance(24 * 3600_000)
    expect((await take(lastToken(body.email))).status).toBe(410)
    await app.call('POST', `/v1/users/${body.id}/resend-invite`, { as: firm.as.admin })
    expect((await take(lastToken(body.email))).status).toBe(200)
    const late = await app.call('POST', `/v1/users/${body.id}/resend-invite`, { as: firm.as.admin })
    expect([late.status, late.body.code]).toEqual([409, 'users.not_invited'])
  })

  test('inviting an address that the firm has, in any case, is a 409; another firm may have it', async () => {
    const { email } = await member()
    firm.effects()
    const again = await invite({ email: email.toUpperCase() })
    expect([again.status, again.body.errors[0].path]).toEqual([409, 'email'])
    expect(firm.effects().actions).toEqual([])
    expect((await invite({ email }, other.as.owner)).status).toBe(201)
  })

  test('an invitation cannot grant a role above the caller’s', async () => {
    const refused = await invite({ roles: ['viewer', 'owner'] }, firm.as.admin)
    expect([refused.status, refused.body.code]).toEqual([403, 'users.above_you'])
    expect((await invite({ roles: ['platform_admin'] }, firm.as.owner)).status).toBe(403)
    expect((await invite({ roles: ['admin'] }, firm.as.admin)).status).toBe(201)
    const key = await firm.key(['users:write'], 'admin')
    expect((await invite({ roles: ['owner'] }, key)).status).toBe(403)
  })

  test.each([
    [{ email: 'nobody' }, 'email'],
    [{ roles: [] }, 'roles'],
    [{ roles: ['king'] }, 'roles.0'],
    [{ roles: ['viewer', 'viewer'] }, 'roles'],
    [{ password: 'short' }, 'password'],
    [{ displayName: ' ' }, 'displayName'],
    [{ sendInviteLink: false }, 'password'],
    [{ tenantId: 'x' }, 'tenantId'],
  ])('a wrong field of an invitation is named by a 422: %j', async (wrong, path) => {
    firm.effects()
    const answer = await invite(wrong)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('inviting is a 401 without a credential, a 403 below admin and for a key without the scope', async () => {
    expect((await app.call('POST', '/v1/users/invite', { body: {} })).status).toBe(401)
    expect((await invite({}, firm.as.manager)).status).toBe(403)
    expect((await invite({}, await firm.key(['users:read']))).status).toBe(403)
  })
})

describe('PATCH /v1/users/{id}', () => {
  test('disabling a user ends sessions and keys at once and voids links; after enabling the user signs in again', async () => {
    const user = await member(['admin'])
    const session = await startSession(user.email)
    const made = await app.call('POST', '/v1/auth/forgot', { body: { email: user.email } })
    expect(made.status).toBe(202)
    // the link is mailed after the answer
    await until('the link is there', () => lastToken(user.email) !== '')
    const token = lastToken(user.email)
    firm.effects()
    const body = { status: 'disabled' }
    const answer = await app.call('PATCH', `/v1/users/${user.id}`, { as: firm.as.owner, body })
    expect(answer.body).toMatchObject({ status: 'disabled', version: 2 })
    expect(firm.effects()).toEqual({ events: [], actions: ['user.update', 'session.end'] })
    expect((await app.call('GET', '/v1/auth/me', { as: session })).status).toBe(401)
    expect((await signIn(user.email)).status).toBe(401)
    expect((await app.call('POST', '/v1/auth/reset', { body: { token, password: PASSWORD } })).status).toBe(410)
    await app.call('PATCH', `/v1/users/${user.id}`, { as: firm.as.owner, body: { status: 'active' } })
    expect((await signIn(user.email)).status).toBe(200)
  })

  test('a key stops when its maker is disabled, and works again when its maker is enabled', async () => {
    const own = await app.firm('keyed')
    const key = await own.key(['traders:read'], 'manager')
    const disable = (status: string) =>
      app.call('PATCH', `/v1/users/${own.as.manager.id}`, { as: own.as.owner, body: { status } })
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(200)
    await disable('disabled')
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(401)
    await disable('active')
    expect((await app.call('GET', '/v1/traders', { as: key })).status).toBe(200)
  })

  test('nobody disables themselves or the last active owner, or activates an invited user: 409', async () => {
    const own = await app.firm('lonely')
    const patch = (id: string, as = own.as.owner, body: object = { status: 'disabled' }) =>
      app.call('PATCH', `/v1/users/${id}`, { as, body })
    expect((await patch(own.as.owner.id)).body.code).toBe('users.self')
    expect((await patch(own.as.owner.id, own.as.platform_admin)).body.code).toBe('users.last_owner')
    const founder = await app.call('GET', '/v1/users?status=invited', { as: own.as.owner })
    const activate = await patch(founder.body.data[0].id, own.as.owner, { status: 'active' })
    expect([activate.status, activate.body.code]).toEqual([409, 'wrong_state'])
  })

  test('changing a user above the caller is a 403, after another change a 412, of another firm a 404', async () => {
    const user = await member()
    const body = { displayName: 'Renamed' }
    const up = await app.call('PATCH', `/v1/users/${firm.as.owner.id}`, { as: firm.as.admin, body })
    expect([up.status, up.body.code]).toEqual([403, 'users.above_you'])
    const path = `/v1/users/${user.id}`
    expect((await app.call('PATCH', path, { as: firm.as.owner, body, headers: { 'if-match': '"9"' } })).status).toBe(
      412,
    )
    expect((await app.call('PATCH', path, { as: other.as.owner, body })).status).toBe(404)
    expect((await app.call('PATCH', path, { as: firm.as.manager, body })).status).toBe(403)
    firm.effects()
    const done = await app.call('PATCH', path, { as: firm.as.owner, body, headers: { 'if-match': '"1"' } })
    expect(done.body).toMatchObject({ displayName: 'Renamed', version: 2 })
    expect(firm.effects()).toEqual({ events: [], actions: ['user.update'] })
    await app.call('PATCH', path, { as: firm.as.owner, body })
    expect(firm.effects().actions).toEqual([])
    expect((await app.call('PATCH', path, { as: firm.as.owner, body: { email: 'x@y.test' } })).status).toBe(422)
  })
})

describe('PATCH /v1/users/{id}/roles', () => {
  test('a user’s new roles apply to the next request of an open session', async () => {
    const user = await member(['operator'])
    const session = await startSession(user.email)
    expect((await app.call('GET', '/v1/users', { as: session })).status).toBe(200)
    const denied = await app.call('PATCH', '/v1/tenants/current', { as: session, body: {} })
    expect(denied.status).toBe(403)
    const answer = await app.call('PATCH', `/v1/users/${user.id}/roles`, {
      as: firm.as.owner,
      body: { roles: ['viewer', 'admin'] },
    })
    expect(answer.body).toMatchObject({ roles: ['viewer', 'admin'], version: 2 })
    expect(firm.effects()).toEqual({ events: [], actions: ['user.set_roles'] })
    expect((await app.call('PATCH', '/v1/tenants/current', { as: session, body: {} })).status).toBe(200)
  })

  test('setting roles is a 403 if the former or the new role is above the caller’s; 409 for the last owner', async () => {
    const own = await app.firm('crown')
    const set = (id: string, roles: string[], as = own.as.admin) =>
      app.call('PATCH', `/v1/users/${id}/roles`, { as, body: { roles } })
    expect((await set(own.as.owner.id, ['viewer'])).body.code).toBe('users.above_you')
    expect((await set(own.as.viewer.id, ['owner'])).body.code).toBe('users.above_you')
    expect((await set(own.as.admin.id, ['owner'])).body.code).toBe('users.above_you')
    const last = await set(own.as.owner.id, ['admin'], own.as.owner)
    expect([last.status, last.body.code]).toEqual([409, 'users.last_owner'])
    expect((await set(own.as.admin.id, ['owner'], own.as.owner)).status).toBe(200)
    expect((await set(own.as.owner.id, ['admin'], own.as.owner)).status).toBe(200)
    expect((await set(own.as.viewer.id, ['viewer'], own.as.manager)).status).toBe(403)
    expect((await set(own.as.viewer.id, [], own.as.admin)).status).toBe(422)
    expect((await set(own.as.viewer.id, ['viewer'], other.as.owner)).status).toBe(404)
  })
})

describe('DELETE /v1/users/{id}', () => {
  test('a deleted user is out of the lists and signed out, their keys are revoked, their address is free: 204', async () => {
    const user = await member(['admin'])
    const first = await startSession(user.email)
    const body = { label: 'x', scopes: ['users:read'] }
    // a person with a given password cannot make keys before changing it
    expect((await app.call('POST', '/v1/api-keys', { as: first, body })).body.code).toBe('password_change_required')
    expect((await app.call('GET', '/v1/auth/me', { as: first })).body.mustChangePassword).toBe(true)
    const changed = { currentPassword: PASSWORD, newPassword: 'a password of their own' }
    const session = renewedBy(first, await app.call('POST', '/v1/auth/change-password', { as: first, body: changed }))
    expect((await app.call('POST', '/v1/api-keys', { as: session, body })).status).toBe(201)
    firm.effects()
    const answer = await app.call('DELETE', `/v1/users/${user.id}`, { as: firm.as.admin })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(firm.effects()).toEqual({ events: [], actions: ['user.delete', 'session.end', 'api_key.revoke'] })
    expect((await app.call('GET', `/v1/users/${user.id}`, { as: firm.as.owner })).status).toBe(404)
    expect((await app.call('GET', '/v1/auth/me', { as: session })).status).toBe(401)
    expect((await app.call('DELETE', `/v1/users/${user.id}`, { as: firm.as.admin })).status).toBe(404)
    expect((await invite({ email: user.email })).status).toBe(201)
  })

  test('deleting a user above the caller is a 403, of another firm a 404, oneself or the last owner a 409', async () => {
    const own = await app.firm('last')
    const remove = (id: string, as = own.as.owner) => app.call('DELETE', `/v1/users/${id}`, { as })
    expect((await remove(own.as.owner.id, own.as.admin)).status).toBe(403)
    expect((await remove(own.as.viewer.id, other.as.owner)).status).toBe(404)
    expect((await remove(own.as.owner.id)).body.code).toBe('users.self')
    expect((await remove(own.as.owner.id, own.as.platform_admin)).body.code).toBe('users.last_owner')
    expect((await remove(own.as.viewer.id, own.as.manager)).status).toBe(403)
    const stale = await app.call('DELETE', `/v1/users/${own.as.viewer.id}`, {
      as: own.as.owner,
      headers: { 'if-match': '"5"' },
    })
    expect(stale.status).toBe(412)
  })
})

describe('GET /v1/users', () => {
  test('the list of users filters by status, role and text, in which % and _ are plain characters', async () => {
    const own = await app.firm('lists')
    const get = async (query: string, as = own.as.viewer) =>
      (await app.call('GET', `/v1/users?${query}`, { as })).body.data.map((user: { email: string }) => user.email)
    expect(await get('role=manager')).toEqual(['manager@lists.test'])
    expect(await get('status=invited')).toEqual(['founder@lists.test'])
    expect(await get('q=MANAGER%40')).toEqual(['manager@lists.test'])
    expect(await get('q=platform_')).toEqual(['platform_admin@lists.test'])
    expect(await get('q=%25')).toEqual([])
    expect(await get('limit=200')).toHaveLength(7)
    expect(await get('limit=200', other.as.viewer)).not.toContain('viewer@lists.test')
    expect((await app.call('GET', '/v1/users?role=king', { as: own.as.viewer })).status).toBe(422)
  })

  test('reading users is a 401 without a sign-in and a 403 for clients; another firm’s user is a 404 like an unknown id', async () => {
    expect((await app.call('GET', '/v1/users')).status).toBe(401)
    const session = await firm.traderSession(await firm.trader())
    expect((await app.call('GET', '/v1/users', { as: session })).status).toBe(403)
    const foreign = await app.call('GET', `/v1/users/${other.as.viewer.id}`, { as: firm.as.owner })
    const absent = await app.call('GET', '/v1/users/usr_nobody', { as: firm.as.owner })
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...absent.body, requestId: '' })
  })
})
