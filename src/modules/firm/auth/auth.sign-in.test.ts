import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hash } from '@node-rs/argon2'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import { type Answer, type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import * as signing from '../../../testing/sign-in.ts'
import { filterByPassword, HASHES, hashing, hashPassword, PARAMETERS } from './auth.passwords.ts'

const { PASSWORD, OFFICE, toCaller, renewedBy } = signing
const lines: string[] = []
let app: TestApp
let firm: Firm
beforeAll(async () => {
  app = createTestApp({ config: signing.BEHIND_PROXY, log: (line) => void lines.push(line) })
  firm = await app.firm('alpha')
})
afterAll(() => app.close())

const person = (of = firm, values: { email?: string } = {}) => signing.person(app, of, values)
const login = (email: string, body: object = {}) => signing.login(app, email, body)
const enrolled = () => signing.enrolled(app, firm)
const lettersTo = (to: string) => signing.lettersTo(app, to, firm)
const tokenIn = (text: string | undefined): string => /token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
const generateCode = (secret: string) => signing.generateCode(app, secret)
const post = (path: string, body: object, as?: Caller, headers: Record<string, string> = {}) =>
  app.call('POST', path, { body, headers, ...(as ? { as } : {}) })

test('a password is stored as Argon2id with the parameters of OWASP', async () => {
  const { parameters } = hashing
  hashing.parameters = PARAMETERS
  try {
    expect(await hashPassword(PASSWORD)).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
  } finally {
    hashing.parameters = parameters
  }
})

test('the number of hashes does not depend on the number of firms that know an address', async () => {
  const counted = async (firms: number) => {
    let hashes = 0
    const candidates = Array.from({ length: firms }, (_, n) => ({ passwordHash: `h${n}` }))
    const matching = await filterByPassword(candidates, 'x', async (stored) => {
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

describe('a password or a code from another keyboard', () => {
  const CHOSEN = 'señor café 1987'
  const keep = async (email: string, passwordHash: string) => {
    const sql = `UPDATE credentials SET password_hash = ?2 WHERE user_id = (SELECT id FROM users WHERE email = ?1)`
    await app.platform.writer.submit(() => app.platform.connection.run(sql, [email, passwordHash]))
  }
  const stored = (email: string) =>
    app.platform.connection.get<{ hash: string }>(
      'SELECT password_hash AS hash FROM credentials WHERE user_id = (SELECT id FROM users WHERE email = ?)',
      [email],
    )?.hash
  const forms = [CHOSEN.normalize('NFC'), CHOSEN.normalize('NFD'), CHOSEN.replace(' ', '\u00a0')]

  test('a password is accepted in every form of Unicode, and another password is refused', async () => {
    const { email } = await person()
    await keep(email, await hashPassword(CHOSEN))
    for (const password of forms) expect((await login(email, { password })).body.status).toBe('ok')
    expect((await login(email, { password: 'senor cafe 1987' })).status).toBe(401)
  })

  test('a password is accepted if the stored hash is of another form of Unicode; the hash is renewed once', async () => {
    const { email } = await person()
    const former = await hash(CHOSEN.normalize('NFD'), hashing.parameters)
    await keep(email, former)
    expect((await login(email, { password: CHOSEN.normalize('NFC') })).body.status).toBe('ok')
    const renewed = stored(email)
    expect(renewed).not.toBe(former)
    for (const password of forms) expect((await login(email, { password })).body.status).toBe('ok')
    expect(stored(email)).toBe(renewed)
  })

  test.each([
    ['in full width', 0xff10],
    ['of Arabic', 0x660],
    ['of Persian', 0x6f0],
    ['of Hindi', 0x966],
  ])('a code in digits from %s is accepted', async (_, zero) => {
    const { email, secret } = await enrolled()
    const code = (await generateCode(secret)).replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
    expect((await login(email, { code })).body.status).toBe('ok')
  })
})

describe('links mailed to an address', () => {
  const forgot = async (email: string, ip: string) => {
    const answer = await post('/v1/auth/forgot', { email }, undefined, { 'x-forwarded-for': ip })
    await app.platform.writer.submit(() => null)
    return answer
  }

  test('the same reset link is mailed at most three times an hour, and a later one replaces it', async () => {
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

  test('links by staff are new each time, and the fourth within an hour is refused', async () => {
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

describe('passwords that guessers try first', () => {
  const COMMON = [
    '1234567890',
    'qwertyuiop',
    'Password123',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abcdefghijkl',
    'Welcome2024!',
  ]

  test.each(COMMON)('the common password %s is refused', async (password) => {
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

  test('common passwords are refused wherever one is chosen, and so are one’s own address and the firm’s name', async () => {
    const { id, email } = await person(firm, { email: 'long.address@signin.test' })
    const as = toCaller(await login(email))
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
    // the refusals did not use up either link
    expect((await post('/v1/users/accept-invite', { token: invite, password: 'a fine new password' })).status).toBe(200)
    expect((await post('/v1/auth/reset', { token: reset, password: 'a fine new password' })).status).toBe(200)
  })
})

test('a person has at most fifty sessions: a new one ends the least recently used', async () => {
  const { id, email } = await person()
  const first = toCaller(await login(email))
  const count = () =>
    app.platform.reader.get<{ n: number }>('SELECT count(*) AS n FROM sessions WHERE user_id = ?', [id])?.n
  app.clock.advance(MINUTE)
  await app.platform.writer.submit(() => {
    const { connection } = app.platform
    for (let index = 0; index < 70; index += 1)
      connection.run(
        `INSERT INTO sessions (tenant_id, id, token_hash, user_id, ip, created_at, last_seen_at, expires_at)
          SELECT tenant_id, id || ?1, token_hash || ?1, user_id, ip, created_at, last_seen_at + 1 + ?1, expires_at
          FROM sessions WHERE user_id = ?2 ORDER BY rowid LIMIT 1`,
        [index, id],
      )
  })
  expect(count()).toBe(71)
  const newest = toCaller(await login(email))
  expect(count()).toBe(50)
  const me = async (as: Caller) => (await app.call('GET', '/v1/auth/me', { as })).status
  expect([await me(newest), await me(first)]).toEqual([200, 401])
})

test('a session ends after 30 days, even while it is used', async () => {
  const { email } = await person()
  const as = toCaller(await login(email))
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

  test('giving the password and, if it is on, the code makes a session fresh', async () => {
    const own = await app.firm('delta')
    const { id, email } = await person(own)
    await app.call('PATCH', `/v1/users/${id}/roles`, { as: own.as.owner, body: { roles: ['admin'] } })
    let as = toCaller(await login(email))
    app.clock.advance(16 * MINUTE)
    const stale = await post('/v1/api-keys', key, as)
    expect([stale.status, stale.body.code]).toEqual([403, 'reauthentication_required'])
    const wrong = await post('/v1/auth/reauthenticate', { password: 'wrong' }, as)
    expect([wrong.status, wrong.body.errors[0].path]).toEqual([403, 'password'])
    own.effects()
    const right = await post('/v1/auth/reauthenticate', { password: PASSWORD }, as)
    expect([right.status, right.body]).toEqual([200, { status: 'ok' }])
    expect(own.effects()).toEqual({ events: [], actions: ['session.end', 'auth.reauthenticate'] })
    as = renewedBy(as, right)
    expect((await post('/v1/api-keys', key, as)).status).toBe(201)

    const { secret } = (await post('/v1/auth/2fa/setup', {}, as)).body
    as = renewedBy(as, await post('/v1/auth/2fa/enable', { code: generateCode(secret), password: PASSWORD }, as))
    app.clock.advance(16 * MINUTE)
    const without = await post('/v1/auth/reauthenticate', { password: PASSWORD }, as)
    expect([without.status, without.body.errors[0].path]).toEqual([422, 'code'])
    const bad = await post('/v1/auth/reauthenticate', { password: PASSWORD, code: '000000' }, as)
    expect([bad.status, bad.body.code]).toEqual([403, 'auth.wrong_code'])
    expect((await post('/v1/api-keys', key, as)).status).toBe(403)
    as = renewedBy(as, await post('/v1/auth/reauthenticate', { password: PASSWORD, code: generateCode(secret) }, as))
    expect((await post('/v1/api-keys', key, as)).status).toBe(201)
  })

  test('giving the password again is slowed down like sign-in, and works for sessions only', async () => {
    const { email } = await person()
    const as = toCaller(await login(email))
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => post('/v1/auth/reauthenticate', { password: 'wrong' }, as)),
    )
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(3)
    const byKey = await post('/v1/auth/reauthenticate', { password: PASSWORD }, await firm.key(['auth:write']))
    expect([byKey.status, byKey.body.code]).toEqual([403, 'auth.not_by_key'])
    expect((await post('/v1/auth/reauthenticate', { password: PASSWORD })).status).toBe(401)
  })
})

describe('a role that must have a second factor but has none', () => {
  test('people whose role must have a second factor can only set it up, the owner who demands it too; keys and others go on', async () => {
    const own = await app.firm('epsilon')
    const setTo = (roles: string[], as: Caller = own.as.owner) =>
      app.call('PATCH', '/v1/tenants/current', { as, body: { security: { secondFactorRoles: roles } } })
    const { id, email } = await person(own)
    await app.call('PATCH', `/v1/users/${id}/roles`, { as: own.as.owner, body: { roles: ['owner'] } })
    let as = toCaller(await login(email))
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
    as = renewedBy(as, await post('/v1/auth/change-password', change, as))
    const { secret } = (await post('/v1/auth/2fa/setup', {}, as)).body
    const enable = { code: generateCode(secret), password: 'a fine new password' }
    as = renewedBy(as, await post('/v1/auth/2fa/enable', enable, as))
    expect((await app.call('GET', '/v1/traders', { as })).status).toBe(200)
    expect((await app.call('GET', '/v1/auth/me', { as })).body.mustEnrolTwoFactor).toBe(false)
    expect((await post('/v1/auth/logout', {}, own.as.admin)).status).toBe(200)
  })
})

test('refused sign-ins are logged in one line each, without a name in clear text', async () => {
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
