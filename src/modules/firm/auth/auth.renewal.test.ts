import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import { type Answer, type Caller, createTestApp, type Firm } from '../../../testing/app.ts'
import {
  BEHIND_PROXY,
  enrolled,
  generateCode,
  lettersTo,
  login,
  PASSWORD,
  person,
  pickCookie,
  renewedBy,
  toCaller,
} from '../../../testing/sign-in.ts'
import { users } from '../users/users.table.ts'

const app = createTestApp({ config: { ...BEHIND_PROXY, sessionHours: 24 * 40 } })
afterAll(() => app.close())
let firm: Firm
beforeAll(async () => {
  firm = await app.firm('renewal')
})

const post = (as: Caller, path: string, body: object = {}): Promise<Answer> =>
  app.call('POST', `/v1/auth/${path}`, { as, body })
const me = async (as: Caller): Promise<number> => (await app.call('GET', '/v1/auth/me', { as })).status

describe('the token of a session', () => {
  let mine: Caller
  let email: string
  beforeEach(async () => {
    email = (await person(app, firm)).email
    mine = toCaller(await login(app, email))
  })
  /** Expects that a copy of the former token is void, and that the browser continues with the cookie of the answer. */
  const expectRenewed = async (answer: Answer): Promise<Caller> => {
    expect(answer.status).toBe(200)
    expect(await me(mine)).toBe(401)
    const renewed = renewedBy(mine, answer)
    expect(await me(renewed)).toBe(200)
    return renewed
  }

  test('a session’s token is replaced when the password is given again, and the former one ends', async () => {
    app.clock.advance(16 * MINUTE)
    firm.effects()
    const renewed = await expectRenewed(await post(mine, 'reauthenticate', { password: PASSWORD }))
    expect(firm.effects().actions).toEqual(['session.end', 'auth.reauthenticate'])
    const { data } = (await app.call('GET', '/v1/auth/sessions', { as: renewed })).body
    expect(data).toHaveLength(1)
    // the session does not last longer because of it
    app.clock.advance(30 * DAY - 16 * MINUTE)
    expect(await me(renewed)).toBe(401)
  })
  test('a session’s token is replaced when the password is changed', async () => {
    const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD}!` }
    await expectRenewed(await post(mine, 'change-password', body))
    expect(lettersTo(app, email, firm).at(-1)).toContain('Your password was changed')
  })
  test('a session’s token is replaced when a second factor is switched on, and when it is switched off', async () => {
    const { secret } = (await post(mine, '2fa/setup')).body
    mine = await expectRenewed(await post(mine, '2fa/enable', { code: generateCode(app, secret), password: PASSWORD }))
    expect(lettersTo(app, email, firm).at(-1)).toContain('switched on')
    app.clock.advance(MINUTE)
    await expectRenewed(await post(mine, '2fa/disable', { code: generateCode(app, secret), password: PASSWORD }))
    expect(lettersTo(app, email, firm).at(-1)).toContain('switched off')
  })
  test('replacing a session’s token ends its streams and views', async () => {
    const { id } = await person(app, firm, { email: 'viewing@renewal.test' })
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.owner', (tx) =>
      tx.update(users, id, { roles: ['owner'] }),
    )
    mine = toCaller(await login(app, 'viewing@renewal.test'))
    const stream = (await app.handle('/v1/stream', mine)).body?.getReader()
    expect((await stream?.read())?.done).toBe(false)
    const body = { traderId: await firm.trader(), reason: 'They see no balance.' }
    const view = await app.call('POST', '/v1/admin/impersonate/start', { as: mine, body })
    const { cookie: _, ...others } = mine.headers
    const inView: Caller = { id: '', headers: { ...others, 'x-crm-view': view.body.token } }
    expect(await me(inView)).toBe(200)
    await expectRenewed(await post(mine, 'reauthenticate', { password: PASSWORD }))
    expect(await me(inView)).toBe(401)
    // events that were already sent can still be read before the stream ends
    let last = await stream?.read()
    while (last?.done === false) last = await stream?.read()
    expect(last?.done).toBe(true)
  })
  test('a session’s token stays the same after a wrong password', async () => {
    expect((await post(mine, 'reauthenticate', { password: 'wrong password' })).status).toBe(403)
    expect(await me(mine)).toBe(200)
  })
})

test('of two session cookies neither is accepted, but a public page still works', async () => {
  const { cookie = '' } = firm.as.owner.headers
  const two: Caller = { id: '', headers: { ...firm.as.owner.headers, cookie: `crm_session=planted; ${cookie}` } }
  const answer = await app.call('GET', '/v1/auth/me', { as: two })
  expect([answer.status, answer.body.code]).toEqual([401, 'two_sessions'])
  const { email } = await person(app, firm)
  const signedIn = await app.call('POST', '/v1/auth/login', { as: two, body: { email, password: PASSWORD } })
  expect(signedIn.status).toBe(200)
})

test('signing out clears what the browser stored', async () => {
  const { email } = await person(app, firm)
  const out = await post(toCaller(await login(app, email)), 'logout')
  expect(out.headers.get('clear-site-data')).toBe('"storage"')
  const everywhere = await post(toCaller(await login(app, email)), 'sessions/revoke-all')
  expect(everywhere.headers.get('clear-site-data')).toBe('"storage"')
})

test('the first sign-in of a device is mailed to the holder, and the second is not', async () => {
  const { email } = await person(app, firm)
  const first = await login(app, email)
  expect(lettersTo(app, email, firm)).toEqual([expect.stringContaining('a device that it did not know')])
  await login(app, email, {}, { device: pickCookie(first, 'crm_device') })
  expect(lettersTo(app, email, firm)).toHaveLength(1)
  await login(app, email)
  expect(lettersTo(app, email, firm)).toHaveLength(2)
})

test('a sign-in that still needs a code mails no notice to the holder', async () => {
  const { email } = await enrolled(app, firm)
  const before = lettersTo(app, email, firm).length
  expect((await login(app, email)).body.status).toBe('code_required')
  expect(lettersTo(app, email, firm)).toHaveLength(before)
})
