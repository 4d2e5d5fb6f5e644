import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { Problem } from '../../../platform/problem.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { renewedBy } from '../../../testing/sign-in.ts'
import { turn } from '../../../testing/until.ts'
import { createQueue } from './auth.queue.ts'
import { createThrottle } from './auth.throttle.ts'

const PASSWORD = 'correct horse battery'

describe('the throttle', () => {
  const at = (ip: string) => ({ ip })
  const device = { device: 'laptop' }
  const waits = (run: () => void): number => {
    try {
      run()
      return 0
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      expect([error.status, error.code]).toEqual([429, 'auth.slow_down'])
      return Number(error.headers['retry-after'])
    }
  }

  test('five tries are free; each further one waits twice as long, up to five minutes, and is then allowed', () => {
    for (const who of [at('192.0.2.1'), device]) {
      const throttle = createThrottle()
      let now = 0
      for (let index = 0; index < 5; index += 1) expect(waits(() => throttle.attempt('a', who, now))).toBe(0)
      const seconds: number[] = []
      for (let index = 0; index < 12; index += 1) {
        const wait = waits(() => throttle.attempt('a', who, now))
        seconds.push(wait)
        now += wait * SECOND
        expect(waits(() => throttle.attempt('a', who, now))).toBe(0)
      }
      expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    }
  })

  test('failures of another account, another address and a known device are counted separately', () => {
    const throttle = createThrottle()
    for (let index = 0; index < 5; index += 1) throttle.attempt('a', at('192.0.2.1'), 0)
    expect(waits(() => throttle.attempt('a', at('192.0.2.1'), 0))).toBe(1)
    expect(waits(() => throttle.attempt('a', at('192.0.2.2'), 0))).toBe(0)
    expect(waits(() => throttle.attempt('b', at('192.0.2.1'), 0))).toBe(0)
    expect(waits(() => throttle.attempt('a', device, 0))).toBe(0)
  })

  test('an address with many failures over all accounts is delayed by at most two seconds and never refused', () => {
    const throttle = createThrottle()
    const delays = Array.from({ length: 1000 }, (_, now) => throttle.countDelay('192.0.2.1', now))
    expect(delays.slice(0, 27)).toEqual([...Array(20).fill(0), 125, 250, 500, 1000, 2000, 2000, 2000])
    expect(Math.max(...delays)).toBe(2000)
    expect(throttle.countDelay('192.0.2.2', 1000)).toBe(0)
    expect(throttle.countDelay('192.0.2.1', 1000 + 15 * MINUTE)).toBe(0)
  })

  test('all addresses of an IPv6 /64 count as one, and the next /64 as another', () => {
    const throttle = createThrottle()
    for (let index = 1; index <= 5; index += 1) throttle.attempt('a', at(`2001:db8:0:1::${index}`), 0)
    expect(waits(() => throttle.attempt('a', at('2001:db8:0:1:ffff::9'), 0))).toBe(1)
    for (let index = 1; index <= 5; index += 1) throttle.attempt('b', at(`2001:db8::${index}`), 0)
    expect(waits(() => throttle.attempt('b', at('2001:db8::ffff:9'), 0))).toBe(1)
    expect(waits(() => throttle.attempt('a', at('2001:db8:0:2::9'), 0))).toBe(0)
  })

  test('only the newest of a flood of names from everywhere are remembered', () => {
    const throttle = createThrottle()
    for (let index = 0; index < 5; index += 1) throttle.attempt('first', at('192.0.2.3'), 0)
    for (let index = 0; index < 100_000; index += 1)
      throttle.attempt(`name${index}`, at(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`), 1)
    expect(waits(() => throttle.attempt('first', at('192.0.2.3'), 1))).toBe(0)
  })

  test('a right password is no failure; after fifteen minutes without a failure all are forgotten', () => {
    const throttle = createThrottle()
    for (let index = 0; index < 100; index += 1) {
      expect(waits(() => throttle.attempt('a', at('192.0.2.1'), 0))).toBe(0)
      throttle.right('a', at('192.0.2.1'))
      expect(throttle.countDelay('192.0.2.1', 0)).toBe(0)
      throttle.rightFrom('192.0.2.1')
    }
    for (let index = 0; index < 5; index += 1) throttle.attempt('a', at('192.0.2.1'), 0)
    expect(waits(() => throttle.attempt('a', at('192.0.2.1'), 0))).toBe(1)
    expect(waits(() => throttle.attempt('a', at('192.0.2.1'), 15 * MINUTE + 1))).toBe(0)
  })
})

describe('the queue of slow checks', () => {
  const at = (site: string) => ({ site })
  const colleague = { account: 'colleague', isStaff: true }
  const client = (account: string) => ({ account, isStaff: false })

  test('two slow checks run at once: known devices first, then the newest, and every network gets a turn', async () => {
    const queue = createQueue()
    const order: string[] = []
    const open: (() => void)[] = []
    let running = 0
    let most = 0
    const check = (name: string) => async (): Promise<void> => {
      running += 1
      most = Math.max(most, running)
      order.push(name)
      await new Promise<void>((done) => open.push(done))
      running -= 1
    }
    const all = [
      ...['g1', 'g2', 'g3', 'g4', 'g5'].map((name) => queue(at('guesser'), check(name))),
      queue(at('other'), check('other')),
      queue(colleague, check('known')),
    ]
    while (order.length < all.length || running > 0) {
      open.shift()?.()
      await turn()
    }
    await Promise.all(all)
    expect(order).toEqual(['g1', 'g2', 'known', 'other', 'g5', 'g4', 'g3'])
    expect(most).toBe(2)
  })

  test('a slow check that fails makes room; in a flood, checks are refused with the time to come back', async () => {
    const queue = createQueue(1)
    const failing = () => Promise.reject(new Error('no'))
    const results = await Promise.allSettled([
      queue(at('a'), failing),
      queue(at('a'), failing),
      queue(colleague, async () => 'yes'),
    ])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
    let release = () => {}
    const held = queue(at('a'), () => new Promise<void>((done) => (release = done)))
    const waiting = Array.from({ length: 1000 }, (_, index) => queue(at(`n${index}`), async () => index))
    const late = queue(at('late'), async () => 'late')
    await expect(waiting[0]).rejects.toMatchObject({ status: 429, code: 'auth.slow_down' })
    const known = queue(colleague, async () => 'known')
    await turn()
    release()
    await held
    expect([await known, await late]).toEqual(['known', 'late'])
    expect(await Promise.all(waiting.slice(1))).toHaveLength(999)
  })

  test('no slow check runs for a caller who has disconnected', async () => {
    const queue = createQueue(1)
    let release = () => {}
    const held = queue(at('a'), () => new Promise<void>((done) => (release = done)))
    const hangUp = new AbortController()
    let checked = 0
    const gone = Array.from({ length: 900 }, (_, index) =>
      queue(
        at(`n${index}`),
        async () => {
          checked += 1
        },
        hangUp.signal,
      ),
    )
    const there = queue(at('there'), async () => 'there')
    hangUp.abort()
    await turn()
    release()
    await held
    expect(await there).toBe('there')
    const outcomes = await Promise.allSettled(gone)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    expect(checked).toBe(0)
  })

  test('slow checks of staff precede those of clients, an account delays only itself, unknown devices get every second turn', async () => {
    const queue = createQueue(1)
    const order: string[] = []
    let release = () => {}
    const held = queue(at('a'), () => new Promise<void>((done) => (release = done)))
    const note = (name: string) => async () => void order.push(name)
    const flood = Array.from({ length: 60 }, (_, index) => queue(client('rogue'), note(`rogue ${index}`)))
    const told = Promise.allSettled(flood)
    const others = [
      queue(client('other'), note('other')),
      queue(at('b'), note('stranger')),
      queue(at('c'), note('stranger')),
      queue(colleague, note('staff')),
    ]
    await turn()
    release()
    await Promise.all([held, ...others])
    expect((await told).filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(order).toEqual(['staff', 'stranger', 'other', 'stranger', 'rogue 59', 'rogue 58', 'rogue 57', 'rogue 56'])
  })
})

describe('guesses', () => {
  let app: TestApp
  let firm: Firm
  beforeAll(async () => {
    app = createTestApp()
    firm = await app.firm('alpha')
  })
  afterAll(() => app.close())

  let count = 0
  const member = async () => {
    count += 1
    const email = `member${count}@alpha.test`
    const body = { email, displayName: `Member ${email}`, roles: ['viewer'], password: PASSWORD }
    await app.call('POST', '/v1/users/invite', { as: firm.as.owner, body })
    const signedIn = await app.call('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const as: Caller = { id: email, headers: { cookie, 'sec-fetch-site': 'same-origin' } }
    app.clock.advance(20 * MINUTE)
    return { email, as }
  }
  const tally = (answers: { status: number }[], status: number): number =>
    answers.filter((one) => one.status === status).length

  test('guesses sent at the same time are counted before they are answered', async () => {
    const { email } = await member()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () =>
        app.call('POST', '/v1/auth/login', { body: { email, password: 'wrong wrong' } }),
      ),
    )
    expect([tally(answers, 401), tally(answers, 429)]).toEqual([5, 25])
    app.clock.advance(SECOND)
    expect((await app.call('POST', '/v1/auth/login', { body: { email, password: PASSWORD } })).status).toBe(200)
  })

  test('guesses of the current password inside a session are slowed down too', async () => {
    const { as } = await member()
    const body = { currentPassword: 'wrong wrong', newPassword: 'another long one' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.call('POST', '/v1/auth/change-password', { as, body })),
    )
    expect([tally(answers, 403), tally(answers, 429)]).toEqual([5, 5])
  })

  test('guesses of the password and code that turn off the second factor are slowed down too', async () => {
    const { as: first } = await member()
    const { secret } = (await app.call('POST', '/v1/auth/2fa/setup', { as: first })).body
    const code = new TOTP({ secret }).generate({ timestamp: app.clock.now() })
    const enabled = await app.call('POST', '/v1/auth/2fa/enable', { as: first, body: { code, password: PASSWORD } })
    const as = renewedBy(first, enabled)
    for (const body of [
      { password: PASSWORD, code: '000000' },
      { password: 'wrong wrong', code },
    ]) {
      app.clock.advance(20 * MINUTE)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => app.call('POST', '/v1/auth/2fa/disable', { as, body })),
      )
      expect([tally(answers, 403), tally(answers, 429)]).toEqual([5, 5])
    }
    app.clock.advance(20 * MINUTE)
    const right = new TOTP({ secret }).generate({ timestamp: app.clock.now() })
    expect(
      (await app.call('POST', '/v1/auth/2fa/disable', { as, body: { password: PASSWORD, code: right } })).status,
    ).toBe(200)
  })
})
