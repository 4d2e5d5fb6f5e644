import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { eventNames } from '../../../platform/events/catalogue.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { trimWebhooks } from '../../firm/webhooks/webhooks.trim.ts'
import { purgeTraders } from '../../overview/privacy/erasure.jobs.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const read = (query = '', as = firm.as.admin) => app.call('GET', `/v1/events${query}`, { as })
const newest = async (): Promise<number> => (await read()).body.lastSequence
const run = (job: typeof trimWebhooks) => job.run({ platform: app.platform, signal: new AbortController().signal })
const post = async (path: string, body: object, of = firm) =>
  (await app.call('POST', path, { as: of.as.operator, body })).body
let serial = 0
const createTrader = async (of = firm): Promise<string> => {
  serial += 1
  return (await post('/v1/traders', { email: `feed${serial}@x.test`, firstName: 'Feed' }, of)).id
}
const createLead = () => post('/v1/leads', { email: `lead${app.platform.ids.next('x')}@x.test`, source: 'fair' })
let sequence = 0
const sync = (currentPrice: string) => {
  sequence += 1
  return post('/v1/positions/sync', {
    platform: 'terminal5',
    server: 'live',
    sequence,
    mode: 'delta',
    positions: [
      {
        ticket: '1',
        accountNumber: '1',
        symbol: 'EURUSD',
        side: 'long',
        volume: '1',
        openPrice: '1',
        currentPrice,
        profit: '1',
        openedAt: '2026-01-10T09:00:00Z',
      },
    ],
  })
}
const names = (body: { data: { event: string }[] }) => body.data.map(({ event }) => event)
const flood = (count: number, name: string) =>
  app.platform.writer.submit((hooks) => {
    const { outbox, ids, clock } = app.platform
    const head = outbox.head(firm.tenantId)
    for (let n = 1; n <= count; n += 1)
      outbox.append({
        tenantId: firm.tenantId,
        id: ids.next('evt'),
        sequence: head + n,
        name,
        at: clock.now(),
        payload: { n },
        traderId: null,
      })
    hooks.onKept = () => outbox.promote(firm.tenantId, head + count)
  })

describe('reading the feed', () => {
  test('the feed answers only the firm’s own events, in order, byte for byte as they are stored and signed', async () => {
    await createTrader(other)
    const trader = await createTrader()
    await createLead()
    const { status, body } = await read()
    expect(status).toBe(200)
    expect(names(body)).toEqual(['trader.created', 'lead.created'])
    expect(body.data[0].payload.traderId).toBe(trader)
    expect([body.nextCursor, body.lastSequence]).toEqual([null, 2])
    const stored = app.platform.reader.all<{ body: string }>(
      'SELECT body FROM events WHERE tenant_id = ? ORDER BY sequence',
      [firm.tenantId],
    )
    expect(body.data.map((envelope: object) => JSON.stringify(envelope))).toEqual(stored.map((row) => row.body))
    expect((await read('?after=1')).body).toMatchObject({ data: [{ sequence: 2 }], nextCursor: null, lastSequence: 2 })
    expect((await read('?after=2')).body).toEqual({ data: [], nextCursor: null, lastSequence: 2 })
  })

  test('the feed answers 500 events at a time: the cursor leads to each event once, and then to new ones', async () => {
    const start = await newest()
    await flood(1100, 'lead.created')
    const seen: number[] = []
    const sizes: number[] = []
    for (let after: string | null = String(start); after !== null; ) {
      const { body }: { body: { data: { sequence: number }[]; nextCursor: string | null } } = await read(
        `?after=${after}`,
      )
      sizes.push(body.data.length)
      seen.push(...body.data.map((envelope) => envelope.sequence))
      after = body.nextCursor
    }
    expect(sizes).toEqual([500, 500, 100])
    expect(seen).toEqual(Array.from({ length: 1100 }, (_, n) => start + 1 + n))
  })

  test('the cursor of the feed moves on even if a rare name is not found among very many other events', async () => {
    const start = await newest()
    await flood(20_500, 'lead.converted')
    await createTrader()
    const first = await read(`?after=${start}&types=trader.created`)
    expect(first.body).toMatchObject({ data: [], nextCursor: String(start + 20_000) })
    const second = await read(`?after=${first.body.nextCursor}&types=trader.created`)
    expect([names(second.body), second.body.nextCursor]).toEqual([['trader.created'], null])
  })

  test('types narrow the feed; an unknown type and a position that is not a number are a 422', async () => {
    const start = await newest()
    await createTrader()
    await createLead()
    const of = async (types: string) => names((await read(`?after=${start}&types=${types}`)).body)
    expect(await of('lead.created')).toEqual(['lead.created'])
    expect(await of('lead.created,trader.created')).toEqual(['trader.created', 'lead.created'])
    for (const [query, path] of [
      ['?types=lead.exploded', 'query.types'],
      ['?types=lead.created,', 'query.types'],
      ['?after=-1', 'query.after'],
      ['?after=x', 'query.after'],
    ] as const) {
      const answer = await read(query)
      expect([answer.status, answer.body.errors[0].path]).toEqual([422, path])
    }
    expect((await read('?after=-1')).body.errors[0].message).toBe('must be a whole number from 0')
  })

  test('the feed is refused below admin: 403', async () => {
    expect((await read('', firm.as.manager)).status).toBe(403)
  })

  test('a key gets the events that it may read; the others are left out and not counted as missing', async () => {
    const start = await newest()
    await createTrader()
    await createLead()
    await sync('1')
    const seenBy = async (...scopes: Parameters<Firm['key']>[0]) =>
      names((await read(`?after=${start}`, await firm.key(['webhooks:read', ...scopes]))).body)
    expect(await seenBy()).toEqual([])
    expect(await seenBy('traders:read')).toEqual(['trader.created'])
    expect(await seenBy('leads:read', 'positions:read')).toEqual(['lead.created', 'position.opened'])
    expect((await read('', await firm.key(['leads:read']))).status).toBe(403)
    const blind = await read(`?after=${start}`, await firm.key(['webhooks:read']))
    expect(blind.body).toEqual({ data: [], nextCursor: null, lastSequence: start + 3 })
  })

  test('every event of the catalogue can be read with some scope', async () => {
    const start = await newest()
    for (const name of eventNames) await flood(1, name)
    expect(names((await read(`?after=${start}`)).body)).toEqual([...eventNames])
  })
})

describe('updates of positions', () => {
  test('updates of positions are written for an hour after a reader named them, and kept for a day', async () => {
    const start = await newest()
    await sync('2')
    expect((await read(`?after=${start}`)).body.data).toEqual([])
    await read('?types=trader.created')
    await sync('3')
    // a key that may not read these updates does not cause them to be written
    await read('?types=position.updated', await firm.key(['webhooks:read']))
    await sync('4')
    expect((await read(`?after=${start}&types=position.updated`)).body.data).toEqual([])
    await sync('5')
    app.clock.advance(59 * MINUTE)
    await sync('6')
    app.clock.advance(2 * MINUTE)
    await sync('7')
    const { body } = await read(`?after=${start}`)
    expect(body.data.map((one: { payload: { currentPrice: string } }) => one.payload.currentPrice)).toEqual(['5', '6'])
    app.clock.advance(DAY)
    await createTrader()
    await run(trimWebhooks)
    expect(names((await read(`?after=${start}`)).body)).toEqual(['trader.created'])
  })

  test('readers of updates of positions are noted once, and not in the audit, however often they ask', async () => {
    app.clock.advance(HOUR)
    firm.effects()
    for (let n = 0; n < 5; n += 1) await read('?types=position.updated')
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    expect(app.platform.reader.all(`SELECT name FROM job_state WHERE name LIKE 'events.updates_read.%'`)).toHaveLength(
      1,
    )
  })
})

test('the purge of a person empties the payloads about that person, and no others', async () => {
  const gone = await createTrader()
  const stays = await createTrader()
  await app.call('DELETE', `/v1/traders/${gone}`, { as: firm.as.admin })
  app.clock.advance(31 * DAY)
  // events of the last 30 days that name the person
  const ctx = { platform: app.platform, signal: new AbortController().signal }
  const withdrawal = { withdrawalId: 'w', status: 'rejected', currency: 'EUR', amount: '1.00', detail: 'said of them' }
  const start = await newest()
  await app.platform.writer.submit((hooks) => {
    const { outbox, ids, clock } = app.platform
    const head = outbox.head(firm.tenantId)
    for (const [n, traderId] of [gone, stays].entries())
      outbox.append({
        tenantId: firm.tenantId,
        id: ids.next('evt'),
        sequence: head + n + 1,
        name: 'withdrawal.rejected',
        at: clock.now(),
        payload: { ...withdrawal, traderId },
        traderId,
      })
    hooks.onKept = () => outbox.promote(firm.tenantId, head + 2)
  })
  // both events were sent, and one of them twice
  const { connection, writer } = app.platform
  await writer.submit(() => {
    connection.run(
      `INSERT INTO webhook_subscriptions (tenant_id, id, url, events, secret, status, created_at, updated_at)
        VALUES (?, 'whs_1', 'u', '[]', x'00', 'disabled', 0, 0)`,
      [firm.tenantId],
    )
    for (const replayOf of [null, 'whd_1'])
      connection.run(
        `INSERT INTO webhook_deliveries (tenant_id, id, subscription_id, event_id, event, body, status, replay_of, created_at)
          SELECT tenant_id, 'whd_' || sequence || ?2, 'whs_1', id, event, body, 'delivered', ?3, 0 FROM events WHERE tenant_id = ?1 AND sequence > ?4`,
        [firm.tenantId, replayOf === null ? '' : 'again', replayOf, start],
      )
  })
  await purgeTraders.run(ctx)
  const sent = connection.all<{ body: string }>('SELECT body FROM webhook_deliveries ORDER BY event_id')
  expect(sent.map(({ body }) => body.includes('said of them'))).toEqual([false, false, true, true])
  const { data } = (await read(`?after=${start}`)).body
  expect(data.map(({ payload }: { payload: object }) => payload)).toEqual([{}, { ...withdrawal, traderId: stays }])
  expect(data[0]).toMatchObject({ event: 'withdrawal.rejected', sequence: start + 1 })
})

test('events older than 30 days are gone: 410 for an older number; a reader who names none starts at the oldest', async () => {
  await createTrader()
  const last = await newest()
  app.clock.advance(31 * DAY)
  await run(trimWebhooks)
  expect((await read()).body).toEqual({ data: [], nextCursor: null, lastSequence: last })
  expect((await read(`?after=${last}`)).status).toBe(200)
  const answer = await read(`?after=${last - 1}`)
  expect([answer.status, answer.body.code]).toEqual([410, 'events_gone'])
  await createTrader()
  expect((await read()).body.data).toMatchObject([{ sequence: last + 1 }])
  expect((await read('?after=0')).status).toBe(410)
  // the feed of a firm that never lost an event begins at 0
  const young = await app.firm('young')
  expect((await read('?after=0', young.as.admin)).body).toEqual({ data: [], nextCursor: null, lastSequence: 0 })
})

test('after a restore to an earlier moment the next number is above those of the stream, even when events are removed', async () => {
  const { outbox, writer } = app.platform
  await createTrader()
  const last = await newest()
  await writer.submit(() => outbox.raise(firm.tenantId, last + 5))
  // a lower number changes nothing
  await writer.submit(() => outbox.raise(firm.tenantId, last + 1))
  app.clock.advance(31 * DAY)
  await run(trimWebhooks)
  expect(outbox.head(firm.tenantId)).toBe(last + 5)
  await createTrader()
  expect((await read()).body.data).toMatchObject([{ sequence: last + 6 }])
})
