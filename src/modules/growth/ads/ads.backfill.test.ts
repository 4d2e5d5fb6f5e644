import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { type GraphApi, graphErrors, startGraphApi } from '../../../testing/fakes/graph-api.ts'
import { fetchAdLeads } from './ads.jobs.ts'

const credentials = { appSecret: 'the-secret-of-our-app', verifyToken: 'our-verify-token' }
const PAGE = '41001'
const NOW = Date.UTC(2026, 0, 15, 12)
let app: TestApp
let firm: Firm
let graph: GraphApi
let dataDir: string

const start = (): TestApp =>
  createTestApp({
    dataDir,
    config: { allowedNetworks: ['127.0.0.0/8'], graph: { url: graph.url, version: 'v24.0' } },
  })
beforeEach(async () => {
  graph = startGraphApi()
  graph.pages.set(PAGE, { name: 'Page', allowed: true })
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-ads-'))
  app = start()
  firm = await app.firm('alpha')
})
afterEach(async () => {
  await app.close()
  await graph.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const connect = async (of = firm) => {
  const body = {
    platform: 'social',
    name: 'Spring',
    pageIds: [PAGE],
    credentials: { accessToken: graph.token, ...credentials },
  }
  const answer = await app.call('POST', '/v1/ads/connections', { as: of.as.admin, body })
  expect(answer.status).toBe(201)
  of.effects()
  return String(answer.body.id)
}
const ago = (ms: number): string => new Date(app.clock.now() - ms).toISOString()
const ask = (connectionId: string, formId = '9', since = ago(30 * DAY)) =>
  app.call('POST', '/v1/ads/meta/leads/backfill', { as: firm.as.manager, body: { connectionId, formId, since } })
const run = (signal = new AbortController().signal) => fetchAdLeads.run({ platform: app.platform, signal })
const progress = async (id: string) =>
  (await app.call('GET', `/v1/ads/connections/${id}`, { as: firm.as.manager })).body.backfills[0]
const leads = () =>
  app.platform.reader.get<{ n: number; ids: number }>(
    'SELECT count(*) AS n, count(DISTINCT lead_gen_id) AS ids FROM leads WHERE tenant_id = ?',
    [firm.tenantId],
  )

describe('POST /v1/ads/meta/leads/backfill', () => {
  test('a backfill is accepted, fetches page by page and reports its progress', async () => {
    graph.addLeads('9', PAGE, 230)
    const id = await connect()
    const { status, body } = await ask(id)
    expect([status, body]).toMatchObject([
      202,
      {
        connectionId: id,
        formId: '9',
        status: 'running',
        fetched: 0,
        created: 0,
        duplicates: 0,
        failed: 0,
        lastError: null,
      },
    ])
    expect(firm.effects()).toEqual({ events: [], actions: ['ads.backfill'] })
    await run()
    const done = { status: 'done', fetched: 230, created: 230, duplicates: 0, failed: 0, lastError: null }
    expect(await progress(id)).toMatchObject(done)
    const { events, actions } = firm.effects()
    expect([events.length, new Set(events)]).toEqual([230, new Set(['lead.created'])])
    expect(actions.toSorted()).toEqual(['ads.backfill_done', ...Array.from({ length: 230 }, () => 'ads.lead')])
    // the platform's address of the next page contains the token, so it must not be followed
    expect(graph.calls.map(({ search }) => search.get('limit'))).toEqual(['100', '100', '100'])
    expect(graph.calls.some(({ url }) => url.includes(graph.token))).toBe(false)
    // the progress does not change the version of the connection
    const path = `/v1/ads/connections/${id}`
    const seen = await app.call('GET', path, { as: firm.as.manager, headers: { 'if-none-match': '"1"' } })
    expect([seen.status, seen.body.version, seen.headers.get('etag')]).toEqual([200, 1, '"1"'])
    const again = await ask(id)
    expect(again.body.id).not.toBe(body.id)
    await run()
    expect(await progress(id)).toMatchObject({ status: 'done', fetched: 230, created: 0, duplicates: 230 })
    expect(leads()).toEqual({ n: 230, ids: 230 })
  })

  test('starting a backfill that runs answers the running one; another form gets its own', async () => {
    const id = await connect()
    const [first, second, other] = [await ask(id), await ask(id, '9', ago(DAY)), await ask(id, '10')]
    expect([second.status, second.body.id]).toEqual([202, first.body.id])
    expect(other.body.id).not.toBe(first.body.id)
    const both = await Promise.all([ask(id, '11'), ask(id, '11')])
    expect(new Set(both.map(({ body }) => body.id)).size).toBe(1)
    for (let form = 12; form < 19; form += 1) expect((await ask(id, String(form))).status).toBe(202)
    const eleventh = await ask(id, '20')
    expect([eleventh.status, eleventh.body.code]).toEqual([409, 'ads.too_many_backfills'])
  })

  test.each([
    ['90 days and an hour ago', 90 * DAY + HOUR],
    ['tomorrow', -DAY],
  ])('a backfill since %s is a 422', async (_, ms) => {
    const { status, body } = await ask(await connect(), '9', ago(ms))
    expect([status, body.errors[0]]).toMatchObject([422, { path: 'since', code: 'range' }])
  })

  test('a backfill is refused for a foreign connection, and for one that is disabled, removed or in error', async () => {
    const other = await app.firm('beta')
    const foreign = await ask(await connect(other))
    expect([foreign.status, foreign.body.errors[0].path]).toEqual([422, 'connectionId'])
    const id = await connect()
    await app.call('PATCH', `/v1/ads/connections/${id}`, { as: firm.as.admin, body: { status: 'disabled' } })
    const refused = await ask(id)
    expect([refused.status, refused.body.code]).toEqual([409, 'ads.not_active'])
    expect(
      (await app.call('POST', '/v1/ads/meta/leads/backfill', { as: firm.as.operator, body: { connectionId: id } }))
        .status,
    ).toBe(403)
    graph.addLeads('9', PAGE, 5)
    const removed = await connect()
    await ask(removed)
    await app.call('DELETE', `/v1/ads/connections/${removed}`, { as: firm.as.admin })
    await run()
    expect(leads()).toEqual({ n: 0, ids: 0 })
    expect(app.platform.reader.all('SELECT status FROM ad_backfills')).toEqual([{ status: 'failed' }])
  })

  test('a backfill takes only leads since the given day; an invalid lead is named and stops nothing', async () => {
    graph.addLeads('9', PAGE, 10, (index) => NOW - index * DAY)
    const [bad] = [...graph.leads.values()].slice(2, 3)
    if (bad) bad.answers = { full_name: 'Nobody', email: 'no address' }
    const id = await connect()
    await ask(id, '9', ago(5 * DAY))
    await run()
    const done = await progress(id)
    expect(done).toMatchObject({ status: 'done', fetched: 6, created: 5, duplicates: 0, failed: 1 })
    expect(done.lastError).toBe(`Lead ${bad?.id}: A lead needs an e-mail address or a phone number.`)
  })

  test('a backfill asks for smaller pages after an answer above 4 MiB', async () => {
    graph.addLeads('9', PAGE, 60)
    for (const lead of graph.leads.values()) lead.facts = { campaign_name: 'x'.repeat(90_000) }
    const id = await connect()
    await ask(id)
    await run()
    expect(await progress(id)).toMatchObject({ status: 'done', fetched: 60, created: 60 })
    expect(graph.calls.map(({ search }) => search.get('limit')).slice(0, 2)).toEqual(['100', '20'])
  })

  test('a backfill waits as long as the platform asks, and then continues', async () => {
    graph.addLeads('9', PAGE, 150)
    const id = await connect()
    await ask(id)
    graph.throttleNext(1, 12)
    await run()
    expect(await progress(id)).toMatchObject({
      status: 'waiting',
      fetched: 0,
      nextAttemptAt: new Date(app.clock.now() + 12 * MINUTE).toISOString(),
      lastError: 'The platform asks to wait before the next call.',
    })
    app.clock.advance(11 * MINUTE)
    await run()
    expect(graph.calls).toHaveLength(1)
    app.clock.advance(MINUTE)
    await run()
    expect(await progress(id)).toMatchObject({ status: 'done', fetched: 150, lastError: null })
  })

  test('a backfill waits after a refused token until the connection is tested', async () => {
    graph.addLeads('9', PAGE, 150)
    const id = await connect()
    await ask(id)
    graph.expire(true)
    await run()
    expect(await progress(id)).toMatchObject({ status: 'waiting' })
    const connection = await app.call('GET', `/v1/ads/connections/${id}`, { as: firm.as.manager })
    expect(connection.body.status).toBe('error')
    app.clock.advance(2 * DAY)
    await run()
    expect(graph.calls).toHaveLength(1)
    graph.expire(false)
    await app.call('POST', `/v1/ads/connections/${id}/test`, { as: firm.as.admin })
    await run()
    expect(await progress(id)).toMatchObject({ status: 'done', created: 150 })
  })

  test('a backfill ends with the platform’s message for a forbidden form, and waits while the platform is unavailable', async () => {
    const id = await connect()
    await ask(id)
    graph.answerNext(graphErrors.broken, graphErrors.noPermission)
    await run()
    expect(await progress(id)).toMatchObject({ status: 'waiting', nextAttemptAt: ago(-MINUTE) })
    app.clock.advance(MINUTE)
    await run()
    expect(await progress(id)).toMatchObject({
      status: 'failed',
      lastError: '(#200) Requires pages_manage_ads permission',
    })
  })
})

/** Stops the program at the n-th following statement that begins like this; uncommitted work is lost. */
function killAt(of: TestApp, statement: string, nth: number): void {
  const { connection } = of.platform
  const { run } = connection
  let seen = 0
  connection.run = (sql, ...rest) => {
    if (sql.startsWith(statement)) seen += 1
    if (seen >= nth) throw new Error('killed')
    return run.call(connection, sql, ...rest)
  }
}

test('a backfill of 10,000 leads that is throttled and killed five times takes each lead once', async () => {
  graph.addLeads('9', PAGE, 10_000)
  graph.throttleEvery(17, 3)
  const id = await connect()
  await ask(id)
  const restart = async () => {
    const at = app.clock.now()
    await app.close()
    app = start()
    app.clock.set(at + 5 * MINUTE)
  }
  // among a page's leads, at the last one, before the counts are stored, and at the wait
  for (const [statement, nth] of [
    ['INSERT INTO leads', 1234],
    ['INSERT INTO leads', 2100],
    ['UPDATE ad_backfills SET cursor', 9],
    ['INSERT INTO audit', 950],
    ['UPDATE ad_connections SET wait_until', 1],
  ] as const) {
    killAt(app, statement, nth)
    let died = false
    for (let rounds = 0; rounds < 40 && !died; rounds += 1) {
      died = await run().then(
        () => false,
        () => true,
      )
      app.clock.advance(3 * MINUTE)
    }
    expect([statement, died]).toEqual([statement, true])
    await restart()
  }
  const between = new AbortController()
  let commits = 0
  app.platform.writer.onCommit(() => {
    commits += 1
    if (commits === 3) between.abort()
  })
  await run(between.signal)
  expect(between.signal.aborted).toBe(true)
  await restart()
  for (let rounds = 0; rounds < 40 && (await progress(id)).status !== 'done'; rounds += 1) {
    await run()
    app.clock.advance(3 * MINUTE)
  }
  const counts = { fetched: 10_000, created: 10_000, duplicates: 0, failed: 0 }
  expect(await progress(id)).toMatchObject({ status: 'done', ...counts })
  expect(leads()).toEqual({ n: 10_000, ids: 10_000 })
  const told = app.platform.reader.get<{ n: number }>(`SELECT count(*) AS n FROM events WHERE event = 'lead.created'`)
  expect(told).toEqual({ n: 10_000 })
}, 180_000)
