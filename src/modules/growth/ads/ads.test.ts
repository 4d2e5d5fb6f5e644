import { afterAll, describe, expect, test } from 'bun:test'
import { MINUTE } from '../../../platform/clock.ts'
import { adsDesk } from '../../../testing/ads-desk.ts'
import { graphErrors } from '../../../testing/fakes/graph-api.ts'

const desk = await adsDesk()
const { app, firm, other, graph, appSecret, verifyToken, number, call, connect, read } = desk
afterAll(() => desk.close())

describe('/v1/ads/connections', () => {
  test('an admin connects, changes and removes ad connections; credentials are in no answer', async () => {
    const { path, page } = await connect({ adAccountId: 'act_71', pixelId: '72', datasetId: '73' })
    expect(await read(path)).toMatchObject({
      platform: 'social',
      name: 'Spring',
      adAccountId: 'act_71',
      pixelId: '72',
      datasetId: '73',
      pageIds: [page],
      status: 'active',
      lastError: null,
      backfills: [],
      version: 1,
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
    // removing a connection removes its credentials
    const row = app.platform.reader.get(
      'SELECT length(credentials) AS bytes, verify_hash FROM ad_connections WHERE name = ?',
      ['Autumn'],
    )
    expect(row).toEqual({ bytes: 0, verify_hash: null })
    expect(app.platform.reader.all('SELECT 1 FROM ad_pages WHERE page_id = ?', [page])).toEqual([])
  })

  test('a firm sees only its own ad connections: another firm’s is a 404 like an unknown id', async () => {
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

  test('ad connections are read by managers, written only by admins, and closed to operators', async () => {
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
  ])('an ad connection with %j is refused with the field’s name', async (values, field) => {
    const body = {
      platform: 'social',
      name: 'x',
      credentials: { accessToken: 'a', appSecret: 'b', verifyToken: 'c' },
      ...values,
    }
    const { status, body: problem } = await call('POST', '/v1/ads/connections', { as: firm.as.admin, body })
    expect([status, problem.errors[0].path]).toEqual([422, field])
  })

  test('at most five connections of a firm name the same page', async () => {
    const page = number()
    for (let n = 0; n < 5; n += 1) await connect({ pageIds: [page] })
    const credentials = { accessToken: 'a', appSecret: 'b', verifyToken: 'c' }
    const body = { platform: 'social', name: 'x', credentials, pageIds: [page] }
    const sixth = await call('POST', '/v1/ads/connections', { as: firm.as.admin, body })
    expect([sixth.status, sixth.body.errors[0].code]).toEqual([422, 'too_many'])
    expect((await call('POST', '/v1/ads/connections', { as: other.as.admin, body })).status).toBe(201)
  })

  test('changing the credentials of an ad connection needs a fresh session', async () => {
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
    await age(app.clock.now() + 1e12)
  })
})

describe('POST /v1/ads/connections/{id}/test', () => {
  test('the test of a connection answers for identity, ad account and each page, with the token in a header', async () => {
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

  test('a page without permission puts the connection in error, which a later successful test ends', async () => {
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

  test('a token that the platform repeats in its message is hidden', async () => {
    const accessToken = 'EAABmalformedTokenWithNumbers12345'
    const { path } = await connect({ credentials: { accessToken, appSecret, verifyToken }, pageIds: [] })
    const { body, text } = await call('POST', `${path}/test`, { as: firm.as.admin })
    expect(body.lastError).toBe('Identity: The platform refuses the access token: Malformed access token …')
    expect(text).not.toContain(accessToken)
  })

  test('a test does not make an error of a wait or enable a disabled connection; an unavailable platform is an error', async () => {
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

test('no token, secret or verify token of a connection is in an answer, a log line or the audit', () => {
  const said = desk.said()
  expect(said.length).toBeGreaterThan(60)
  for (const secret of [graph.token, appSecret, verifyToken, 'EAABmalformedTokenWithNumbers12345'])
    expect(said.filter((text) => text.includes(secret))).toEqual([])
})
