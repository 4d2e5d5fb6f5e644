import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { lettersTo, renewedBy } from '../../../testing/sign-in.ts'
import { openMail } from '../../base/mails/mails.service.ts'
import { mails } from '../../base/mails/mails.table.ts'
import { users } from '../users/users.table.ts'
import { expireSessions } from './auth.jobs.ts'
import { hashPassword } from './auth.passwords.ts'
import { endSessions, setPassword } from './auth.service.ts'

const PASSWORD = 'correct horse battery'
let app: TestApp
let firm: Firm
let other: Firm
let hash: string

beforeAll(async () => {
  app = createTestApp({ config: { sessionHours: 12 } })
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  hash = await hashPassword(PASSWORD)
})
afterAll(() => app.close())

let count = 0
/** Makes an active user with the password, so that no test is slowed down by another's failures. */
const person = async (of: Firm = firm, email = `p${++count}@auth.test`): Promise<{ id: string; email: string }> => {
  const { id } = await systemCtx(app.platform, of.tenantId, 'test').write('test.user', (tx) => {
    const user = tx.insert(users, { email, displayName: 'Person', roles: ['viewer'], status: 'active' })
    setPassword(tx, { userId: user.id }, hash)
    return user
  })
  of.effects()
  return { id, email }
}
const login = (email: string, body: object = {}) =>
  app.call('POST', '/v1/auth/login', { body: { email, password: PASSWORD, ...body } })
const toCaller = (cookie: string | null): Caller => ({
  id: '',
  headers: { cookie: cookie?.split(';')[0] ?? '', origin: 'http://localhost' },
})
const signIn = async (email: string, body: object = {}): Promise<Caller> =>
  toCaller((await login(email, body)).headers.get('set-cookie'))
const me = async (as: Caller) => (await app.call('GET', '/v1/auth/me', { as })).status
const lastMail = (to: string, of: Firm = firm) => {
  const rows = systemCtx(app.platform, of.tenantId, 'test').db.list(
    mails,
    { recipient: to },
    { orderBy: 'id', descending: true },
  )
  const [row] = rows
  if (!row) throw new Error(`no mail to ${to}`)
  return openMail(app.platform.secrets.forFirm(row.tenantId), row)
}
const tokenIn = (text: string): string => /token=([\w-]+)/.exec(text)?.[1] ?? ''

describe('sign-in', () => {
  test('sign-in sets exactly the documented cookie; a wrong password and an unknown address get the same answer', async () => {
    const { email } = await person()
    const right = await login(email.toUpperCase())
    expect(right.body).toEqual({ status: 'ok' })
    const [session, device, ...rest] = right.headers.getSetCookie()
    expect(rest).toEqual([])
    expect(session).toMatch(/^crm_session=[\w-]{43}; HttpOnly; Secure; Path=\/; SameSite=Lax; Max-Age=2592000$/)
    expect(device).toMatch(/^crm_device=[\w.~-]+; HttpOnly; Secure; Path=\/; SameSite=Lax; Max-Age=7776000$/)
    for (const personal of [email, 'auth.test', firm.tenantId]) expect(device).not.toContain(personal)
    expect(firm.effects().actions).toEqual(['auth.login'])
    const wrong = await login(email, { password: 'wrong' })
    const unknown = await login('nobody@auth.test', { password: 'wrong' })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
    expect(wrong.headers.get('set-cookie')).toBeNull()
    // the answer does not wait for this write, so that timing does not reveal which addresses exist
    await app.platform.writer.submit(() => null)
    expect(firm.effects().actions).toEqual(['auth.login_failed'])
  })

  test('after five failures sign-in must wait, longer each time, but never for ever', async () => {
    const { email } = await person()
    for (let n = 0; n < 5; n++) expect((await login(email, { password: 'wrong' })).status).toBe(401)
    const slowed = await login(email)
    expect(slowed.status).toBe(429)
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0)
    app.clock.advance(5 * SECOND)
    expect((await login(email, { password: 'wrong' })).status).toBe(401)
    app.clock.advance(SECOND)
    expect((await login(email)).status).toBe(429)
    app.clock.advance(6 * MINUTE)
    expect((await login(email)).body.status).toBe('ok')
  })

  test('a holder of an address in two firms is asked to choose only after a right password', async () => {
    await person(firm, 'both@auth.test')
    await person(other, 'both@auth.test')
    expect((await login('both@auth.test', { password: 'wrong' })).status).toBe(401)
    const choice = await login('both@auth.test')
    expect(choice.body).toEqual({
      status: 'choose_tenant',
      tenants: expect.arrayContaining([
        { slug: 'alpha', name: 'alpha' },
        { slug: 'beta', name: 'beta' },
      ]),
    })
    expect(choice.headers.get('set-cookie')).toBeNull()
    const chosen = await signIn('both@auth.test', { tenant: 'beta' })
    expect((await app.call('GET', '/v1/auth/me', { as: chosen })).body.tenant.slug).toBe('beta')
  })

  test('sign-in refuses people of a suspended firm, a disabled user and a stolen cookie', async () => {
    const lost = await app.firm('gamma')
    const { email } = await person(lost)
    const session = await signIn(email)
    expect(await me(session)).toBe(200)
    await app.call('PATCH', `/v1/tenants/${lost.tenantId}`, {
      as: firm.as.platform_admin,
      body: { status: 'suspended' },
    })
    expect(await me(session)).toBe(401)
    expect((await login(email)).status).toBe(401)
    const user = await person()
    const own = await signIn(user.email)
    const forged = await app.call('POST', '/v1/auth/logout', {
      as: { id: '', headers: { ...own.headers, origin: 'https://evil.test' } },
    })
    expect(forged.status).toBe(403)
    expect(await me(own)).toBe(200)
    await app.call('PATCH', `/v1/users/${user.id}`, { as: firm.as.admin, body: { status: 'disabled' } })
    expect(await me(own)).toBe(401)
  })
})

describe('sessions', () => {
  test('sessions are listed and revoked, one by one or all at once; those of other people are not', async () => {
    const { email } = await person()
    const [first, second] = [await signIn(email), await signIn(email)]
    const list = await app.call('GET', '/v1/auth/sessions', { as: first })
    expect(list.body.data).toHaveLength(2)
    expect(list.text).not.toContain('token')
    const current = list.body.data.find((row: { current: boolean }) => row.current)
    const rest = list.body.data.find((row: { current: boolean }) => !row.current)
    const stranger = await signIn((await person()).email)
    expect((await app.call('DELETE', `/v1/auth/sessions/${rest.id}`, { as: stranger })).status).toBe(404)
    expect((await app.call('DELETE', `/v1/auth/sessions/${rest.id}`, { as: first })).status).toBe(204)
    expect([await me(first), await me(second)]).toEqual([200, 401])
    expect(current.id).not.toBe(rest.id)
    await app.call('POST', '/v1/auth/sessions/revoke-all', { as: first })
    expect(await me(first)).toBe(401)
  })

  test('sessions end after 12 hours without use, and are then removed', async () => {
    const { email } = await person()
    const session = await signIn(email)
    app.clock.advance(11 * HOUR)
    expect(await me(session)).toBe(200)
    await app.platform.writer.submit(() => null)
    app.clock.advance(11 * HOUR)
    expect(await me(session)).toBe(200)
    await app.platform.writer.submit(() => null)
    app.clock.advance(12 * HOUR + SECOND)
    expect(await me(session)).toBe(401)
    expect(await expireSessions.run({ platform: app.platform, signal: new AbortController().signal })).toContain(
      'sessions',
    )
  })

  test('logout ends one session', async () => {
    const session = await signIn((await person()).email)
    const answer = await app.call('POST', '/v1/auth/logout', { as: session })
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(await me(session)).toBe(401)
  })
})

describe('the second factor', () => {
  const generateCode = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp: app.clock.now() })

  test('the second factor is set up and asked for; each code works once, a recovery code too; password and code turn it off', async () => {
    const { email } = await person()
    let session = await signIn(email)
    const post = (path: string, body: object = {}) => app.call('POST', `/v1/auth/2fa/${path}`, { as: session, body })
    const { secret, uri } = (await post('setup')).body
    expect(uri).toStartWith('otpauth://totp/')
    expect((await post('enable', { code: '000000' })).status).toBe(403)
    const enabled = await post('enable', { code: generateCode(secret) })
    session = renewedBy(session, enabled)
    expect(enabled.body.recoveryCodes).toHaveLength(10)
    expect((await post('setup')).status).toBe(409)
    expect((await login(email)).body).toEqual({ status: 'code_required' })
    app.clock.advance(MINUTE)
    const code = generateCode(secret)
    expect((await login(email, { code: '000000' })).status).toBe(401)
    expect((await login(email, { code })).body.status).toBe('ok')
    expect((await login(email, { code })).status).toBe(401)
    const [recovery] = enabled.body.recoveryCodes
    expect((await login(email, { code: recovery.toLowerCase() })).body.status).toBe('ok')
    expect((await login(email, { code: recovery })).status).toBe(401)
    app.clock.advance(10 * MINUTE)
    expect((await post('disable', { password: 'wrong', code: generateCode(secret) })).status).toBe(403)
    expect((await post('disable', { password: PASSWORD, code: generateCode(secret) })).status).toBe(200)
    expect((await login(email)).body.status).toBe('ok')
  })
})

describe('a session that was left open', () => {
  const generateCode = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp: app.clock.now() })

  test('an open session cannot switch on the second factor without the password, and guessing it is slowed down', async () => {
    const own = await app.firm('lambda')
    const { id, email } = await person(own)
    const session = await signIn(email)
    app.clock.advance(HOUR)
    const post = (path: string, body: object = {}, as: Caller = session) =>
      app.call('POST', `/v1/auth/2fa/${path}`, { as, body })
    const { secret } = (await post('setup')).body
    const code = generateCode(secret)
    expect((await post('enable', { code })).body.code).toBe('auth.password_needed')
    for (let n = 0; n < 5; n++) expect((await post('enable', { code, password: 'wrong' })).status).toBe(403)
    expect((await post('enable', { code, password: PASSWORD })).status).toBe(429)
    app.clock.advance(10 * MINUTE)
    // a key never signed in, so it always needs the password of its maker
    const key = await own.key(['auth:write'])
    expect((await post('setup', {}, key)).body.code).toBe('auth.two_factor_off')
    expect((await post('enable', { code }, key)).body.code).toBe('auth.password_needed')
    expect((await post('enable', { code: generateCode(secret), password: PASSWORD })).status).toBe(200)
    expect((await login(email)).body.status).toBe('code_required')

    // if phone and codes are lost, a colleague of sufficient rank removes the factor and the holder is mailed; nobody
    // does so for their own account
    const reset = (as: Caller, who = id) => app.call('POST', `/v1/users/${who}/2fa/reset`, { as })
    expect((await reset(own.as.manager)).status).toBe(403)
    expect((await reset(other.as.owner)).status).toBe(404)
    expect((await reset(await own.key(['users:write']))).body.code).toBe('users.not_by_key')
    expect((await reset(own.as.admin, own.as.owner.id)).body.code).toBe('users.above_you')
    expect((await reset(own.as.owner, own.as.owner.id)).body.code).toBe('users.own_two_factor')
    own.effects()
    expect((await reset(own.as.admin)).status).toBe(200)
    expect(own.effects().actions).toEqual(['user.reset_two_factor'])
    expect(lastMail(email, own)).toContain('took two-step sign-in off')
    expect((await login(email)).body.status).toBe('ok')
    expect((await reset(own.as.admin)).body.code).toBe('auth.two_factor_off')
  })

  test('a session is not opened if the password changes while it is being opened', async () => {
    const { id, email } = await person()
    const changed = await hashPassword('a new long password')
    const opening = login(email)
    await systemCtx(app.platform, firm.tenantId, 'test').write('auth.change_password', (tx) => {
      setPassword(tx, { userId: id }, changed)
      endSessions(tx, { userId: id })
    })
    expect(await me(toCaller((await opening).headers.get('set-cookie')))).toBe(401)
  })

  test('a session is not opened for a user who was disabled meanwhile, even if enabled again', async () => {
    const own = await app.firm('kappa')
    const { id, email } = await person(own)
    const opening = login(email)
    const set = (status: string) => app.call('PATCH', `/v1/users/${id}`, { as: own.as.admin, body: { status } })
    await set('disabled')
    const session = toCaller((await opening).headers.get('set-cookie'))
    await set('active')
    expect(await me(session)).toBe(401)
  })
})

describe('a condition that held when a request came and no longer holds', () => {
  test('a caller who lost the right meanwhile writes nothing, however long the handler took', async () => {
    const own = await app.firm('omicron')
    const members = () => app.platform.reader.get('SELECT count(*) AS n FROM users WHERE tenant_id = ?', [own.tenantId])
    const before = members()
    // a slow hash runs between the request and its write
    const body = { email: 'mole@omicron.test', displayName: 'Mole', roles: ['admin'], password: PASSWORD }
    const inviting = app.call('POST', '/v1/users/invite', { as: own.as.admin, body })
    await app.call('DELETE', `/v1/users/${own.as.admin.id}`, { as: own.as.owner })
    expect((await inviting).status).toBe(401)
    const key = await own.key(['users:write'])
    const byKey = app.call('POST', '/v1/auth/change-password', {
      as: own.as.manager,
      body: { currentPassword: 'x', newPassword: PASSWORD },
    })
    await app.call('DELETE', `/v1/api-keys/${key.id}`, { as: own.as.owner })
    expect((await byKey).status).toBe(403)
    expect(members()).toEqual(before)
  })

  test('a reset is not mailed if the address changes while it is asked for', async () => {
    const traderId = await firm.trader({ email: 'moving@x.test' })
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.password', (tx) =>
      setPassword(tx, { traderId }, hash),
    )
    const asking = app.call('POST', '/v1/auth/forgot', { body: { email: 'moving@x.test' } })
    await systemCtx(app.platform, firm.tenantId, 'test').write('test.move', (tx) =>
      tx.execute('UPDATE traders SET email = ?2 WHERE tenant_id = ?1 AND id = ?3', ['moved@x.test', traderId]),
    )
    await asking
    await app.platform.writer.submit(() => null)
    const letters = app.platform.reader.all('SELECT 1 FROM mails WHERE recipient = ?', ['moving@x.test'])
    const links = app.platform.reader.all('SELECT 1 FROM one_time_links WHERE trader_id = ?', [traderId])
    expect([letters.length, links.length]).toEqual([0, 0])
  })

  test('changing a given password ends the sessions of everyone who knew it', async () => {
    const own = await app.firm('rho')
    const body = {
      email: 'new@rho.test',
      displayName: 'New',
      roles: ['viewer'],
      password: PASSWORD,
      sendInviteLink: true,
    }
    expect((await app.call('POST', '/v1/users/invite', { as: own.as.owner, body })).status).toBe(201)
    const stranger = await signIn('new@rho.test')
    const token = tokenIn(lettersTo(app, 'new@rho.test', own)[0] ?? '')
    const accept = { body: { token, password: 'my very own password' } }
    expect((await app.call('POST', '/v1/users/accept-invite', accept)).status).toBe(200)
    expect(await me(stranger)).toBe(401)
  })

  test('a public route ignores a credential that it does not need', async () => {
    const headers = { 'x-api-key': 'of-the-gateway' }
    expect((await app.call('GET', '/v1/setup', { headers })).status).toBe(200)
    expect((await app.call('GET', '/v1/traders', { headers })).status).toBe(401)
  })
})

describe('passwords', () => {
  test('changing a password needs the current one and ends the other sessions', async () => {
    const { email } = await person()
    const [here, there] = [await signIn(email), await signIn(email)]
    const change = (currentPassword: string, newPassword: string) =>
      app.call('POST', '/v1/auth/change-password', { as: here, body: { currentPassword, newPassword } })
    expect((await change('wrong', 'a new long password')).body.errors[0].path).toBe('currentPassword')
    expect((await change(PASSWORD, 'short')).body.errors[0].path).toBe('newPassword')
    const changed = await change(PASSWORD, 'a new long password')
    expect([await me(renewedBy(here, changed)), await me(here), await me(there)]).toEqual([200, 401, 401])
    expect((await login(email)).status).toBe(401)
    expect((await login(email, { password: 'a new long password' })).body.status).toBe('ok')
  })

  test('a reset link works once, for an hour, and ends all sessions; an unknown address gets the same answer', async () => {
    const { email } = await person()
    const session = await signIn(email)
    const forgot = (address: string) => app.call('POST', '/v1/auth/forgot', { body: { email: address } })
    const [known, unknown] = [await forgot(email), await forgot('nobody2@auth.test')]
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    await app.platform.writer.submit(() => null)
    const token = tokenIn(lastMail(email))
    const reset = (body: object) =>
      app.call('POST', '/v1/auth/reset', { body: { token, password: 'reset long password', ...body } })
    expect((await reset({ password: 'short' })).status).toBe(422)
    expect((await reset({})).status).toBe(200)
    expect((await reset({})).status).toBe(410)
    expect(await me(session)).toBe(401)
    expect((await login(email, { password: 'reset long password' })).body.status).toBe('ok')
    // a link asked for before the change of the password is void afterwards
    await forgot(email)
    await app.platform.writer.submit(() => null)
    const before = tokenIn(lastMail(email))
    const again = await signIn(email, { password: 'reset long password' })
    const change = { currentPassword: 'reset long password', newPassword: 'changed long password' }
    expect((await app.call('POST', '/v1/auth/change-password', { as: again, body: change })).status).toBe(200)
    expect((await reset({ token: before })).status).toBe(410)
    await forgot(email)
    await app.platform.writer.submit(() => null)
    const late = tokenIn(lastMail(email))
    app.clock.advance(HOUR + SECOND)
    expect((await reset({ token: late })).status).toBe(410)
  })

  test('a client is invited, sets a password within a day, and signs in as a client', async () => {
    const traderId = await firm.trader({ email: 'client@auth.test' })
    expect((await app.call('POST', `/v1/traders/${traderId}/invite`, { as: firm.as.operator })).status).toBe(202)
    const first = tokenIn(lastMail('client@auth.test'))
    await app.call('POST', `/v1/traders/${traderId}/invite`, { as: firm.as.operator })
    const accept = (token: string) =>
      app.call('POST', '/v1/users/accept-invite', { body: { token, password: PASSWORD } })
    expect((await accept(first)).status).toBe(410)
    expect((await accept(tokenIn(lastMail('client@auth.test')))).status).toBe(200)
    const session = await signIn('client@auth.test')
    expect((await app.call('GET', '/v1/auth/me', { as: session })).body).toMatchObject({
      kind: 'trader',
      id: traderId,
      role: null,
    })
    expect((await app.call('GET', '/v1/traders', { as: session })).status).toBe(403)
    await app.call('POST', `/v1/traders/${traderId}/invite`, { as: firm.as.operator })
    const late = tokenIn(lastMail('client@auth.test'))
    app.clock.advance(DAY + SECOND)
    expect((await accept(late)).status).toBe(410)
  })
})
