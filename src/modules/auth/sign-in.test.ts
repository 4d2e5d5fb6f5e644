import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { systemCtx } from '../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../platform/clock.ts'
import { type Answer, type Caller, createTestApp, type Firm, type TestApp } from '../../testing/app.ts'
import { openMail } from '../mails/mails.service.ts'
import { mails } from '../mails/mails.table.ts'
import { users } from '../users/users.table.ts'
import { HASHES, hashPassword, matchingOf } from './auth.passwords.ts'
import { setPassword } from './auth.service.ts'
import { credentials } from './auth.table.ts'

const PASSWORD = 'correct horse battery'
const OFFICE = '198.51.100.7'
const PROXIED = { trustedProxies: ['127.0.0.0/8'], sessionHours: 12 }
const lines: string[] = []
let app: TestApp
let firm: Firm
let other: Firm
let hash: string
beforeAll(async () => {
  app = createTestApp({ config: PROXIED, log: (line) => void lines.push(line) })
  firm = await app.firm('alpha')
  other = await app.firm('beta')
  hash = await hashPassword(PASSWORD)
})
afterAll(() => app.close())

let count = 0
const person = async (of: Firm = firm, values: { email?: string; password?: string } = {}) => {
  count += 1
  const { email = `p${count}@signin.test`, password } = values
  const passwordHash = password === undefined ? hash : await hashPassword(password)
  const { id } = await systemCtx(app.platform, of.tenantId, 'test').write('test.user', (tx) => {
    const user = tx.insert(users, { email, displayName: 'Person', roles: ['viewer'], status: 'active' })
    setPassword(tx, { userId: user.id }, passwordHash)
    return user
  })
  of.effects()
  return { id, email }
}
type From = { ip?: string; device?: string | undefined }
const login = (email: string, body: object = {}, { ip = OFFICE, device }: From = {}, on = app) =>
  on.call('POST', '/v1/auth/login', {
    body: { email, password: PASSWORD, ...body },
    headers: { 'x-forwarded-for': ip, ...(device === undefined ? {} : { cookie: device }) },
  })
const cookieOf = (answer: Answer, name: string): string | undefined =>
  answer.headers
    .getSetCookie()
    .find((one) => one.startsWith(`${name}=`))
    ?.split(';')[0]
const callerOf = (answer: Answer): Caller => ({
  id: '',
  headers: {
    cookie: [cookieOf(answer, 'crm_session'), cookieOf(answer, 'crm_device')].join('; '),
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': OFFICE,
  },
})
const post = (path: string, body: object, as?: Caller, headers: Record<string, string> = {}) =>
  app.call('POST', path, { body, headers, ...(as ? { as } : {}) })
const lettersTo = (to: string, of: Firm = firm): string[] =>
  systemCtx(app.platform, of.tenantId, 'test')
    .db.list(mails, { recipient: to }, { orderBy: 'id' })
    .map((row) => openMail(app.platform.secrets, row))
const tokenIn = (text: string | undefined): string => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 }).generate({ timestamp: app.clock.now() })
/** A person with an authenticator, signed in. */
const enrolled = async () => {
  const { id, email } = await person()
  const first = await login(email)
  const as = callerOf(first)
  const { secret } = (await post('/v1/auth/2fa/setup', {}, as)).body
  const { recoveryCodes } = (await post('/v1/auth/2fa/enable', { code: codeOf(secret), password: PASSWORD }, as)).body
  app.clock.advance(MINUTE)
  return { id, email, as, secret, recoveryCodes, device: cookieOf(first, 'crm_device') }
}

describe('a guesser at the staff’s own address, ten times a second', () => {
  // on other accounts, and on theirs
  for (const target of ['others', 'theirs']) {
    test(`on ${target}: staff on devices that signed in before always get in`, async () => {
      const staff = await Promise.all([1, 2, 3].map(() => person()))
      const devices = await Promise.all(staff.map(async ({ email }) => cookieOf(await login(email), 'crm_device')))
      app.clock.pauses.length = 0
      const guesses = new Map<number, number>()
      for (let second = 0; second < 180; second += 1) {
        for (let n = 0; n < 10; n += 1) {
          const victim = staff[n % staff.length]?.email ?? ''
          const email = target === 'theirs' ? victim : `guess${second}-${n}@signin.test`
          // every tenth second is enough of the slow hashes; the others come while the pair waits
          if (target === 'others' && second % 10 > 0) continue
          const { status } = await login(email, { password: 'wrong wrong' })
          guesses.set(status, (guesses.get(status) ?? 0) + 1)
        }
        if (second % 20 === 0) {
          for (const [index, { email }] of staff.entries()) {
            const answer = await login(email, {}, { device: devices[index] })
            expect([answer.status, answer.body.status]).toEqual([200, 'ok'])
          }
        }
        app.clock.advance(SECOND)
      }
      expect(guesses.get(401)).toBeGreaterThan(10)
      expect(guesses.get(429) ?? 0).toBe(target === 'theirs' ? 1800 - (guesses.get(401) ?? 0) : 0)
      // the address is held back, by two seconds at most, and nobody with a device is
      expect(Math.max(0, ...app.clock.pauses)).toBeLessThanOrEqual(2 * SECOND)
      if (target === 'others') expect(app.clock.pauses).toContain(2 * SECOND)
    }, 60_000)
  }

  test('a right password without a device gets in too, where the guesser is at other accounts', async () => {
    const { email } = await person()
    for (let n = 0; n < 40; n += 1)
      await login(`guess-${n}@signin.test`, { password: 'wrong wrong' }, { ip: '192.0.2.9' })
    expect((await login(email, {}, { ip: '192.0.2.9' })).body.status).toBe('ok')
  })

  test('a known device that guesses is slowed as any other, and “forgot” slows no sign-in', async () => {
    const { email } = await person()
    const device = cookieOf(await login(email), 'crm_device')
    for (let n = 0; n < 5; n += 1) expect((await login(email, { password: 'wrong' }, { device })).status).toBe(401)
    expect((await login(email, {}, { device })).status).toBe(429)
    const fresh = await person()
    for (let n = 0; n < 30; n += 1)
      await post('/v1/auth/forgot', { email: `f${n}@signin.test` }, undefined, { 'x-forwarded-for': '192.0.2.77' })
    app.clock.pauses.length = 0
    expect((await login(fresh.email, {}, { ip: '192.0.2.77' })).status).toBe(200)
    expect(app.clock.pauses).toEqual([])
  })
})

describe('a device', () => {
  test('is known to the account it signed in to, for 90 days, and to no other of the same address', async () => {
    const shared = 'shared@signin.test'
    await person(firm, { email: shared, password: 'victim victim victim' })
    await person(other, { email: shared, password: 'insider insider' })
    // who has an account with the same address in another firm brings a fresh device with every sign-in there
    let device: string | undefined
    for (let n = 0; n < 12; n += 1) {
      const mine = await login(shared, { password: 'insider insider', tenant: 'beta' }, { ip: '192.0.2.50' })
      expect(mine.status).toBe(200)
      device = cookieOf(mine, 'crm_device')
      expect((await login(shared, { password: `guess number ${n}` }, { ip: '192.0.2.50', device })).status).toBe(401)
    }
    // the own account's sign-ins forgave nothing of the other's failures: its password is not even tried now
    const right = { password: 'victim victim victim' }
    expect((await login(shared, right, { ip: '192.0.2.50', device })).status).toBe(401)
    expect((await login(shared, right, { ip: '192.0.2.51' })).status).toBe(200)
  })

  test('is forgotten after 90 days, when it is changed by hand, and when it is another person’s', async () => {
    const { email } = await person()
    const device = cookieOf(await login(email), 'crm_device') ?? ''
    const stranger = cookieOf(await login((await person()).email), 'crm_device') ?? ''
    const block = async (ip: string) => {
      for (let n = 0; n < 6; n += 1) await login(email, { password: 'wrong' }, { ip })
    }
    await block('192.0.2.60')
    const from = (cookie: string) => login(email, {}, { ip: '192.0.2.60', device: cookie })
    expect((await from(stranger)).status).toBe(429)
    expect((await from(`${device.slice(0, -4)}AAAA`)).status).toBe(429)
    expect((await from(device.replace(/~\d+/, '~99999999999999'))).status).toBe(429)
    expect((await from(device)).status).toBe(200)
    app.clock.advance(90 * DAY + SECOND)
    await block('192.0.2.60')
    expect((await from(device)).status).toBe(429)
  })
})

describe('wrong codes of the second factor', () => {
  const guess = (email: string, n: number, on = app) => login(email, { code: '000000' }, { ip: `203.0.113.${n}` }, on)

  test('count per account over all addresses; a known device and a recovery code get further, the holder is mailed once', async () => {
    const { email, secret, device, recoveryCodes } = await enrolled()
    const statuses: number[] = []
    for (let n = 0; n < 25; n += 1) statuses.push((await guess(email, n)).status)
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(15).fill(429)])
    const code = codeOf(secret)
    const blocked = await login(email, { code }, { ip: '203.0.113.99' })
    expect([blocked.status, blocked.body.code]).toEqual([429, 'auth.slow_down'])
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await login(email, { code }, { ip: '203.0.113.99', device })).body.status).toBe('ok')
    expect((await login(email, { code: recoveryCodes[0] }, { ip: '203.0.113.98' })).body.status).toBe('ok')
    app.clock.advance(16 * MINUTE)
    for (let n = 30; n < 45; n += 1) await guess(email, n)
    expect(lettersTo(email).filter((text) => text.includes('wrong codes'))).toHaveLength(1)
    app.clock.advance(16 * MINUTE)
    expect((await login(email, { code: codeOf(secret) }, { ip: '203.0.113.97' })).body.status).toBe('ok')
  })

  test('made at once from everywhere are ten; those of an open session count with them', async () => {
    const { email, as } = await enrolled()
    const atOnce = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(email, 100 + n)))
    expect(atOnce.filter(({ status }) => status === 401)).toHaveLength(10)
    const second = await enrolled()
    const cookie = second.as.headers.cookie?.split(';')[0] ?? ''
    const statuses: number[] = []
    for (let n = 0; n < 12; n += 1) {
      const from: Caller = { id: '', headers: { ...as.headers, cookie, 'x-forwarded-for': `203.0.113.${150 + n}` } }
      const path = n % 2 === 0 ? '/v1/auth/reauthenticate' : '/v1/auth/2fa/disable'
      statuses.push((await post(path, { password: PASSWORD, code: '000000' }, from)).status)
    }
    expect(statuses).toEqual([...Array(10).fill(403), 429, 429])
  })

  test('are not forgotten by a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-codes-'))
    const before = createTestApp({ config: PROXIED, dataDir })
    const own = await before.firm('gamma')
    const email = 'restart@gamma.test'
    await systemCtx(before.platform, own.tenantId, 'test').write('test.user', (tx) => {
      const user = tx.insert(users, { email, displayName: 'P', roles: ['viewer'], status: 'active' })
      setPassword(tx, { userId: user.id }, hash)
      const credential = tx.find(credentials, { userId: user.id })
      if (credential) tx.update(credentials, credential.id, { totpEnabled: true, totpSecret: new Uint8Array([1]) })
      return null
    })
    const wrong = (on: TestApp, n: number) =>
      login(email, { code: 'AAAA-AAAA-AAAA-AAAA' }, { ip: `203.0.113.${n}` }, on)
    for (let n = 0; n < 10; n += 1) expect((await wrong(before, n)).status).toBe(401)
    await before.close()
    const after = createTestApp({ config: PROXIED, dataDir })
    expect((await guess(email, 50, after)).status).toBe(429)
    await after.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
})

test('as many hashes whatever the number of firms that know an address', async () => {
  const counted = async (firms: number) => {
    let hashes = 0
    const candidates = Array.from({ length: firms }, (_, n) => ({ passwordHash: `h${n}` }))
    const matching = await matchingOf(candidates, 'x', async (stored) => {
      hashes += 1
      return stored === 'h1'
    })
    return [hashes, matching.length]
  }
  expect(await Promise.all([0, 1, 2, 3, HASHES].map(counted))).toEqual([
    [HASHES, 0],
    [HASHES, 0],
    [HASHES, 1],
    [HASHES, 1],
    [HASHES, 1],
  ])
})

describe('links', () => {
  const forgot = async (email: string, ip: string) => {
    const answer = await post('/v1/auth/forgot', { email }, undefined, { 'x-forwarded-for': ip })
    await app.platform.writer.submit(() => null)
    return answer
  }

  test('go three times an hour to one recipient, and the one before stays good', async () => {
    const { email } = await person()
    for (let n = 0; n < 30; n += 1) expect((await forgot(email, `203.0.113.${n % 6}`)).status).toBeOneOf([202, 429])
    const letters = lettersTo(email)
    expect(letters).toHaveLength(3)
    expect(new Set(letters.map(tokenIn)).size).toBe(1)
    expect(
      app.platform.reader.get(
        'SELECT token_hash FROM one_time_links WHERE user_id = (SELECT id FROM users WHERE email = ?)',
        [email],
      ),
    ).not.toEqual({ token_hash: tokenIn(letters[0]) })
    app.clock.advance(HOUR)
    await forgot(email, '203.0.113.200')
    const [, , , late] = lettersTo(email)
    expect(tokenIn(late)).not.toBe(tokenIn(letters[0]))
    expect((await post('/v1/auth/reset', { token: tokenIn(letters[0]), password: 'a fine new password' })).status).toBe(
      410,
    )
    expect((await post('/v1/auth/reset', { token: tokenIn(late), password: 'a fine new password' })).status).toBe(200)
  })

  test('that staff send are new each time, and the fourth within the hour waits', async () => {
    const email = 'newcomer@signin.test'
    const invite = { email, displayName: 'New', roles: ['viewer'] }
    const { id } = (await post('/v1/users/invite', invite, firm.as.owner)).body
    const resend = () => post(`/v1/users/${id}/resend-invite`, {}, firm.as.owner)
    expect([(await resend()).status, (await resend()).status]).toEqual([202, 202])
    firm.effects()
    const fourth = await resend()
    expect([fourth.status, fourth.body.code]).toEqual([429, 'auth.slow_down'])
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    const letters = lettersTo(email)
    expect(new Set(letters.map(tokenIn)).size).toBe(3)
    app.clock.advance(HOUR)
    await forgot(email, '203.0.113.201')
    const again = lettersTo(email).at(-1)
    expect(tokenIn(again)).toBe(tokenIn(letters[2]))
    expect(again).toContain('within 23 hours')
  })
})

describe('passwords that are guessed first', () => {
  const COMMON = [
    '1234567890',
    'qwertyuiop',
    'Password123',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abcdefghijkl',
    'Welcome2024!',
  ]

  test.each(COMMON)('%s is refused', async (password) => {
    const answer = await post(
      '/v1/users/invite',
      { email: 'weak@signin.test', displayName: 'W', roles: ['viewer'], password },
      firm.as.owner,
    )
    expect([answer.status, answer.body.errors?.[0]?.path, answer.body.errors?.[0]?.code]).toEqual([
      422,
      'password',
      'common',
    ])
  })

  test('wherever one is chosen, and so are the own address and the firm’s name', async () => {
    const { id, email } = await person(firm, { email: 'long.address@signin.test' })
    const as = callerOf(await login(email))
    const link = async (purpose: 'reset') => {
      await post('/v1/auth/forgot', { email })
      await app.platform.writer.submit(() => null)
      expect(purpose).toBe('reset')
      return tokenIn(lettersTo(email).at(-1))
    }
    const reset = await link('reset')
    await post(
      '/v1/users/invite',
      { email: 'invitee.person@signin.test', displayName: 'I', roles: ['viewer'] },
      firm.as.owner,
    )
    const invite = tokenIn(lettersTo('invitee.person@signin.test').at(-1))
    const found = { name: 'Harbour Brokers', owner: { email: 'boss.harbour@signin.test', displayName: 'B' } }
    const refusals: [Promise<Answer>, string, string][] = [
      [
        post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword: 'iloveyou123' }, as),
        'newPassword',
        'common',
      ],
      [
        post('/v1/auth/change-password', { currentPassword: PASSWORD, newPassword: 'Long.Address@signin.test' }, as),
        'newPassword',
        'own_name',
      ],
      [post('/v1/auth/reset', { token: reset, password: '1234567890' }), 'password', 'common'],
      [post('/v1/auth/reset', { token: reset, password: 'long-address' }), 'password', 'own_name'],
      [post('/v1/users/accept-invite', { token: invite, password: 'qwertyuiop' }), 'password', 'common'],
      [post('/v1/users/accept-invite', { token: invite, password: 'inviteeperson' }), 'password', 'own_name'],
      [
        post(
          '/v1/tenants',
          { ...found, owner: { ...found.owner, password: 'harbour brokers' } },
          firm.as.platform_admin,
        ),
        'owner.password',
        'own_name',
      ],
    ]
    for (const [refusal, path, code] of refusals) {
      const { status, body } = await refusal
      expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([422, path, code])
    }
    expect(id).not.toBe('')
    // nothing was used up by it
    expect((await post('/v1/users/accept-invite', { token: invite, password: 'a fine new password' })).status).toBe(200)
    expect((await post('/v1/auth/reset', { token: reset, password: 'a fine new password' })).status).toBe(200)
  })
})

test('a session ends after 30 days, whatever use it sees', async () => {
  const { email } = await person()
  const as = callerOf(await login(email))
  const me = async () => {
    const { status } = await app.call('GET', '/v1/auth/me', { as })
    await app.platform.writer.submit(() => null)
    return status
  }
  for (let hours = 0; hours < 30 * 24 - 6; hours += 6) {
    expect(await me()).toBe(200)
    app.clock.advance(6 * HOUR)
  }
  expect(await me()).toBe(200)
  app.clock.advance(6 * HOUR)
  expect(await me()).toBe(401)
})

describe('POST /v1/auth/reauthenticate', () => {
  const key = { label: 'robot', scopes: ['traders:read'] }

  test('renews this session for what wants a fresh sign-in; the password and, where it is on, the code', async () => {
    const own = await app.firm('delta')
    const { id, email } = await person(own)
    await app.call('PATCH', `/v1/users/${id}/roles`, { as: own.as.owner, body: { roles: ['admin'] } })
    const as = callerOf(await login(email))
    app.clock.advance(16 * MINUTE)
    const stale = await post('/v1/api-keys', key, as)
    expect([stale.status, stale.body.code]).toEqual([403, 'reauthentication_required'])
    const wrong = await post('/v1/auth/reauthenticate', { password: 'wrong' }, as)
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([403, 'password'])
    own.effects()
    const right = await post('/v1/auth/reauthenticate', { password: PASSWORD }, as, { 'idempotency-key': 'again' })
    expect([right.status, right.body]).toEqual([200, { status: 'ok' }])
    expect(own.effects()).toEqual({ events: [], actions: ['auth.reauthenticate'] })
    expect((await post('/v1/api-keys', key, as)).status).toBe(201)

    const { secret } = (await post('/v1/auth/2fa/setup', {}, as)).body
    await post('/v1/auth/2fa/enable', { code: codeOf(secret), password: PASSWORD }, as)
    app.clock.advance(16 * MINUTE)
    const without = await post('/v1/auth/reauthenticate', { password: PASSWORD }, as)
    expect([without.status, without.body.errors[0].path]).toEqual([422, 'code'])
    const bad = await post('/v1/auth/reauthenticate', { password: PASSWORD, code: '000000' }, as)
    expect([bad.status, bad.body.code]).toEqual([403, 'auth.wrong_code'])
    expect((await post('/v1/api-keys', key, as)).status).toBe(403)
    // a repeat of a key of long ago renews, it does not replay
    const headers = { 'idempotency-key': 'again' }
    expect(
      (await post('/v1/auth/reauthenticate', { password: PASSWORD, code: codeOf(secret) }, as, headers)).status,
    ).toBe(200)
    expect((await post('/v1/api-keys', key, as)).status).toBe(201)
  })

  test('is slowed down as sign-in, and for sessions only', async () => {
    const { email } = await person()
    const as = callerOf(await login(email))
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => post('/v1/auth/reauthenticate', { password: 'wrong' }, as)),
    )
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(3)
    const byKey = await post('/v1/auth/reauthenticate', { password: PASSWORD }, await firm.key(['auth:write']))
    expect([byKey.status, byKey.body.code]).toEqual([403, 'auth.not_by_key'])
    expect((await post('/v1/auth/reauthenticate', { password: PASSWORD })).status).toBe(401)
  })
})

describe('a role that must have a second factor', () => {
  test('and has none may only enrol it, the owner who demands it too; keys and other roles go on', async () => {
    const own = await app.firm('epsilon')
    const setTo = (roles: string[], as: Caller = own.as.owner) =>
      app.call('PATCH', '/v1/tenants/current', { as, body: { security: { secondFactorRoles: roles } } })
    const { id, email } = await person(own)
    await app.call('PATCH', `/v1/users/${id}/roles`, { as: own.as.owner, body: { roles: ['owner'] } })
    const as = callerOf(await login(email))
    const key = await own.key(['traders:read'], 'owner')
    expect((await app.call('GET', '/v1/auth/me', { as })).body.mustEnrolTwoFactor).toBe(false)
    expect((await setTo(['owner', 'admin'], as)).status).toBe(200)

    const refused = async (method: string, path: string, who: Caller, body?: object) => {
      const answer = await app.call(method, path, { as: who, ...(body ? { body } : {}) })
      expect([answer.status, answer.body.code]).toEqual([403, 'second_factor_required'])
    }
    own.effects()
    await refused('GET', '/v1/traders', as)
    await refused('GET', '/v1/auth/sessions', as)
    await refused('POST', '/v1/traders', as, { email: 'x@x.test' })
    await refused('PATCH', '/v1/tenants/current', as, { security: { secondFactorRoles: [] } })
    await refused('GET', '/v1/traders', own.as.admin)
    expect(own.effects()).toEqual({ events: [], actions: [] })
    for (const who of [own.as.manager, own.as.viewer, key])
      expect((await app.call('GET', '/v1/traders', { as: who })).status).toBe(200)

    expect((await app.call('GET', '/v1/auth/me', { as })).body.mustEnrolTwoFactor).toBe(true)
    const change = { currentPassword: PASSWORD, newPassword: 'a fine new password' }
    expect((await post('/v1/auth/change-password', change, as)).status).toBe(200)
    const { secret } = (await post('/v1/auth/2fa/setup', {}, as)).body
    const enable = { code: codeOf(secret), password: 'a fine new password' }
    expect((await post('/v1/auth/2fa/enable', enable, as)).status).toBe(200)
    expect((await app.call('GET', '/v1/traders', { as })).status).toBe(200)
    expect((await app.call('GET', '/v1/auth/me', { as })).body.mustEnrolTwoFactor).toBe(false)
    expect((await post('/v1/auth/logout', {}, own.as.admin)).status).toBe(200)
  })
})

test('refused sign-ins are in the log, each in a line that names nobody in clear', async () => {
  const { email, as } = await enrolled()
  expect(as.headers.cookie).not.toBe('')
  lines.length = 0
  await login('nobody.at.all@signin.test', { password: 'my secret guess' })
  await login(email, { password: 'my secret guess' })
  await login(email, { code: '000000' })
  const refusals = lines.filter((line) => line.includes('a sign-in was refused')).map((line) => JSON.parse(line))
  expect(refusals.map(({ level, reason, ip }) => [level, reason, ip])).toEqual([
    ['warn', 'unknown', OFFICE],
    ['warn', 'password', OFFICE],
    ['warn', 'code', OFFICE],
  ])
  expect(refusals[1].account).toBe(refusals[2].account)
  expect(refusals[0].account).not.toBe(refusals[1].account)
  for (const hidden of ['nobody.at.all', email, 'my secret guess', '000000'])
    expect(lines.join('\n')).not.toContain(hidden)
})
