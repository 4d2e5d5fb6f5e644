import { afterEach, describe, expect, test } from 'bun:test'
import { type Answer, createTestApp, type TestApp } from '../../../testing/app.ts'
import { HOUR, MINUTE, SECOND } from '../../clock.ts'
import { createRateLimiter, type Draw, listDraws } from './rate-limit.ts'

describe('three windows at once', () => {
  const take = (limiter: ReturnType<typeof createRateLimiter>, now: number, tracker = 'ip:1') => {
    const headers: Record<string, string | number> = {}
    return { ...limiter.take([{ tracker, share: 'whole' }], now, headers), headers }
  }

  test('a rate limit counts remaining requests down, and one that is used up says how long to wait', () => {
    const limiter = createRateLimiter({ short: 2, medium: 3, long: 4 })
    expect(take(limiter, 0).headers).toEqual({
      'x-ratelimit-tracker': 'ip:1',
      'x-ratelimit-limit-short': '2',
      'x-ratelimit-remaining-short': '1',
      'x-ratelimit-reset-short': '1',
      'x-ratelimit-limit-medium': '3',
      'x-ratelimit-remaining-medium': '2',
      'x-ratelimit-reset-medium': '60',
      'x-ratelimit-limit-long': '4',
      'x-ratelimit-remaining-long': '3',
      'x-ratelimit-reset-long': '3600',
    })
    expect(take(limiter, 0).retryAfter).toBeNull()
    expect(take(limiter, 500).retryAfter).toBe(1)
    // the second is over; the refused request took nothing from the minute, so it has one request left
    const inMinute = take(limiter, SECOND)
    expect(inMinute.retryAfter).toBeNull()
    expect(inMinute.headers['x-ratelimit-remaining-medium']).toBe('0')
    const refused = take(limiter, SECOND)
    expect(refused.retryAfter).toBe(59)
    expect(refused.headers['x-ratelimit-remaining-short']).toBe('1')
    expect(take(limiter, MINUTE).retryAfter).toBeNull()
    expect(take(limiter, MINUTE).retryAfter).toBe(3540)
    expect(take(limiter, HOUR).retryAfter).toBeNull()
  })

  test('rate limits are separate for each tracker, 0 turns one off, and a clock set back locks nobody out', () => {
    const limiter = createRateLimiter({ short: 1, medium: 0, long: 0 })
    expect(take(limiter, HOUR).retryAfter).toBeNull()
    expect(take(limiter, HOUR, 'ip:2').retryAfter).toBeNull()
    expect(take(limiter, HOUR).retryAfter).toBe(1)
    expect(take(limiter, 0).retryAfter).toBeNull()
    expect(Object.keys(take(limiter, 0).headers)).toEqual([
      'x-ratelimit-tracker',
      'x-ratelimit-limit-short',
      'x-ratelimit-remaining-short',
      'x-ratelimit-reset-short',
    ])
    const off = createRateLimiter({ short: 0, medium: 0, long: 0 })
    for (let index = 0; index < 1000; index += 1) expect(take(off, 0).retryAfter).toBeNull()
  })
})

test('a flood of addresses takes limited memory, since the limiter forgets the oldest one', () => {
  const limiter = createRateLimiter({ short: 1, medium: 0, long: 0 })
  const take = (tracker: string) => limiter.take([{ tracker, share: 'whole' }], 0, {}).retryAfter
  take('ip:first')
  expect(take('ip:first')).toBe(1)
  for (let index = 0; index < 49_999; index += 1) take(`ip:${index}`)
  expect(take('ip:first')).toBe(1)
  take('ip:one more')
  expect(take('ip:first')).toBeNull()
})

describe('fair share', () => {
  const limits = { short: 0, medium: 40, long: 1000 }
  const trader = (id: string) => listDraws({ kind: 'trader', id, sessionId: 's', impersonatorId: null }, 'firm', 'x')
  const staff: Draw[] = [{ tracker: 'tenant:firm', share: 'whole' }]

  test('one client may use a quarter of a limit and all clients half of it; a refusal names its bucket', () => {
    const limiter = createRateLimiter(limits)
    const take = (draws: readonly Draw[]) => {
      const headers: Record<string, string | number> = {}
      const { retryAfter } = limiter.take(draws, 0, headers)
      return retryAfter === null ? 'fine' : headers['x-ratelimit-tracker']
    }
    const times = (count: number, draws: readonly Draw[]) => Array.from({ length: count }, () => take(draws))
    expect(times(10, trader('a'))).toEqual(Array(10).fill('fine'))
    // a thousand more refusals take nothing from anybody
    expect(new Set(times(1000, trader('a')))).toEqual(new Set(['trader:a']))
    expect(times(10, trader('b'))).toEqual(Array(10).fill('fine'))
    expect(times(10, trader('c'))).toEqual(Array(10).fill('traders:firm'))
    expect(times(20, staff)).toEqual(Array(20).fill('fine'))
    expect(take(staff)).toBe('tenant:firm')
  })

  test('a client may use a tenth of the hourly limit, and limits that are off stay off', () => {
    const limiter = createRateLimiter({ short: 0, medium: 0, long: 30 })
    const headers: Record<string, string | number> = {}
    expect(limiter.take(trader('a'), 0, headers)).toEqual({ retryAfter: null })
    expect(headers).toEqual({
      'x-ratelimit-tracker': 'trader:a',
      'x-ratelimit-limit-long': '3',
      'x-ratelimit-remaining-long': '2',
      'x-ratelimit-reset-long': '3600',
    })
  })

  test('a client’s sessions share one limit over HTTP, while staff are served', async () => {
    const app = createTestApp({ config: { rateLimits: { short: 0, medium: 40, long: 1000 } } })
    const firm = await app.firm('alpha')
    const client = await firm.trader()
    const sessions = [await firm.traderSession(client), await firm.traderSession(client)]
    const answers: Answer[] = []
    for (let index = 0; index < 60; index += 1) {
      const as = sessions[index % 2]
      if (as) answers.push(await app.call('GET', '/v1/wallets', { as }))
    }
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    const last = answers.at(-1)
    expect([last?.status, last?.headers.get('x-ratelimit-tracker')]).toEqual([429, `trader:${client}`])
    const { headers, status } = await app.call('GET', '/v1/wallets', { as: firm.as.viewer })
    expect([status, headers.get('x-ratelimit-tracker'), headers.get('x-ratelimit-remaining-medium')]).toEqual([
      200,
      `tenant:${firm.tenantId}`,
      '29',
    ])
    await app.close()
  })
})

describe('over HTTP', () => {
  let app: TestApp
  afterEach(() => app.close())
  const limited = (short: number) => createTestApp({ config: { rateLimits: { short, medium: 1000, long: 2000 } } })
  const readTracker = ({ headers }: Answer) => headers.get('x-ratelimit-tracker')

  test('every answer, even a refusal, has the rate limits; the tracker is the key, else the firm, else the address', async () => {
    app = limited(100)
    const firm = await app.firm('alpha')
    const key = await firm.key(['traders:read'])
    const answers = {
      session: await app.call('GET', '/v1/traders', { as: firm.as.viewer }),
      key: await app.call('GET', '/v1/traders', { as: key }),
      anonymous: await app.call('GET', '/v1/setup'),
      unauthorized: await app.call('GET', '/v1/traders'),
      forbidden: await app.call('POST', '/v1/traders', { as: firm.as.viewer, body: {} }),
      missing: await app.call('GET', '/v1/traders/nothing', { as: firm.as.viewer }),
      nowhere: await app.call('GET', '/v1/nothing-of-the-kind', { as: firm.as.viewer }),
      invalid: await app.call('POST', '/v1/traders', { as: firm.as.operator, body: {} }),
      malformed: await app.call('POST', '/v1/traders', {
        as: firm.as.operator,
        raw: '{',
        headers: { 'content-type': 'application/json' },
      }),
      text: await app.call('POST', '/v1/traders', {
        as: firm.as.operator,
        raw: 'x',
        headers: { 'content-type': 'text/plain' },
      }),
    }
    const names = ['limit', 'remaining', 'reset'].flatMap((what) =>
      ['short', 'medium', 'long'].map((tier) => `x-ratelimit-${what}-${tier}`),
    )
    for (const [name, { headers }] of Object.entries(answers))
      for (const header of names) expect([name, headers.get(header)]).toEqual([name, expect.stringMatching(/^\d+$/)])
    expect(readTracker(answers.session)).toBe(`tenant:${firm.tenantId}`)
    expect(readTracker(answers.key)).toBe(`key:${key.id}`)
    expect(readTracker(answers.anonymous)).toBe('ip:127.0.0.1')
    expect(readTracker(answers.missing)).toBe(`tenant:${firm.tenantId}`)
    expect(answers.session.headers.get('x-ratelimit-limit-medium')).toBe('1000')
  })

  test('a 429 says when to try again, other callers are served meanwhile, and a second later a request works', async () => {
    app = limited(3)
    const firm = await app.firm('alpha')
    const key = await firm.key(['traders:read'])
    const ask = () => app.call('GET', '/v1/traders', { as: key })
    for (let index = 0; index < 3; index += 1) expect((await ask()).status).toBe(200)
    const refused = await ask()
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([429, 'rate_limited', '1'])
    expect(refused.headers.get('x-ratelimit-remaining-short')).toBe('0')
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect((await app.call('GET', '/v1/traders', { as: firm.as.viewer })).status).toBe(200)
    app.clock.advance(SECOND)
    expect((await ask()).status).toBe(200)
  })

  test('an invalid credential counts against the address: a made-up key does not choose a bucket', async () => {
    app = limited(5)
    const firm = await app.firm('alpha')
    const { key } = await firm.key(['traders:read'])
    const statuses: number[] = []
    for (let index = 0; index < 8; index += 1) {
      const forged = `${key.slice(0, -4)}${String(index).padStart(4, 'A')}`
      const answer = await app.call('GET', '/v1/traders', { headers: { 'x-api-key': forged } })
      statuses.push(answer.status)
      expect(readTracker(answer)).toBe('ip:127.0.0.1')
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    // the owner of the key is not locked out by it
    expect((await app.call('GET', '/v1/traders', { headers: { 'x-api-key': key } })).status).toBe(200)
    const cookies = await app.call('GET', '/v1/traders', { headers: { cookie: 'crm_session=nobody' } })
    expect([cookies.status, readTracker(cookies)]).toEqual([429, 'ip:127.0.0.1'])
  })

  test('X-Forwarded-For counts only behind a trusted proxy: the last hop that is no trusted proxy is the client', async () => {
    app = createTestApp({ config: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'] } })
    const from = async (chain: string) =>
      readTracker(await app.call('GET', '/v1/setup', { headers: { 'x-forwarded-for': chain } }))
    expect(await from('203.0.113.7')).toBe('ip:203.0.113.7')
    expect(await from('1.2.3.4, 203.0.113.7, 10.0.0.9')).toBe('ip:203.0.113.7')
    expect(await from('nonsense')).toBe('ip:127.0.0.1')
    expect(await from('2001:db8:1:2:3:4:5:6')).toBe('ip:2001:db8:1:2::/64')
    expect(await from('::ffff:203.0.113.7')).toBe('ip:203.0.113.7')
    // some proxies add the port; a hop that is not an address makes those before it mere claims
    expect(await from('1.2.3.4, 203.0.113.7:4711, 10.0.0.9:80')).toBe('ip:203.0.113.7')
    expect(await from('1.2.3.4, [2001:db8::1]:4711')).toBe('ip:2001:db8:0:0::/64')
    expect(await from('1.2.3.4, unknown, 10.0.0.9')).toBe('ip:10.0.0.9')
    // old forms of numbers are not addresses, and a chain has at most twenty proxies
    for (const old of ['010.1.1.1', '1', '0x7f.1', '2130706433', '::ffff:010.1.1.1', '1%1.1.1.1'])
      expect(await from(`1.2.3.4, ${old}, 10.0.0.9`)).toBe('ip:10.0.0.9')
    const row = (count: number) => Array.from({ length: count }, (_, n) => `10.0.1.${n}`)
    expect(await from(['203.0.113.7', ...row(19)].join())).toBe('ip:203.0.113.7')
    expect(await from(['203.0.113.7', ...row(20)].join())).toBe('ip:10.0.1.0')
    const direct = createTestApp()
    const answer = await direct.call('GET', '/v1/setup', { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect(readTracker(answer)).toBe('ip:127.0.0.1')
    await direct.close()
  })
})
