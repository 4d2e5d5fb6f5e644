import { afterEach, expect, test } from 'bun:test'
import { createTestApp, type TestApp } from '../../../testing/app.ts'
import { rawRequest } from '../../../testing/raw-http.ts'
import { DAY, HOUR, MINUTE } from '../../clock.ts'
import { WriterBusy } from '../../db/writer.ts'
import { eventNames } from '../../events/catalogue.ts'
import { TaskFailed, TaskStopped, taskRunner } from '../../query-runner/task.ts'

let app: TestApp
afterEach(() => app.close())

/** Creates an application, and returns a function that lists what it wrote to its log. */
function logged(config: Parameters<typeof createTestApp>[0] = {}) {
  const lines: Record<string, unknown>[] = []
  app = createTestApp({ ...config, log: (line) => lines.push(JSON.parse(line)) })
  return (message: string) => lines.filter(({ msg }) => msg === message)
}

test('the log has no error if a caller leaves while a child works for them, and has one if the child dies', async () => {
  const said = logged()
  const firm = await app.firm('alpha')
  const left = new AbortController()
  /** Requests the dashboard, whose child ends with an error after the caller left. */
  const ask = (error: Error) => {
    const { run } = taskRunner
    taskRunner.run = async () => {
      left.abort()
      throw error
    }
    const { headers } = firm.as.owner
    const url = 'http://localhost/v1/admin/reporting/dashboard?currency=EUR'
    return app
      .send(new Request(url, { headers: { host: 'localhost', ...headers }, signal: left.signal }))
      .finally(() => {
        taskRunner.run = run
      })
  }
  await ask(new TaskStopped('reports.dashboard'))
  expect(said('request failed')).toEqual([])
  expect(said('the caller left')).toMatchObject([{ level: 'debug' }])
  await ask(new TaskFailed('reports.dashboard failed: a bug'))
  expect(said('request failed')).toMatchObject([{ level: 'error' }])
})

test('a wrong method on a known path is a 405 that names the others', async () => {
  app = createTestApp()
  const answer = await app.call('DELETE', '/v1/traders')
  expect([answer.status, answer.body.code, answer.headers.get('allow')]).toEqual([
    405,
    'method_not_allowed',
    'GET, HEAD, POST',
  ])
  expect((await app.call('PUT', '/v1/traders/trd_1')).headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH')
  expect((await app.call('POST', '/admin/traders')).status).toBe(405)
  expect((await app.call('DELETE', '/v1/nothing')).status).toBe(404)
})

test('a list takes a bare date as the start of that day in UTC, and refuses an impossible date by its parameter', async () => {
  app = createTestApp()
  const firm = await app.firm('alpha')
  const as = firm.as.viewer
  await firm.trader()
  const count = async (query: string) => (await app.call('GET', `/v1/traders?${query}`, { as })).body.data.length
  expect([await count('from=2026-01-15'), await count('from=2026-01-16'), await count('to=2026-01-15')]).toEqual([
    1, 0, 0,
  ])
  for (const day of ['2026-02-30', '2026-02-30T00:00:00Z', 'Sat Jan 03 2026', '2026-1-1']) {
    const { status, body } = await app.call('GET', `/v1/traders?from=${encodeURIComponent(day)}`, { as })
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          path: 'query.from',
          code: 'invalid',
          message: 'must be a time such as 2026-01-31T09:00:00Z, or a date',
        },
      ],
    ])
  }
})

test('refusals of a wrong limit and of a text that is too long say in words what is allowed', async () => {
  app = createTestApp()
  const firm = await app.firm('alpha')
  const limit = await app.call('GET', '/v1/traders?limit=201', { as: firm.as.viewer })
  expect(limit.body.errors[0].message).toBe('must be a whole number from 1 to 200')
  const body = { email: 'a@b.test', firstName: 'x'.repeat(10_000) }
  const long = await app.call('POST', '/v1/traders', { as: firm.as.operator, body })
  expect(long.body.errors[0]).toEqual({
    path: 'firstName',
    code: 'invalid',
    message: 'must have at most 100 characters',
  })
})

test('a refusal that lists allowed values ends after a whole value and shows that more are missing', async () => {
  app = createTestApp()
  const firm = await app.firm('alpha')
  const body = { url: 'https://example.com/hook', events: ['nothing'] }
  const answer = await app.call('POST', '/v1/webhooks/subscriptions', { as: firm.as.admin, body })
  const [error] = answer.body.errors
  expect(error.path).toBe('events.0')
  const [, list = ''] = /^must be one of (.*), …$/.exec(error.message) ?? []
  const words = list.split(', ')
  expect(words).toEqual(eventNames.slice(0, words.length))
  expect(words.length).toBeGreaterThan(5)
})

test('an answer that is repeated for its Idempotency-Key has the ETag of the first one', async () => {
  app = createTestApp()
  const firm = await app.firm('alpha')
  const send = () =>
    app.call('POST', '/v1/traders', {
      as: firm.as.operator,
      body: { email: 'a@b.test' },
      headers: { 'idempotency-key': 'k' },
    })
  const [first, again] = [await send(), await send()]
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(again.headers.get('etag')).not.toBeNull()
})

test('a request with a foreign Host is counted; other allowed origins may read the limits; an https address sends HSTS', async () => {
  app = createTestApp({
    config: {
      rateLimits: { short: 0, medium: 2, long: 0 },
      allowedOrigins: ['https://desk.example'],
      publicUrl: 'https://office.example',
    },
  })
  const foreign = await app.call('GET', '/v1/setup', { headers: { host: 'evil.example' } })
  expect([foreign.status, foreign.headers.get('x-ratelimit-remaining-medium')]).toEqual([421, '1'])
  const known = await app.call('GET', '/v1/setup', { headers: { origin: 'https://desk.example' } })
  expect(known.headers.get('access-control-expose-headers')).toContain('x-ratelimit-remaining-medium')
  expect(known.headers.get('access-control-allow-headers')).toContain('if-none-match')
  expect(known.headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect((await app.call('GET', '/v1/setup', { headers: { host: 'evil.example' } })).status).toBe(429)
  const plain = createTestApp()
  expect((await plain.call('GET', '/v1/setup')).headers.has('strict-transport-security')).toBe(false)
  await plain.close()
})

test('the log names who is refused, without secrets, except a visitor who is asked to sign in', async () => {
  const lines = logged()
  const firm = await app.firm('alpha')
  const { key } = await firm.key(['traders:read'])
  await app.call('GET', '/v1/traders')
  expect(lines('request refused')).toEqual([])
  await app.call('GET', '/v1/traders', { headers: { 'x-api-key': `${key.slice(0, -4)}AAAA` } })
  await app.call('POST', '/v1/traders?a=secret', { as: firm.as.viewer, body: {} })
  const [bad, forbidden] = lines('request refused')
  expect(bad).toMatchObject({
    level: 'warn',
    status: 401,
    reason: 'unauthorized',
    caller: 'anonymous',
    ip: '127.0.0.1',
  })
  expect(forbidden).toMatchObject({
    status: 403,
    reason: 'forbidden',
    caller: `user ${firm.as.viewer.id}`,
    tenantId: firm.tenantId,
    method: 'POST',
    path: '/v1/traders',
  })
  expect(JSON.stringify([bad, forbidden])).not.toMatch(/AAAA|secret|crm_live/)
})

test('a flood of refusals is logged as sixty lines a minute and a count', async () => {
  const lines = logged()
  const firm = await app.firm('alpha')
  const refused = () => app.call('POST', '/v1/traders', { as: firm.as.viewer, body: {} })
  for (let index = 0; index < 200; index += 1) await refused()
  expect(lines('request refused')).toHaveLength(60)
  app.clock.advance(MINUTE)
  await refused()
  expect(lines('request refused')).toHaveLength(61)
  expect(lines('more requests were refused')).toMatchObject([{ refusals: 140 }])
})

test('a busy server logs a line without a stack, at most sixty a minute', async () => {
  const lines = logged()
  const firm = await app.firm('alpha')
  const { writer } = app.platform
  const submit = writer.submit
  Object.assign(writer, { submit: () => Promise.reject(new WriterBusy('too many writes wait')) })
  const create = () => app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email: 'a@b.test' } })
  for (let index = 0; index < 70; index += 1) expect((await create()).status).toBe(503)
  Object.assign(writer, { submit: () => Promise.reject(new Error('unforeseen')) })
  expect((await create()).status).toBe(500)
  Object.assign(writer, { submit })
  expect(lines('request refused')).toHaveLength(60)
  const [first] = lines('request refused')
  expect(first).toMatchObject({ level: 'warn', status: 503, reason: 'unavailable', path: '/v1/traders' })
  expect(first).not.toHaveProperty('err')
  expect(lines('request failed')).toMatchObject([{ level: 'error', path: '/v1/traders' }])
})

test('a failed request frees its Idempotency-Key, even if reporting the failure fails', async () => {
  app = createTestApp()
  const firm = await app.firm('alpha')
  const { writer, log } = app.platform
  const { submit } = writer
  const { error } = log
  const create = () =>
    app.call('POST', '/v1/traders', {
      as: firm.as.operator,
      body: { email: 'a@b.test' },
      headers: { 'idempotency-key': 'k' },
    })
  Object.assign(writer, { submit: () => Promise.reject(new Error('unforeseen')) })
  log.error = () => {
    throw new Error('the log is broken')
  }
  await create().catch(() => null)
  Object.assign(writer, { submit })
  log.error = error
  expect((await create()).status).toBe(201)
})

test('a proxy that is not configured is reported once an hour', async () => {
  const about = logged({ config: { trustedProxies: ['10.0.0.0/8'] } })
  const warnings = () =>
    about(
      'X-Forwarded-For comes from a peer that is no trusted proxy and is not believed; if it is your proxy, name its network in BROKERBASE_TRUSTED_PROXIES, or everybody behind it counts as one caller',
    )
  const ask = () => app.call('GET', '/v1/setup', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect((await ask()).headers.get('x-ratelimit-tracker')).toBe('ip:127.0.0.1')
  await ask()
  expect(warnings()).toMatchObject([{ level: 'warn', peer: '127.0.0.1' }])
  app.clock.advance(HOUR)
  await ask()
  expect(warnings()).toHaveLength(2)
})

test('two request ids do not reveal how many requests came between them', async () => {
  app = createTestApp()
  const readRequestId = async () => (await app.call('GET', '/health')).headers.get('x-request-id') ?? ''
  const [first, second] = [await readRequestId(), await readRequestId()]
  expect(first).toMatch(/^[0-9a-z]{12}$/)
  expect(first.slice(0, 8)).not.toBe(second.slice(0, 8))
})

test('a path that a proxy may read differently is refused before its route; a query may contain anything', async () => {
  app = createTestApp({ config: { rateLimits: { short: 100, medium: 0, long: 0 } } })
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => app.send(request) })
  const said = async (target: string) => {
    const answer = await rawRequest(server.url.href, [`GET ${target} HTTP/1.1`, 'Host: localhost'])
    return [answer.slice(9, 12), /"code":"(\w+)"/.exec(answer)?.[1], /x-ratelimit-tracker/i.test(answer)]
  }
  try {
    const targets = [
      '/%2e%2e%2fdocs',
      '/v1%2fsetup',
      '/v1%5Csetup',
      '/a.%2Ejson',
      '//docs',
      '/v1//setup',
      '/docs//json',
    ]
    for (const target of targets)
      expect([target, ...(await said(target))]).toEqual([target, '400', 'malformed_url', true])
    expect((await said('/v1/setup'))[0]).toBe('200')
    expect((await said('/docs/guide/start?from=%2e%2e%2f//'))[0]).toBe('200')
  } finally {
    await server.stop(true)
  }
})

test('the explorer and the guide are for everybody, for staff and their keys, or for nobody', async () => {
  const pages = ['/docs', '/docs/json', '/docs/guide/start', '/docs/guide?x=1']
  const answers = async (as?: { headers: Readonly<Record<string, string>>; id: string }) =>
    Promise.all(pages.map(async (path) => (await app.call('GET', path, as ? { as } : {})).status))
  app = createTestApp()
  const open = await answers()
  expect(open.slice(1)).toEqual([200, 200, 302])
  await app.close()

  app = createTestApp({ config: { docs: 'staff' } })
  const firm = await app.firm('alpha')
  expect(await answers()).toEqual([401, 401, 401, 401])
  expect(await answers(await firm.traderSession(await firm.trader()))).toEqual([401, 401, 401, 401])
  expect(await answers(firm.as.viewer)).toEqual(open)
  expect(await answers(await firm.key(['traders:read']))).toEqual(open)
  await app.close()

  app = createTestApp({ config: { docs: 'off' } })
  const closed = await app.firm('alpha')
  expect(await answers(closed.as.owner)).toEqual([404, 404, 404, 404])
})

test('/.well-known/security.txt names the contact of the operator, and is a 404 without one', async () => {
  const path = '/.well-known/security.txt'
  app = createTestApp()
  expect((await app.call('GET', path)).status).toBe(404)
  await app.close()
  app = createTestApp({
    config: { securityContact: 'mailto:security@firm.test', publicUrl: 'https://office.example' },
  })
  const { status, text } = await app.call('GET', path)
  expect(status).toBe(200)
  expect(text.split('\n')).toEqual([
    'Contact: mailto:security@firm.test',
    `Expires: ${new Date(app.clock.now() + 180 * DAY).toISOString()}`,
    'Preferred-Languages: en',
    'Canonical: https://office.example/.well-known/security.txt',
    '',
  ])
})
