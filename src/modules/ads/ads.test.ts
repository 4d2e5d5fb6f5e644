import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../platform/clock.ts'
import { type Answer, type Caller, createTestApp, type Firm, type TestApp } from '../../testing/app.ts'
import { type GraphApi, graphErrors, leadNotification, signed, startGraphApi } from '../../testing/fakes/graph-api.ts'
import { fetchAdLeads } from './ads.jobs.ts'

const appSecret = 'the-secret-of-our-app-0001'
const verifyToken = 'our-verify-token-0002'
let app: TestApp
let firm: Firm
let other: Firm
let graph: GraphApi
const lines: string[] = []
const answers: Answer[] = []

beforeAll(async () => {
  graph = startGraphApi()
  app = createTestApp({
    config: { allowedNetworks: ['127.0.0.0/8'], graph: { url: graph.url, version: 'v24.0' } },
    log: (line) => void lines.push(line),
  })
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(async () => {
  await app.close()
  await graph.stop()
})

let serial = 0
/** A number that nothing else has. */
const number = (): string => {
  serial += 1
  return String(41_000 + serial)
}
const call: TestApp['call'] = async (...request) => {
  const answer = await app.call(...request)
  answers.push(answer)
  return answer
}
const connect = async (values: object = {}, of = firm) => {
  const page = number()
  graph.pages.set(page, { name: `Page ${page}`, allowed: true })
  const { status, body } = await call('POST', '/v1/ads/connections', {
    as: of.as.admin,
    body: {
      platform: 'social',
      name: 'Spring',
      credentials: { accessToken: graph.token, appSecret, verifyToken },
      pageIds: [page],
      ...values,
    },
  })
  expect(status).toBe(201)
  of.effects()
  return { id: String(body.id), page, path: `/v1/ads/connections/${body.id}` }
}
const read = async (path: string, as: Caller = firm.as.manager) => (await call('GET', path, { as })).body
const lead = (page: string, answers?: Record<string, string | string[]>, facts?: Record<string, unknown>): string => {
  const id = `99${number()}`
  const contact = answers ?? { email: `p${id}@example.com`, full_name: 'Ada King Byron' }
  graph.leads.set(id, { id, form: '9', page, at: app.clock.now(), answers: contact, ...(facts ? { facts } : {}) })
  return id
}
const notify = (leads: readonly { page: string; lead: string }[], secret = appSecret) =>
  call('POST', '/v1/ads/meta/webhook', leadNotification(secret, leads))
const run = () => fetchAdLeads.run({ platform: app.platform, signal: new AbortController().signal })
const stored = (id: string) =>
  app.platform.reader.all<{ status: string; attempts: number; last_error: string | null }>(
    'SELECT status, attempts, last_error FROM ad_notifications WHERE connection_id = ? ORDER BY rowid',
    [id],
  )
const leadOf = async (leadGenId: string, of = firm) =>
  app.platform.reader.get<{ id: string }>('SELECT id FROM leads WHERE tenant_id = ? AND lead_gen_id = ?', [
    of.tenantId,
    leadGenId,
  ])

describe('/v1/ads/connections', () => {
  test('an admin connects, changes and removes; credentials are in no answer', async () => {
    const { path, page } = await connect({ adAccountId: 'act_71', pixelId: '72', datasetId: '73' })
    expect(await read(path)).toMatchObject({
      ...{ platform: 'social', name: 'Spring', adAccountId: 'act_71', pixelId: '72', datasetId: '73' },
      ...{ pageIds: [page], status: 'active', lastError: null, backfills: [], version: 1 },
    })
    const patched = await call('PATCH', path, {
      as: firm.as.admin,
      body: { name: 'Autumn', pageIds: [page, '7'], pixelId: null, status: 'disabled' },
      headers: { 'if-match': '"1"' },
    })
    expect(patched.body).toMatchObject({ name: 'Autumn', pageIds: [page, '7'], pixelId: null, status: 'disabled' })
    expect(firm.effects()).toEqual({ events: [], actions: ['ads.update'] })
    const stale = await call('PATCH', path, { as: firm.as.admin, body: { name: 'x' }, headers: { 'if-match': '"1"' } })
    expect(stale.status).toBe(412)
    expect((await read('/v1/ads/connections?status=disabled')).data).toMatchObject([{ name: 'Autumn' }])
    expect((await call('DELETE', path, { as: firm.as.admin })).status).toBe(204)
    expect((await call('GET', path, { as: firm.as.admin })).status).toBe(404)
    // what it was let in by is gone with it
    const row = app.platform.reader.get(
      'SELECT length(credentials) AS bytes, verify_hash FROM ad_connections WHERE name = ?',
      ['Autumn'],
    )
    expect(row).toEqual({ bytes: 0, verify_hash: null })
    expect(app.platform.reader.all('SELECT 1 FROM ad_pages WHERE page_id = ?', [page])).toEqual([])
  })

  test('a firm sees its own only: another one’s is the 404 of an absent one', async () => {
    const { path } = await connect()
    expect((await read('/v1/ads/connections', other.as.owner)).data).toEqual([])
    const [foreign, absent] = [
      await call('GET', path, { as: other.as.owner }),
      await call('GET', '/v1/ads/connections/adc_none', { as: other.as.owner }),
    ]
    expect([foreign.status, foreign.body.detail]).toEqual([404, absent.body.detail])
    for (const [method, at, body] of [
      ['PATCH', path, { name: 'mine' }],
      ['DELETE', path, undefined],
      ['POST', `${path}/test`, undefined],
    ] as const)
      expect((await call(method, at, { as: other.as.owner, ...(body ? { body } : {}) })).status).toBe(404)
  })

  test('managers read, only admins write, operators see nothing', async () => {
    const { path } = await connect()
    expect((await call('GET', path, { as: firm.as.manager })).status).toBe(200)
    expect((await call('GET', path, { as: firm.as.operator })).status).toBe(403)
    expect((await call('PATCH', path, { as: firm.as.manager, body: { name: 'x' } })).status).toBe(403)
    expect((await call('POST', `${path}/test`, { as: firm.as.manager })).status).toBe(403)
    const key = await firm.key(['ads:read'])
    expect((await call('GET', path, { as: key })).status).toBe(200)
    expect((await call('DELETE', path, { as: key })).status).toBe(403)
  })

  test.each([
    [{ credentials: { accessToken: 'a', appSecret: 'b' } }, 'credentials.verifyToken'],
    [{ credentials: { accessToken: 'a\r\nx: y', appSecret: 'b', verifyToken: 'c' } }, 'credentials.accessToken'],
    [{ pageIds: ['../me'] }, 'pageIds.0'],
    [{ adAccountId: '..' }, 'adAccountId'],
    [{ platform: 'other' }, 'platform'],
    [{ status: 'error' }, 'status'],
  ])('%j is refused by name', async (values, field) => {
    const body = {
      ...{ platform: 'social', name: 'x', credentials: { accessToken: 'a', appSecret: 'b', verifyToken: 'c' } },
      ...values,
    }
    const { status, body: problem } = await call('POST', '/v1/ads/connections', { as: firm.as.admin, body })
    expect([status, problem.errors[0].path]).toEqual([422, field])
  })

  test('a page is in five connections of a firm at most', async () => {
    const page = number()
    for (let n = 0; n < 5; n += 1) await connect({ pageIds: [page] })
    const credentials = { accessToken: 'a', appSecret: 'b', verifyToken: 'c' }
    const body = { platform: 'social', name: 'x', credentials, pageIds: [page] }
    const sixth = await call('POST', '/v1/ads/connections', { as: firm.as.admin, body })
    expect([sixth.status, sixth.body.errors[0].code]).toEqual([422, 'too_many'])
    expect((await call('POST', '/v1/ads/connections', { as: other.as.admin, body })).status).toBe(201)
  })

  test('credentials want a sign-in of the last 15 minutes', async () => {
    const { path } = await connect()
    const age = (at: number) =>
      app.platform.writer.submit(() =>
        app.platform.connection.run('UPDATE sessions SET proven_at = ?2, created_at = ?2 WHERE user_id = ?1', [
          firm.as.admin.id,
          at,
        ]),
      )
    await age(0)
    const credentials = { accessToken: 'a', appSecret: 'b', verifyToken: 'c' }
    const refused = await call('PATCH', path, { as: firm.as.admin, body: { credentials } })
    expect([refused.status, refused.body.code]).toEqual([403, 'reauthentication_required'])
    expect((await call('PATCH', path, { as: firm.as.admin, body: { name: 'Still' } })).status).toBe(200)
    await age(app.clock.now() + 1e12)
  })
})

describe('POST /v1/ads/connections/{id}/test', () => {
  test('says what identity, ad account and each page said, with the token in a header', async () => {
    const { path, page } = await connect({ adAccountId: '71' })
    const from = graph.calls.length
    const { status, body } = await call('POST', `${path}/test`, { as: firm.as.admin })
    expect([status, body.status, body.lastError]).toEqual([200, 'active', null])
    expect(body.checks).toEqual([
      { what: 'identity', id: '1000', ok: true, name: 'Marketing robot', message: null },
      { what: 'ad_account', id: '71', ok: true, name: 'Ad account', message: null },
      { what: 'page', id: page, ok: true, name: `Page ${page}`, message: null },
    ])
    const calls = graph.calls.slice(from)
    expect(calls.map(({ path }) => path).toSorted()).toEqual(
      ['/v24.0/act_71', `/v24.0/${page}`, '/v24.0/me'].toSorted(),
    )
    expect(calls.every(({ authorization }) => authorization === `Bearer ${graph.token}`)).toBe(true)
    expect(calls.some(({ url }) => url.includes(graph.token) || url.includes(appSecret))).toBe(false)
    expect(firm.effects()).toEqual({ events: [], actions: ['ads.test'] })
  })

  test('a page without permission makes an error of it, and a test that succeeds ends that', async () => {
    const { path, page } = await connect()
    graph.pages.set(page, { name: 'Closed', allowed: false })
    const failed = await call('POST', `${path}/test`, { as: firm.as.admin })
    expect(failed.body).toMatchObject({ status: 'error', checks: [{ ok: true }, { ok: false, id: page }] })
    expect(failed.body.lastError).toBe(`Page ${page}: (#200) Requires pages_manage_ads permission`)
    expect(await read(path)).toMatchObject({ status: 'error', lastError: failed.body.lastError })
    graph.pages.set(page, { name: 'Open', allowed: true })
    expect((await call('POST', `${path}/test`, { as: firm.as.admin })).body).toMatchObject({
      status: 'active',
      lastError: null,
    })
  })

  test('a token that the platform repeats in its words is in no answer', async () => {
    const accessToken = 'EAABmalformedTokenWithNumbers12345'
    const { path } = await connect({ credentials: { accessToken, appSecret, verifyToken }, pageIds: [] })
    const { body, text } = await call('POST', `${path}/test`, { as: firm.as.admin })
    expect(body.lastError).toBe('Identity: The platform refuses the access token: Malformed access token …')
    expect(text).not.toContain(accessToken)
  })

  test('a wait is no error; what is disabled stays so; a platform that is away is one', async () => {
    const { path } = await connect({ pageIds: [] })
    graph.throttleNext(1, 7)
    const waiting = await call('POST', `${path}/test`, { as: firm.as.admin })
    expect([waiting.body.status, waiting.body.checks[0].ok]).toEqual(['active', false])
    expect(Date.parse((await read(path)).waitsUntil)).toBe(app.clock.now() + 7 * MINUTE)
    await call('PATCH', path, { as: firm.as.admin, body: { status: 'disabled' } })
    expect((await call('POST', `${path}/test`, { as: firm.as.admin })).body.status).toBe('disabled')
    await call('PATCH', path, { as: firm.as.admin, body: { status: 'active' } })
    graph.answerNext(graphErrors.broken)
    expect((await call('POST', `${path}/test`, { as: firm.as.admin })).body).toMatchObject({
      status: 'error',
      lastError: 'Identity: The platform answered 503 without a reason.',
    })
  })
})

describe('GET /v1/ads/meta/webhook', () => {
  const shake = (token: string, mode = 'subscribe') =>
    call('GET', `/v1/ads/meta/webhook?hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=1158201444`)

  test('echoes the challenge as text to whoever has the verify token of a connection', async () => {
    await connect()
    const answer = await shake(verifyToken)
    expect([answer.status, answer.text]).toEqual([200, '1158201444'])
    expect(answer.headers.get('content-type')).toStartWith('text/plain')
    expect((await shake('another-token')).status).toBe(403)
    expect((await shake(verifyToken, 'unsubscribe')).status).toBe(403)
    const bare = await call('GET', `/v1/ads/meta/webhook?hub.mode=subscribe&hub.verify_token=${verifyToken}`)
    expect([bare.status, bare.body.errors[0].path]).toEqual([422, 'query.hub.challenge'])
  })

  test('a token that was replaced, or whose connection is gone, opens nothing', async () => {
    const credentials = (token: string) => ({ accessToken: graph.token, appSecret, verifyToken: token })
    const { path } = await connect({ credentials: credentials('first-token') })
    await call('PATCH', path, { as: firm.as.admin, body: { credentials: credentials('second-token') } })
    expect((await shake('first-token')).status).toBe(403)
    expect((await shake('second-token')).status).toBe(200)
    await call('DELETE', path, { as: firm.as.admin })
    expect((await shake('second-token')).status).toBe(403)
  })
})

describe('POST /v1/ads/meta/webhook', () => {
  beforeEach(async () => {
    graph.delay(0)
    graph.expire(false)
    // what the test before left undone
    const { connection, writer } = app.platform
    await writer.submit(() => {
      connection.run('DELETE FROM ad_notifications')
      connection.run('UPDATE ad_connections SET wait_until = 0')
    })
  })

  test('is answered at once, and its lead is fetched afterwards', async () => {
    const { id, page, path } = await connect()
    const gen = lead(page, {
      email: 'Ada.Byron@Example.com',
      phone_number: '+357 22 123456',
      full_name: 'Ada King Byron',
      country: 'cy',
      'What do you trade?': ['Gold', 'Oil'],
    })
    const from = graph.calls.length
    const answer = await notify([{ page, lead: gen }])
    expect([answer.status, answer.body]).toEqual([200, { received: 1 }])
    expect(graph.calls.length).toBe(from)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect(await run()).toBe('1 calls for leads')
    expect(firm.effects()).toEqual({ events: ['lead.created'], actions: ['ads.lead'] })
    const row = await leadOf(gen)
    expect(await read(`/v1/leads/${row?.id}`)).toMatchObject({
      ...{ email: 'ada.byron@example.com', phone: '+35722123456', firstName: 'Ada', lastName: 'King Byron' },
      ...{ country: 'CY', source: 'social', campaign: 'Spring', leadGenId: gen, status: 'new' },
      metadata: { 'What do you trade?': 'Gold, Oil', ad: { id: '71', name: 'Spring video', campaignId: '81' } },
    })
    expect(stored(id)).toEqual([{ status: 'done', attempts: 0, last_error: null }])
    expect((await read(path)).lastLeadAt).not.toBeNull()
    expect(await run()).toBeNull()
  })

  test('repeats and another order make no second lead, nor does another form with the same address', async () => {
    const { page } = await connect()
    const [first, second] = [lead(page), lead(page)]
    const same = lead(page, { email: `p${first}@example.com` })
    for (const leads of [[second, first], [first], [same, second, first]])
      expect((await notify(leads.map((one) => ({ page, lead: one })))).status).toBe(200)
    await run()
    await notify([{ page, lead: first }])
    await run()
    expect(firm.effects()).toEqual({
      events: ['lead.created', 'lead.created'],
      actions: ['ads.lead', 'ads.lead'],
    })
    expect(await leadOf(same)).toBeUndefined()
  })

  test('is believed for exactly the connections of its page whose secret fits', async () => {
    const page = number()
    graph.pages.set(page, { name: 'Shared', allowed: true })
    const mine = await connect({ pageIds: [page] })
    const theirs = await connect({ pageIds: [page] }, other)
    const wrong = await connect({
      pageIds: [page],
      credentials: { accessToken: graph.token, appSecret: 'another-app', verifyToken },
    })
    const elsewhere = await connect()
    const gen = lead(page)
    expect((await notify([{ page, lead: gen }])).body).toEqual({ received: 2 })
    expect([mine, theirs, wrong, elsewhere].map(({ id }) => stored(id).length)).toEqual([1, 1, 0, 0])
    await run()
    expect(await leadOf(gen, firm)).toBeDefined()
    expect(await leadOf(gen, other)).toBeDefined()
    firm.effects()
    other.effects()
  })

  test('a signature that fits nothing stores nothing', async () => {
    const { id, page } = await connect()
    const gen = lead(page)
    const { raw, headers } = leadNotification(appSecret, [{ page, lead: gen }])
    const post = (body: string, given: Record<string, string>) =>
      call('POST', '/v1/ads/meta/webhook', { raw: body, headers: given })
    const refused = [
      await post(raw, signed('another secret', raw)),
      await post(`${raw} `, headers),
      await post(raw, { 'content-type': 'application/json' }),
      await post(raw, { ...headers, 'x-hub-signature-256': 'sha256=short' }),
      await post('not json', signed(appSecret, 'not json')),
      await post('{"entry":[]}', signed(appSecret, '{"entry":[]}')),
      await notify([{ page: '1', lead: gen }]),
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [401, 'ads.bad_signature']),
    )
    const large = JSON.stringify({ entry: [{ id: page, changes: [] }], x: 'x'.repeat(256 * 1024) })
    expect((await post(large, signed(appSecret, large))).status).toBe(413)
    expect(stored(id)).toEqual([])
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('ids that came as numbers keep every digit; other news of a page is none of ours', async () => {
    const { id, page } = await connect()
    const raw = `{"object":"page","entry":[{"id":${page},"changes":[{"field":"feed","value":{"leadgen_id":5}},
      {"field":"leadgen","value":{"leadgen_id":12345678901234567891}}]}]}`
    const answer = await call('POST', '/v1/ads/meta/webhook', { raw, headers: signed(appSecret, raw) })
    expect(answer.body).toEqual({ received: 1 })
    const row = app.platform.reader.get('SELECT lead_gen_id FROM ad_notifications WHERE connection_id = ?', [id])
    expect(row).toEqual({ lead_gen_id: '12345678901234567891' })
    await run()
  })

  test('the platform asks to wait: as long as it says, else longer each time', async () => {
    const { id, page, path } = await connect()
    const gen = lead(page)
    await notify([{ page, lead: gen }])
    graph.throttleNext(1, 17)
    await run()
    const waits = async () => Date.parse((await read(path)).waitsUntil) - app.clock.now()
    expect(await waits()).toBe(17 * MINUTE)
    const from = graph.calls.length
    app.clock.advance(16 * MINUTE)
    await run()
    expect(graph.calls.length).toBe(from)
    app.clock.advance(2 * MINUTE)
    graph.throttleNext(1, undefined, 4)
    await run()
    expect(await waits()).toBe(2 * MINUTE)
    app.clock.advance(3 * MINUTE)
    graph.throttleNext(1, undefined, 613)
    await run()
    expect(await waits()).toBe(4 * MINUTE)
    app.clock.advance(5 * MINUTE)
    await run()
    // a wait is no failure of the lead's own
    expect(stored(id)).toEqual([{ status: 'done', attempts: 0, last_error: null }])
    firm.effects()
  })

  test('a refused token: the connection is in error, and its leads stand until it is tested', async () => {
    const { id, page, path } = await connect()
    const gens = [lead(page), lead(page)]
    await notify(gens.map((gen) => ({ page, lead: gen })))
    graph.expire(true)
    await run()
    expect(await read(path)).toMatchObject({ status: 'error' })
    expect(firm.effects()).toEqual({ events: [], actions: ['ads.refused'] })
    const from = graph.calls.length
    app.clock.advance(40 * HOUR)
    await run()
    expect(graph.calls.length).toBe(from)
    expect((await call('POST', `${path}/test`, { as: firm.as.admin })).body.status).toBe('error')
    graph.expire(false)
    expect((await call('POST', `${path}/test`, { as: firm.as.admin })).body.status).toBe('active')
    await run()
    expect(stored(id).map(({ status }) => status)).toEqual(['done', 'done'])
    firm.effects()
  })

  test('a lead that vanished is tried a few times, one without contact never again; others go on', async () => {
    const { id, page } = await connect()
    const [gone, mute, good] = [lead(page), lead(page, { full_name: 'Nobody' }), lead(page)]
    graph.leads.delete(gone)
    await notify([gone, mute, good].map((one) => ({ page, lead: one })))
    for (let n = 0; n < 6; n += 1) {
      await run()
      app.clock.advance(HOUR)
    }
    const ends = stored(id).map(({ status, attempts }) => [status, attempts])
    expect(ends).toEqual([
      ['failed', 4],
      ['failed', 0],
      ['done', 0],
    ])
    expect(stored(id)[1]?.last_error).toContain('needs an e-mail address or a phone number')
    expect(await leadOf(good)).toBeDefined()
    firm.effects()
  })

  test('a platform that is away is asked again, for a day and a half', async () => {
    const { id, page } = await connect()
    await notify([{ page, lead: lead(page) }])
    graph.answerNext(...Array.from({ length: 40 }, () => graphErrors.broken))
    const begun = app.clock.now()
    let tries = 0
    while (stored(id)[0]?.status === 'pending' && tries < 400) {
      await run()
      tries += 1
      app.clock.advance(10 * MINUTE)
    }
    expect(stored(id)).toEqual([{ status: 'done', attempts: 40, last_error: null }])
    expect(app.clock.now() - begun).toBeGreaterThan(24 * HOUR)
    firm.effects()
  })

  test('a disabled connection takes in what it is told, and fetches nothing until it is enabled', async () => {
    const { id, page, path } = await connect()
    await call('PATCH', path, { as: firm.as.admin, body: { status: 'disabled' } })
    await notify([{ page, lead: lead(page) }])
    await run()
    expect(stored(id).map(({ status }) => status)).toEqual(['pending'])
    await call('PATCH', path, { as: firm.as.admin, body: { status: 'active' } })
    await run()
    expect(stored(id).map(({ status }) => status)).toEqual(['done'])
    firm.effects()
  })

  test('one connection whose platform is slow holds up no other, and the end of the program cuts it off', async () => {
    const slow = await connect()
    graph.delay(10_000)
    await notify([{ page: slow.page, lead: lead(slow.page) }])
    const stop = new AbortController()
    const running = fetchAdLeads.run({ platform: app.platform, signal: stop.signal })
    const from = graph.calls.length
    while (graph.calls.length === from) await Bun.sleep(5)
    // while that call waits for its answer
    graph.delay(0)
    const quick = await connect({}, other)
    const gen = lead(quick.page)
    expect((await notify([{ page: quick.page, lead: gen }])).status).toBe(200)
    for (let n = 0; n < 300 && !(await leadOf(gen, other)); n += 1) await Bun.sleep(10)
    expect(await leadOf(gen, other)).toBeDefined()
    stop.abort()
    await running
    expect(stored(slow.id)).toEqual([{ status: 'pending', attempts: 0, last_error: null }])
  })
})

test('no token, secret or verify token is in an answer, a log line or the audit', () => {
  const { reader } = app.platform
  const texts = [
    ...answers.map(({ text }) => text),
    ...lines,
    ...reader
      .all<{ text: string }>(`SELECT concat_ws(' ', before, after) AS text FROM audit_data`)
      .map(({ text }) => text),
    ...reader.all<{ text: string }>('SELECT last_error AS text FROM ad_connections').map(({ text }) => text ?? ''),
  ]
  expect(texts.length).toBeGreaterThan(100)
  for (const secret of [graph.token, appSecret, verifyToken, 'EAABmalformedTokenWithNumbers12345'])
    expect(texts.filter((text) => text.includes(secret))).toEqual([])
})
