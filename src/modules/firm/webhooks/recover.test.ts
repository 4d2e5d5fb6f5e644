import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import {
  isCrmSigned,
  isStandardSigned,
  startWebhookReceiver,
  type WebhookReceiver,
  webhookAnswers,
} from '../../../testing/fakes/webhook-receiver.ts'
import { until } from '../../../testing/until.ts'
import { deliverWebhooks } from './webhooks.jobs.ts'
import { mintSecret, sealSecret } from './webhooks.sign.ts'
import { webhookSubscriptions } from './webhooks.table.ts'
import { trimWebhooks } from './webhooks.trim.ts'

let app: TestApp
let firm: Firm
let other: Firm
let receiver: WebhookReceiver
let hook: { id: string; secret: string }

const run = (job = deliverWebhooks) => job.run({ platform: app.platform, signal: new AbortController().signal })
const at = (id: string, act = '') => `/v1/webhooks/subscriptions/${id}${act}`
const post = (path: string, body?: object, as = firm.as.admin) =>
  app.call('POST', path, body === undefined ? { as } : { as, body })
const subscribe = async (events: string[], of = firm, url = `${receiver.url}/hook`) =>
  (await post('/v1/webhooks/subscriptions', { url, events }, of.as.admin)).body
const toggle = (enabled: boolean) => app.call('PATCH', at(hook.id), { as: firm.as.admin, body: { enabled } })
const createTrader = (of = firm) =>
  post('/v1/traders', { email: `${app.platform.ids.next('x')}@x.test`, firstName: 'Hook' }, of.as.operator)
const newest = async (of = firm): Promise<number> =>
  (await app.call('GET', '/v1/events', { as: of.as.admin })).body.lastSequence
const received = () => receiver.received.map(({ text }) => JSON.parse(text).sequence)

beforeAll(async () => {
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
beforeEach(async () => {
  // a subscription gets only events after its creation
  app.clock.advance(1)
  receiver = startWebhookReceiver()
  hook = await subscribe(['trader.created'])
})
afterEach(async () => {
  await app.call('DELETE', at(hook.id), { as: firm.as.admin })
  await receiver.stop()
})
afterAll(() => app.close())

describe('recovering', () => {
  test('recovering sends each missed event of an outage once, by number or by time, under its own id', async () => {
    await createTrader()
    await run()
    const before = await newest()
    await toggle(false)
    app.clock.advance(HOUR)
    const since = new Date(app.clock.now()).toISOString()
    await createTrader()
    await createTrader()
    await post('/v1/leads', { email: 'lead@x.test', source: 'fair' })
    await run()
    expect(received()).toEqual([before])
    expect((await post(at(hook.id, '/recover'), { after: before })).body.code).toBe('webhooks.disabled')
    await toggle(true)
    firm.effects()
    expect((await post(at(hook.id, '/recover'), { since })).body).toEqual({ queued: 2 })
    expect(firm.effects()).toEqual({ events: [], actions: ['webhook.recover'] })
    // the feed gives its cursor as text
    expect((await post(at(hook.id, '/recover'), { after: String(before) })).body).toEqual({ queued: 0 })
    await run()
    expect(received().sort()).toEqual([before, before + 1, before + 2])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
    expect((await post(at(hook.id, '/recover'), { after: 0 })).body).toEqual({ queued: before - 1 })
  })

  test('recovering sends a failed delivery again, but none that waits or arrived', async () => {
    receiver.otherwise(webhookAnswers.broken)
    const start = await newest()
    await createTrader()
    await run()
    expect((await post(at(hook.id, '/recover'), { after: start })).body).toEqual({ queued: 0 })
    await app.platform.writer.submit(() =>
      app.platform.connection.run(
        `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE subscription_id = ?`,
        [hook.id],
      ),
    )
    receiver.otherwise(webhookAnswers.ok)
    expect((await post(at(hook.id, '/recover'), { after: start })).body).toEqual({ queued: 1 })
    await run()
    expect((await post(at(hook.id, '/recover'), { after: start })).body).toEqual({ queued: 0 })
    const [first, again] = receiver.received
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id'] ?? 'absent')
  })

  test('recovering sends a delivery that waits for its next attempt at once, without counting it as queued', async () => {
    receiver.otherwise(webhookAnswers.broken)
    const start = await newest()
    await createTrader()
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      app.clock.advance(10 * MINUTE)
      await run()
    }
    receiver.otherwise(webhookAnswers.ok)
    const tried = receiver.received.length
    await run()
    expect(receiver.received).toHaveLength(tried)
    expect((await post(at(hook.id, '/recover'), { after: start + 1 })).body).toEqual({ queued: 0 })
    await run()
    expect(receiver.received).toHaveLength(tried)
    expect((await post(at(hook.id, '/recover'), { after: start })).body).toEqual({ queued: 0 })
    await run()
    expect(receiver.received).toHaveLength(tried + 1)
    const { body } = await app.call('GET', at(hook.id, '/deliveries'), { as: firm.as.admin })
    expect(body.data).toMatchObject([{ status: 'delivered', attempts: tried + 1 }])
  })

  test('recovering continues over several steps of events, without losing or repeating one', async () => {
    await toggle(false)
    const start = await newest()
    const { connection, writer, clock, ids, outbox } = app.platform
    await writer.submit((hooks) => {
      for (let n = 1; n <= 1200; n += 1)
        outbox.append({
          tenantId: firm.tenantId,
          id: ids.next('evt'),
          sequence: start + n,
          name: n % 2 === 0 ? 'trader.created' : 'lead.created',
          at: clock.now(),
          payload: { n },
          traderId: null,
        })
      hooks.onKept = () => outbox.promote(firm.tenantId, start + 1200)
    })
    await toggle(true)
    expect((await post(at(hook.id, '/recover'), { after: start })).body).toEqual({ queued: 600 })
    const count = connection.get(
      'SELECT count(DISTINCT event_id) AS n FROM webhook_deliveries WHERE subscription_id = ?',
      [hook.id],
    )
    expect(count).toEqual({ n: 600 })
  })

  test('recovering sends only the latest update of a position, while new events are still delivered', async () => {
    const moves = await subscribe(['position.updated'])
    const sync = (sequence: number, currentPrice: string) =>
      post('/v1/positions/sync', {
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
    const start = await newest()
    await sync(1, '1.1')
    await sync(2, '1.2')
    await sync(3, '1.3')
    // this is before any of them became a delivery
    expect((await post(at(moves.id, '/recover'), { after: start })).body).toEqual({ queued: 1 })
    await sync(4, '1.4')
    await run()
    expect(receiver.received.map(({ text }) => JSON.parse(text).payload.currentPrice)).toEqual(['1.4'])
    await app.call('DELETE', at(moves.id), { as: firm.as.admin })
  })

  test('recovering is a 422 unless a number or a time is given, 404 for another firm, 403 below admin, 410 for removed events', async () => {
    for (const body of [
      {},
      { after: 0, since: '2026-01-01T00:00:00Z' },
      { after: -1 },
      { after: '-1' },
      { after: 'x' },
    ])
      expect((await post(at(hook.id, '/recover'), body)).body.errors[0].path).toMatch(/^(after|since)$/)
    expect((await post(at(hook.id, '/recover'), { after: 0 }, other.as.admin)).status).toBe(404)
    expect((await post(at(hook.id, '/recover'), { after: 0 }, firm.as.manager)).status).toBe(403)
    await run()
    app.clock.advance(31 * DAY)
    await createTrader()
    await run()
    await run(trimWebhooks)
    const gone = await post(at(hook.id, '/recover'), { after: 0 })
    expect([gone.status, gone.body.code]).toEqual([410, 'events_gone'])
    expect((await post(at(hook.id, '/recover'), { since: '2026-01-01T00:00:00Z' })).status).toBe(410)
    const since = new Date(app.clock.now() - 29 * DAY).toISOString()
    expect((await post(at(hook.id, '/recover'), { since })).body).toEqual({ queued: 0 })
  })
})

describe('a rotation of the secret', () => {
  const rotate = async (body?: object) => (await post(at(hook.id, '/rotate-secret'), body)).body
  /** Returns which of these secrets signed the next test delivery. */
  const signers = async (...secrets: string[]) => {
    await post(at(hook.id, '/test'))
    const sent = receiver.received.at(-1)
    if (!sent) throw new Error('nothing arrived')
    return secrets.map((secret) => isStandardSigned(sent, secret))
  }

  test('a rotation replaces the secret of a pending one: the secret of a lost answer signs nothing', async () => {
    const lost = await rotate()
    const kept = await rotate()
    expect(await signers(hook.secret, lost.secret, kept.secret)).toEqual([true, false, true])
    app.clock.advance(DAY)
    expect(await signers(hook.secret, lost.secret, kept.secret)).toEqual([false, false, true])
  })

  test('a rotation without overlap stops the former secret, and a pending one, at once', async () => {
    const pending = await rotate({ overlapHours: 24 })
    const now = await rotate({ overlapHours: 0 })
    expect(now.secretOverlapUntil).toBeNull()
    expect(await signers(hook.secret, pending.secret, now.secret)).toEqual([false, false, true])
    const sent = receiver.received.at(-1)
    expect(sent && isCrmSigned(sent, now.secret)).toBe(true)
    expect(sent?.headers['x-crm-signature-next']).toBeUndefined()
  })

  test('a rotation overlaps as long as asked, by the clock', async () => {
    const next = await rotate({ overlapHours: 2 })
    app.clock.advance(2 * HOUR - 1)
    expect(await signers(hook.secret, next.secret)).toEqual([true, true])
    app.clock.advance(1)
    expect(await signers(hook.secret, next.secret)).toEqual([false, true])
    expect((await post(at(hook.id, '/rotate-secret'), { overlapHours: 25 })).body.errors[0].path).toBe('overlapHours')
  })
})

test('the mail about a switched-off subscription says what happens to missed events', async () => {
  receiver.otherwise(webhookAnswers.gone)
  await createTrader()
  await run()
  const { body } = await app.call('GET', '/v1/mails', { as: firm.as.owner })
  const mail = body.data.find(({ subject }: { subject: string }) => subject.startsWith('Webhook switched off'))
  const { body: read } = await app.call('GET', `/v1/mails/${mail.id}`, { as: firm.as.owner })
  expect(read.text).toContain('Recover missed events')
  expect(read.text).not.toContain('replayed')
})

describe('two firms', () => {
  test('a firm may have 50 subscriptions', async () => {
    const crowded = await app.firm('crowded')
    for (let n = 0; n < 50; n += 1) expect((await subscribe(['trader.created'], crowded)).id).toBeString()
    const answer = await post(
      '/v1/webhooks/subscriptions',
      { url: receiver.url, events: ['trader.created'] },
      crowded.as.admin,
    )
    expect([answer.status, answer.body.code]).toEqual([409, 'webhooks.too_many'])
  })

  test('a firm’s deliveries arrive while all 300 receivers of another firm hang', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let hanging = 0
    const silent = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: async () => {
        hanging += 1
        await held
        return new Response()
      },
    })
    const firmB = await app.firm('hanging')
    const url = (n: number) => `http://127.0.0.1:${silent.port}/${n}`
    // inserted directly, since the limit of subscriptions is lower
    const ctx = systemCtx(app.platform, firmB.tenantId, 'test')
    await ctx.write('test.subscribe', (tx) => {
      for (let n = 0; n < 300; n += 1) {
        const id = app.platform.ids.next('whs')
        const secret = sealSecret(ctx.secrets, firmB.tenantId, id, mintSecret())
        tx.insert(webhookSubscriptions, { id, url: url(n), events: ['trader.created'], secret })
      }
      return null
    })
    await createTrader(firmB)
    const running = run()
    await until('sixteen hang', () => hanging >= 16)
    for (let n = 0; n < 20; n += 1) await createTrader()
    await receiver.waitFor(20)
    expect(receiver.received).toHaveLength(20)
    // the other firm has no answer yet and delays only itself
    const delivered = app.platform.reader.get<{ n: number }>(
      `SELECT count(*) AS n FROM webhook_deliveries WHERE tenant_id = ? AND status = 'delivered'`,
      [firmB.tenantId],
    )
    expect(delivered?.n).toBe(0)
    expect(hanging).toBeGreaterThanOrEqual(16)
    release()
    await silent.stop(true)
    await app.platform.writer.submit(() =>
      app.platform.connection.run(`UPDATE webhook_subscriptions SET status = 'disabled' WHERE tenant_id = ?`, [
        firmB.tenantId,
      ]),
    )
    await running
  })
})
