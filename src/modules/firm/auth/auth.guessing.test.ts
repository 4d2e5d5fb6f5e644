import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE, SECOND } from '../../../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import * as signing from '../../../testing/sign-in.ts'
import { users } from '../users/users.table.ts'
import { hashPassword } from './auth.passwords.ts'
import { setPassword } from './auth.service.ts'
import { credentials } from './auth.table.ts'

const { PASSWORD, pickCookie } = signing
let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp({ config: signing.BEHIND_PROXY })
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const person = (of = firm, values: { email?: string; password?: string } = {}) => signing.person(app, of, values)
const login = (email: string, body: object = {}, from: { ip?: string; device?: string | undefined } = {}, on = app) =>
  signing.login(on, email, body, from)
const enrolled = () => signing.enrolled(app, firm)
const lettersTo = (to: string) => signing.lettersTo(app, to, firm)
const generateCode = (secret: string) => signing.generateCode(app, secret)
const post = (path: string, body: object, as?: Caller, headers: Record<string, string> = {}) =>
  app.call('POST', path, { body, headers, ...(as ? { as } : {}) })

describe('a guesser at the staff’s own address, ten times a second', () => {
  // the guesser tries accounts of others, or those of the staff
  for (const target of ['others', 'theirs']) {
    test(`guesses ten times a second on ${target} accounts do not lock out staff whose devices signed in before`, async () => {
      const staff = await Promise.all([1, 2, 3].map(() => person()))
      const devices = await Promise.all(staff.map(async ({ email }) => pickCookie(await login(email), 'crm_device')))
      app.clock.pauses.length = 0
      const guesses = new Map<number, number>()
      for (let second = 0; second < 180; second += 1) {
        for (let n = 0; n < 10; n += 1) {
          const victim = staff[n % staff.length]?.email ?? ''
          const email = target === 'theirs' ? victim : `guess${second}-${n}@signin.test`
          // every tenth second runs enough slow hashes; in the others a guess at the staff is refused without a hash
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
      // the address is delayed by at most two seconds, and a known device not at all
      expect(Math.max(0, ...app.clock.pauses)).toBeLessThanOrEqual(2 * SECOND)
      if (target === 'others') expect(app.clock.pauses).toContain(2 * SECOND)
    }, 180_000)
  }

  test('a right password from an unknown device works while a guesser of the same address tries other accounts', async () => {
    const { email } = await person()
    for (let n = 0; n < 40; n += 1)
      await login(`guess-${n}@signin.test`, { password: 'wrong wrong' }, { ip: '192.0.2.9' })
    expect((await login(email, {}, { ip: '192.0.2.9' })).body.status).toBe('ok')
  })

  test('a known device that guesses is slowed down like any other; asking for reset links slows no sign-in', async () => {
    const { email } = await person()
    const device = pickCookie(await login(email), 'crm_device')
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
  test('a device is known to the account it signed in to, and to no other account of the same address', async () => {
    const shared = 'shared@signin.test'
    await person(firm, { email: shared, password: 'victim victim victim' })
    await person(other, { email: shared, password: 'insider insider' })
    // a holder of the same address in another firm signs in there, with a new device each time
    let device: string | undefined
    for (let n = 0; n < 12; n += 1) {
      const mine = await login(shared, { password: 'insider insider', tenant: 'beta' }, { ip: '192.0.2.50' })
      expect(mine.status).toBe(200)
      device = pickCookie(mine, 'crm_device')
      expect((await login(shared, { password: `guess number ${n}` }, { ip: '192.0.2.50', device })).status).toBe(401)
    }
    // signing in to one's own account forgives no failure at the other, whose password is not even checked now
    const right = { password: 'victim victim victim' }
    expect((await login(shared, right, { ip: '192.0.2.50', device })).status).toBe(401)
    expect((await login(shared, right, { ip: '192.0.2.51' })).status).toBe(200)
  })

  test('a device is known inside its session too, and after a renewed sign-in', async () => {
    const { email } = await person()
    const answer = await login(email)
    let session = pickCookie(answer, 'crm_session') ?? ''
    const renew = async (device: string | undefined, password = PASSWORD) => {
      const renewed = await app.call('POST', '/v1/auth/reauthenticate', {
        body: { password },
        headers: {
          cookie: `${session}; ${device ?? ''}`,
          'sec-fetch-site': 'same-origin',
          'x-forwarded-for': '192.0.2.70',
        },
      })
      session = pickCookie(renewed, 'crm_session') ?? session
      return renewed
    }
    for (let n = 0; n < 5; n += 1) expect((await renew(undefined, 'wrong')).status).toBe(403)
    expect((await renew(undefined)).status).toBe(429)
    expect((await renew(pickCookie(answer, 'crm_device'))).status).toBe(200)
    app.clock.advance(6 * MINUTE)
    const renewed = pickCookie(await renew(undefined), 'crm_device')
    for (let n = 0; n < 6; n += 1) await renew(undefined, 'wrong')
    expect((await renew(undefined)).status).toBe(429)
    expect((await renew(renewed)).status).toBe(200)
  })

  test('a device is forgotten after 90 days, with an altered cookie, and for another person’s account', async () => {
    const { email } = await person()
    const device = pickCookie(await login(email), 'crm_device') ?? ''
    const stranger = pickCookie(await login((await person()).email), 'crm_device') ?? ''
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

  test('wrong codes count per account from all addresses; a known device and a recovery code pass; the holder is mailed once', async () => {
    const { email, secret, device, recoveryCodes } = await enrolled()
    const statuses: number[] = []
    for (let n = 0; n < 25; n += 1) statuses.push((await guess(email, n)).status)
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(15).fill(429)])
    const code = generateCode(secret)
    const blocked = await login(email, { code }, { ip: '203.0.113.99' })
    expect([blocked.status, blocked.body.code]).toEqual([429, 'auth.slow_down'])
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await login(email, { code }, { ip: '203.0.113.99', device })).body.status).toBe('ok')
    expect((await login(email, { code: recoveryCodes[0] }, { ip: '203.0.113.98' })).body.status).toBe('ok')
    app.clock.advance(16 * MINUTE)
    for (let n = 30; n < 45; n += 1) await guess(email, n)
    expect(lettersTo(email).filter((text) => text.includes('wrong codes'))).toHaveLength(1)
    app.clock.advance(16 * MINUTE)
    expect((await login(email, { code: generateCode(secret) }, { ip: '203.0.113.97' })).body.status).toBe('ok')
  })

  test('wrong codes sent at once from everywhere are limited to ten; those inside an open session count too', async () => {
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

  test('wrong codes still count after a restart', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-codes-'))
    const before = createTestApp({ config: signing.BEHIND_PROXY, dataDir })
    const own = await before.firm('gamma')
    const email = 'restart@gamma.test'
    const passwordHash = await hashPassword(PASSWORD)
    await systemCtx(before.platform, own.tenantId, 'test').write('test.user', (tx) => {
      const user = tx.insert(users, { email, displayName: 'P', roles: ['viewer'], status: 'active' })
      setPassword(tx, { userId: user.id }, passwordHash)
      const credential = tx.find(credentials, { userId: user.id })
      if (credential) tx.update(credentials, credential.id, { totpEnabled: true, totpSecret: new Uint8Array([1]) })
      return null
    })
    const wrong = (on: TestApp, n: number) =>
      login(email, { code: 'AAAA-AAAA-AAAA-AAAA' }, { ip: `203.0.113.${n}` }, on)
    for (let n = 0; n < 10; n += 1) expect((await wrong(before, n)).status).toBe(401)
    await before.close()
    const after = createTestApp({ config: signing.BEHIND_PROXY, dataDir })
    expect((await guess(email, 50, after)).status).toBe(429)
    await after.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
})
