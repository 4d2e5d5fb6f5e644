import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import { adsDesk } from '../../../testing/ads-desk.ts'
import { graphErrors, leadNotification, signed } from '../../../testing/fakes/graph-api.ts'
import { until } from '../../../testing/until.ts'
import { forgetAdNotifications } from './ads.jobs.ts'

const desk = await adsDesk()
const {
  app,
  firm,
  other,
  graph,
  appSecret,
  verifyToken,
  number,
  call,
  connect,
  lead,
  read,
  notify,
  run,
  stored,
  findLead,
} = desk
afterAll(() => desk.close())

describe('GET /v1/ads/meta/webhook', () => {
  const shake = (token: string, mode = 'subscribe') =>
    call('GET', `/v1/ads/meta/webhook?hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=1158201444`)

  test('the handshake answers the challenge as text to a caller with a connection’s verify token', async () => {
    await connect()
    const answer = await shake(verifyToken)
    expect([answer.status, answer.text]).toEqual([200, '1158201444'])
    expect(answer.headers.get('content-type')).toStartWith('text/plain')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await shake('another-token')).status).toBe(403)
    expect((await shake(verifyToken, 'unsubscribe')).status).toBe(403)
    const bare = await call('GET', `/v1/ads/meta/webhook?hub.mode=subscribe&hub.verify_token=${verifyToken}`)
    expect([bare.status, bare.body.errors[0].path]).toEqual([422, 'query.hub.challenge'])
  })

  test('the handshake refuses a token that was replaced or whose connection was removed', async () => {
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
    // removes the work that the test before left
    const { connection, writer } = app.platform
    await writer.submit(() => {
      connection.run('DELETE FROM ad_notifications')
      connection.run('UPDATE ad_connections SET wait_until = 0')
    })
  })

  test('a notification is answered at once, and its lead is fetched afterwards', async () => {
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
    expect(await run()).toBe('1 call for leads')
    expect(firm.effects()).toEqual({ events: ['lead.created'], actions: ['ads.lead'] })
    const row = findLead(gen)
    expect(await read(`/v1/leads/${row?.id}`)).toMatchObject({
      email: 'ada.byron@example.com',
      phone: '+35722123456',
      firstName: 'Ada',
      lastName: 'King Byron',
      country: 'CY',
      source: 'social',
      campaign: 'Spring',
      leadGenId: gen,
      status: 'new',
      metadata: { 'What do you trade?': 'Gold, Oil', ad: { id: '71', name: 'Spring video', campaignId: '81' } },
    })
    expect(stored(id)).toEqual([{ status: 'done', attempts: 0, last_error: null }])
    expect((await read(path)).lastLeadAt).not.toBeNull()
    expect(await run()).toBeNull()
  })

  test('a repeated notification, or another form with the same address, makes no second lead', async () => {
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
    expect(findLead(same)).toBeUndefined()
  })

  test('a notification is taken by exactly the connections of its page whose secret is right', async () => {
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
    expect(findLead(gen, firm)).toBeDefined()
    expect(findLead(gen, other)).toBeDefined()
    firm.effects()
    other.effects()
  })

  test('a notification signed with any connection’s secret is a 200, and stores nothing for pages of others', async () => {
    const { id, page } = await connect()
    const post = (body: string, secret = appSecret) =>
      call('POST', '/v1/ads/meta/webhook', { raw: body, headers: signed(secret, body) })
    // the test button of the platform's dashboard names page 0
    const test =
      '{"entry":[{"id":"0","time":1,"changes":[{"field":"leadgen","value":{"leadgen_id":"444","page_id":"444"}}]}]}'
    for (const body of [test, '{"entry":[]}', JSON.stringify({ entry: [{ id: number(), changes: [] }] })])
      expect([(await post(body)).status, (await post(body)).body]).toEqual([200, { received: 0 }])
    expect((await post(test, 'another secret')).status).toBe(401)
    expect((await post('not json')).status).toBe(400)
    // the signer of a large body with unknown pages is not searched for
    const large = (name: string) => JSON.stringify({ entry: [{ id: name, changes: [] }], x: 'x'.repeat(64 * 1024) })
    expect([(await post(large(page))).status, (await post(large('0'))).status]).toEqual([200, 401])
    expect(stored(id)).toEqual([])
    firm.effects()
  })

  test('a notification with a wrong signature stores nothing', async () => {
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
    ]
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [401, 'ads.bad_signature']),
    )
    const large = JSON.stringify({ entry: [{ id: page, changes: [] }], x: 'x'.repeat(256 * 1024) })
    expect((await post(large, signed(appSecret, large))).status).toBe(413)
    expect(stored(id)).toEqual([])
    expect(firm.effects()).toEqual({ events: [], actions: [] })
  })

  test('at most 20,000 notified leads of a connection wait; the platform repeats the others', async () => {
    const { id, page } = await connect()
    const { connection, writer } = app.platform
    const numbers = 'WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 20000)'
    const into = 'ad_notifications (tenant_id, id, connection_id, page_id, lead_gen_id, next_attempt_at, created_at)'
    const rows = `SELECT ?1, 'adn_' || value, ?2, ?3, 'g' || value, ?4, 0 FROM n`
    const later = app.clock.now() + HOUR
    await writer.submit(() =>
      connection.run(`${numbers} INSERT INTO ${into} ${rows}`, [firm.tenantId, id, page, later]),
    )
    const answer = await notify([{ page, lead: lead(page) }])
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'ads.too_many_waiting',
      '600',
    ])
    expect(stored(id)).toHaveLength(20_000)
  })

  test('ids that come as numbers keep every digit, and other news of a page is ignored', async () => {
    const { id, page } = await connect()
    const raw = `{"object":"page","entry":[{"id":${page},"changes":[{"field":"feed","value":{"leadgen_id":5}},
      {"field":"leadgen","value":{"leadgen_id":12345678901234567891}}]}]}`
    const answer = await call('POST', '/v1/ads/meta/webhook', { raw, headers: signed(appSecret, raw) })
    expect(answer.body).toEqual({ received: 1 })
    const row = app.platform.reader.get('SELECT lead_gen_id FROM ad_notifications WHERE connection_id = ?', [id])
    expect(row).toEqual({ lead_gen_id: '12345678901234567891' })
    await run()
  })

  test('fetching leads waits as long as the platform asks, or else longer each time', async () => {
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
    // a wait does not count as a failure of the lead
    expect(stored(id)).toEqual([{ status: 'done', attempts: 0, last_error: null }])
    firm.effects()
  })

  test('a refused token puts the connection in error, and its leads wait until it is tested', async () => {
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

  test('a vanished lead is tried a few times, one without a contact never again, and the others are fetched', async () => {
    const { id, page, path } = await connect()
    const [gone, mute, good] = [lead(page), lead(page, { full_name: 'Nobody' }), lead(page)]
    graph.leads.delete(gone)
    await notify([gone, mute, good].map((one) => ({ page, lead: one })))
    for (let n = 0; n < 14; n += 1) {
      await run()
      app.clock.advance(HOUR)
    }
    const ends = stored(id).map(({ status, attempts }) => [status, attempts])
    expect(ends).toEqual([
      ['failed', 12],
      ['failed', 0],
      ['done', 0],
    ])
    expect(stored(id)[1]?.last_error).toContain('needs an e-mail address or a phone number')
    expect(findLead(good)).toBeDefined()
    // staff see the lost lead at the connection, which stays without error
    const told = `Lead ${gone}: Unsupported get request. Object with ID '${gone}' does not exist`
    expect(await read(path)).toMatchObject({ status: 'active', lastError: told, version: 1 })
    firm.effects()
  })

  test('an unavailable platform is asked again for a day and a half', async () => {
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

  test('notifications of a disabled connection are stored, and fetched only after it is enabled', async () => {
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

  test('an unforeseen error pauses its connection, and the others continue', async () => {
    const broken = await connect()
    const sound = await connect({}, other)
    const { connection, writer } = app.platform
    await writer.submit(() =>
      connection.run('UPDATE ad_connections SET credentials = zeroblob(60) WHERE id = ?', [broken.id]),
    )
    const [lost, kept] = [lead(broken.page), lead(sound.page)]
    await writer.submit(() => {
      for (const { id, page, gen, tenantId } of [
        { ...broken, gen: lost, tenantId: firm.tenantId },
        { ...sound, gen: kept, tenantId: other.tenantId },
      ])
        connection.run(
          `INSERT INTO ad_notifications (tenant_id, id, connection_id, page_id, lead_gen_id, next_attempt_at, created_at)
          VALUES (?, ?, ?, ?, ?, 0, 0)`,
          [tenantId, `adn_${gen}`, id, page, gen],
        )
    })
    await expect(run()).rejects.toThrow('cannot be opened')
    // other connections of the page still get their notification
    const shared = await connect({ pageIds: [broken.page] }, other)
    expect((await notify([{ page: broken.page, lead: lead(broken.page) }])).body).toEqual({ received: 2 })
    expect(stored(shared.id)).toHaveLength(1)
    expect(findLead(kept, other)).toBeDefined()
    expect(Date.parse((await read(broken.path)).waitsUntil)).toBe(app.clock.now() + MINUTE)
    expect(await run()).toBe('1 call for leads')
    await call('DELETE', broken.path, { as: firm.as.admin })
    firm.effects()
    other.effects()
  })

  test('nothing is stored or fetched for a suspended firm', async () => {
    const third = await app.firm('gamma')
    const { id, page } = await connect({}, third)
    const gen = lead(page)
    await notify([{ page, lead: gen }])
    const suspend = (status: string) =>
      app.platform.writer.submit(() =>
        app.platform.connection.run('UPDATE tenants SET status = ?2 WHERE id = ?1', [third.tenantId, status]),
      )
    await suspend('suspended')
    // the other firms of this app have the same secret but not the page
    expect((await notify([{ page, lead: lead(page) }])).body).toEqual({ received: 0 })
    expect(await run()).toBeNull()
    await suspend('active')
    await run()
    expect(stored(id).map(({ status }) => status)).toEqual(['done'])
  })

  test('notifications are removed after 30 days; their leads stay', async () => {
    const { id, page } = await connect()
    const gen = lead(page)
    await notify([{ page, lead: gen }])
    await run()
    const forget = () => forgetAdNotifications.run({ platform: app.platform, signal: new AbortController().signal })
    app.clock.advance(29 * 24 * HOUR)
    expect(await forget()).toBeNull()
    app.clock.advance(25 * HOUR)
    expect(await forget()).toBe('1 notification of leads removed')
    expect(stored(id)).toEqual([])
    // a repeated notification finds the existing lead
    await notify([{ page, lead: gen }])
    await run()
    const { n } = app.platform.reader.get<{ n: number }>('SELECT count(*) AS n FROM leads WHERE lead_gen_id = ?', [
      gen,
    ]) ?? { n: 0 }
    expect(n).toBe(1)
    firm.effects()
  })

  test('a slow platform does not delay another connection, and the end of the program cuts off its call', async () => {
    const slow = await connect()
    graph.delay(60_000)
    await notify([{ page: slow.page, lead: lead(slow.page) }])
    const stop = new AbortController()
    const running = run(stop.signal)
    const from = graph.calls.length
    await until('the slow call is under way', () => graph.calls.length > from)
    // the first call still waits for its answer
    graph.delay(0)
    const quick = await connect({}, other)
    const gen = lead(quick.page)
    expect((await notify([{ page: quick.page, lead: gen }])).status).toBe(200)
    await until('the other lead is there', () => findLead(gen, other) !== undefined)
    stop.abort()
    await running
    expect(stored(slow.id)).toEqual([{ status: 'pending', attempts: 0, last_error: null }])
  })
})

test('no token, secret or verify token is in an answer, a log line, the audit or an error after notifications', () => {
  const said = desk.said()
  expect(said.length).toBeGreaterThan(60)
  for (const secret of [graph.token, appSecret, verifyToken])
    expect(said.filter((text) => text.includes(secret))).toEqual([])
})
