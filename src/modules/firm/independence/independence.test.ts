import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { createDesk } from '../../../testing/desk.ts'
import { renewedBy } from '../../../testing/sign-in.ts'
import { until } from '../../../testing/until.ts'
import { credentials, sessions } from '../auth/auth.table.ts'
import { users } from '../users/users.table.ts'
import { settleIndependence } from './independence.jobs.ts'

let app: TestApp
let firm: Firm

beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
})
afterEach(() => app.close())

const { client, ask, act } = createDesk(() => ({ app, firm }))
const PASSWORD = 'correct horse battery'
const call = (as: Caller, method: string, path: string, body?: object) =>
  app.call(method, path, body === undefined ? { as } : { as, body })

/** Makes a colleague whom another one invited with a password; unless `own` is false, they chose their own since. */
async function colleague(by: Caller, role: string, { own = true } = {}): Promise<Caller> {
  const email = `${role}${Math.random().toString(36).slice(2)}@alpha.test`
  const { body } = await call(by, 'POST', '/v1/users/invite', {
    email,
    displayName: `A ${role}`,
    roles: [role],
    password: PASSWORD,
  })
  const signedIn = await app.call('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const as = { id: body.id, headers: { cookie, origin: 'http://localhost', 'sec-fetch-site': 'same-origin' } }
  if (!own) return as
  const change = { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }
  return renewedBy(as, await call(as, 'POST', '/v1/auth/change-password', change))
}
const secondFactor = (userId: string) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.factor', (tx) => {
    const credential = tx.find(credentials, { userId })
    if (!credential) throw new Error('no credential')
    tx.update(credentials, credential.id, { totpEnabled: true, totpEnabledAt: tx.now })
    return null
  })
const independence = async (id: string) => (await call(firm.as.owner, 'GET', `/v1/users/${id}`)).body.independence
const vouch = (as: Caller, id: string) => call(as, 'POST', `/v1/users/${id}/vouch`, { note: 'I know them' })
/** Removes colleagues from the firm, so that nobody is left who could vouch. */
const removeOthers = (keep: readonly string[]) =>
  systemCtx(app.platform, firm.tenantId, 'test').write('test.remove', (tx) => {
    for (const { id } of tx.list(users, {})) if (!keep.includes(id)) tx.update(users, id, { status: 'disabled' })
    return null
  })

describe('the control of an account', () => {
  test('an admin and the colleagues whom they invite count as one person', async () => {
    const { admin, operator } = firm.as
    const puppet = await colleague(admin, 'manager')
    const second = await colleague(admin, 'admin')
    const traderId = await client()
    const { body } = await ask(traderId, '900', operator)
    for (const as of [puppet, second]) {
      const refused = await act(body.id, 'approve', as)
      expect([refused.status, refused.body.code]).toEqual([403, 'not_independent'])
      expect(await independence(as.id)).toMatchObject({ alone: false, belongsTo: [admin.id] })
    }
    const seen = await call(puppet, 'GET', `/v1/withdrawals/${body.id}`)
    expect(seen.body.review.viewer).toMatchObject({ mayApprove: false, why: expect.stringContaining('invited them') })
    // a request by this colleague counts as one by the admin
    const asked = await ask(traderId, '900', puppet)
    expect((await act(asked.body.id, 'approve', admin)).body.code).toBe('withdrawals.own_request')
    expect((await act(asked.body.id, 'approve', firm.as.owner)).body.status).toBe('approved')
    const adjustment = await call(admin, 'POST', '/v1/adjustments', {
      traderId,
      currency: 'EUR',
      direction: 'credit',
      amount: '50000',
      reason: 'x',
    })
    const approved = await call(second, 'POST', `/v1/adjustments/${adjustment.body.id}/approve`, {})
    expect(approved.body.code).toBe('adjustments.own_request')
  })

  test('a third person vouches for an account with a second factor; its maker and a key may not', async () => {
    const { admin, owner, manager } = firm.as
    const hired = await colleague(admin, 'manager')
    expect((await vouch(owner, hired.id)).body.code).toBe('users.no_second_factor')
    await secondFactor(hired.id)
    expect((await vouch(admin, hired.id)).body.code).toBe('not_independent')
    expect((await vouch(manager, hired.id)).status).toBe(403)
    expect((await vouch(await firm.key(['users:write']), hired.id)).body.code).toBe('users.not_by_key')
    const puppet = await colleague(admin, 'admin')
    expect((await vouch(puppet, hired.id)).body.code).toBe('not_independent')
    firm.effects()
    const done = await vouch(owner, hired.id)
    expect([done.status, done.body.independence.alone]).toEqual([200, true])
    expect(firm.effects()).toEqual({ events: [], actions: ['user.vouch'] })
    const notices = await call(owner, 'GET', '/v1/mails?recipient=owner@alpha.test')
    expect(notices.body.data[0].subject).toContain('vouched for')
    expect((await vouch(owner, hired.id)).body.code).toBe('users.alone_already')
    const { body } = await ask(await client(), '10', firm.as.operator)
    expect((await act(body.id, 'approve', hired)).body.status).toBe('approved')
    // every later act gives its actor control again
    await call(admin, 'PATCH', `/v1/users/${hired.id}/roles`, { roles: ['manager', 'admin'] })
    expect(await independence(hired.id)).toMatchObject({ alone: false, belongsTo: [admin.id] })
  })

  test('whoever reads an account’s held link or removes its second factor controls it', async () => {
    const { owner, admin, manager } = firm.as
    const { email } = (await call(owner, 'GET', `/v1/users/${manager.id}`)).body
    expect(await independence(manager.id)).toMatchObject({ alone: true, belongsTo: [] })
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.credential', (tx) => {
      tx.insert(credentials, { userId: manager.id, passwordHash: 'x', totpEnabled: true, totpEnabledAt: tx.now })
      return null
    })
    await app.call('POST', '/v1/auth/forgot', { body: { email } })
    const found = async () => (await call(admin, 'GET', `/v1/mails?recipient=${email}`)).body.data
    // the link is mailed after the answer
    await until('the link is there', async () => (await found()).length > 0)
    await call(admin, 'GET', `/v1/mails/${(await found())[0].id}`)
    expect(await independence(manager.id)).toMatchObject({ alone: false, belongsTo: [admin.id] })
    expect((await vouch(owner, manager.id)).status).toBe(200)
    await call(admin, 'POST', `/v1/users/${manager.id}/2fa/reset`)
    expect(await independence(manager.id)).toMatchObject({ alone: false, belongsTo: [admin.id] })
  })

  test('without a third person an account is its holder’s again 72 hours after the last act and the second factor', async () => {
    const { owner } = firm.as
    const hired = await colleague(owner, 'admin')
    await removeOthers([owner.id, hired.id])
    app.clock.advance(80 * HOUR)
    expect((await independence(hired.id)).alone).toBe(false)
    await secondFactor(hired.id)
    app.clock.advance(71 * HOUR)
    expect((await independence(hired.id)).alone).toBe(false)
    app.clock.advance(HOUR)
    expect((await independence(hired.id)).alone).toBe(true)
    const run = { platform: app.platform, signal: new AbortController().signal }
    expect(await settleIndependence.run(run)).toBe('1 account is its holder’s alone')
    expect(await settleIndependence.run(run)).toBeNull()
    const notices = await call(owner, 'GET', '/v1/mails?recipient=owner@alpha.test')
    expect(notices.body.data[0].subject).toContain('may decide about money now')
    // a third person who joins later does not change that
    await systemCtx(app.platform, firm.tenantId, 'test').write(
      'test.back',
      (tx) => tx.update(users, firm.as.platform_admin.id, { status: 'active' }).id,
    )
    expect((await independence(hired.id)).alone).toBe(true)
  })

  test('if the holder removed the third person, their account is theirs alone 72 hours after the removal', async () => {
    const { owner, admin } = firm.as
    const hired = await colleague(owner, 'manager')
    await secondFactor(hired.id)
    await removeOthers([owner.id, admin.id, hired.id])
    app.clock.advance(100 * HOUR)
    await call(owner, 'PATCH', `/v1/users/${admin.id}`, { status: 'disabled' })
    expect((await independence(hired.id)).alone).toBe(false)
    app.clock.advance(72 * HOUR)
    expect((await independence(hired.id)).alone).toBe(true)
  })

  test('a person with a given password makes no decision and no invitation', async () => {
    const { owner } = firm.as
    const hired = await colleague(owner, 'admin', { own: false })
    const { body } = await ask(await client(), '10', firm.as.operator)
    expect((await act(body.id, 'approve', hired)).body.code).toBe('password_change_required')
    const invited = { email: 'x@alpha.test', displayName: 'X', roles: ['viewer'] }
    expect((await call(hired, 'POST', '/v1/users/invite', invited)).body.code).toBe('password_change_required')
    const run = { from: '2026-01-01', to: '2026-01-02' }
    const asked = await call(hired, 'POST', '/v1/affiliates/commissions/runs', run)
    expect(asked.body.code).toBe('password_change_required')
    const affiliate = await call(hired, 'POST', '/v1/affiliates', { traderId: await client(), code: 'given' })
    expect(affiliate.body.code).toBe('password_change_required')
  })

  test('acts that outlast a session need a fresh sign-in', async () => {
    const { owner } = firm.as
    const hired = await colleague(owner, 'admin')
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.old', (tx) => {
      for (const { id } of tx.list(sessions, { userId: hired.id }))
        tx.update(sessions, id, {
          createdAt: tx.now - 16 * MINUTE,
          provenAt: null,
          expiresAt: tx.now + DAY,
        })
      return null
    })
    const gateway = { name: 'G', kind: 'generic', secret: 'sixteen characters' }
    for (const [path, body] of [
      ['/v1/api-keys', { label: 'x', scopes: ['users:read'] }],
      ['/v1/users/invite', { email: 'y@alpha.test', displayName: 'Y', roles: ['viewer'], password: PASSWORD }],
      ['/v1/psp/connections', gateway],
      [`/v1/users/${firm.as.viewer.id}/vouch`, { note: 'x' }],
    ] as const)
      expect((await call(hired, 'POST', path, body)).body.code).toBe('reauthentication_required')
    const roles = await call(hired, 'PATCH', `/v1/users/${firm.as.viewer.id}/roles`, { roles: ['operator'] })
    expect(roles.body.code).toBe('reauthentication_required')
  })
})
