import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { DAY, HOUR, SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import {
  isCrmSigned,
  isStandardSigned,
  startWebhookReceiver,
  type WebhookReceiver,
  webhookAnswers,
} from '../../../testing/fakes/webhook-receiver.ts'
import { deliverWebhooks } from './webhooks.jobs.ts'
import { MAX_ATTEMPTS } from './webhooks.schedule.ts'
import { trimWebhooks } from './webhooks.trim.ts'

let app: TestApp
let firm: Firm
let other: Firm
let receiver: WebhookReceiver

beforeAll(async () => {
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
beforeEach(() => {
  receiver = startWebhookReceiver()
})
afterAll(() => app.close())

const run = (job = deliverWebhooks) => job.run({ platform: app.platform, signal: new AbortController().signal })
const subscribe = async (events: string[] = ['trader.created'], of: Firm = firm) => {
  const answer = await app.call('POST', '/v1/webhooks/subscriptions', {
    as: of.as.admin,
    body: { url: `${receiver.url}/hook`, events },
  })
  expect(answer.status).toBe(201)
  of.effects()
  return answer.body
}
let count = 0
const createTrader = (of: Firm = firm) => {
  count += 1
  return app.call('POST', '/v1/traders', {
    as: of.as.operator,
    body: { email: `hook${count}@x.test`, firstName: 'Hook' },
  })
}
const listDeliveries = async (id: string) =>
  (await app.call('GET', `/v1/webhooks/subscriptions/${id}/deliveries`, { as: firm.as.admin })).body.data
const remove = (id: string) => app.call('DELETE', `/v1/webhooks/subscriptions/${id}`, { as: firm.as.admin })

test('a subscription made during a backlog gets only later events', async () => {
  const early = await subscribe(['trader.created'])
  const { connection, writer, clock } = app.platform
  // fifteen batches of events come before the first subscription
  await writer.submit(() => {
    const next = connection.get<{ n: number }>('SELECT max(sequence) AS n FROM events WHERE tenant_id = ?', [
      firm.tenantId,
    ])
    for (let n = 1; n <= 7500; n += 1)
      connection.run(
        `INSERT INTO events (tenant_id, id, sequence, event, body, created_at) VALUES (?, ?, ?, 'lead.created', '{}', ?)`,
        [other.tenantId, `evt_backlog${n}`, (next?.n ?? 0) + 1_000_000 + n, clock.now()],
      )
  })
  const running = run()
  const late = await subscribe(['trader.created'])
  expect((await createTrader()).status).toBe(201)
  await running
  await run()
  expect(await listDeliveries(late.id)).toHaveLength(1)
  await remove(early.id)
  await remove(late.id)
  firm.effects()
})

describe('subscriptions', () => {
  test('a new subscription’s secret is in the answer to its creation, in no later one and not in the audit: 201', async () => {
    const answer = await app.call('POST', '/v1/webhooks/subscriptions', {
      as: firm.as.admin,
      body: { url: `${receiver.url}/a`, events: ['deposit.settled', 'trader.created'] },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.secret).toStartWith('whsec_')
    expect(firm.effects()).toEqual({ events: [], actions: ['webhook.create'] })
    const read = await app.call('GET', `/v1/webhooks/subscriptions/${answer.body.id}`, { as: firm.as.admin })
    expect(read.text).not.toContain('whsec_')
    const audit = app.platform.reader.get<{ after: string }>(
      'SELECT after FROM audit_data ORDER BY rowid DESC LIMIT 1'.replace('rowid', 'seq'),
    )
    expect(audit?.after).not.toContain('whsec_')
    expect(audit?.after).toContain('(secret)')
    await remove(answer.body.id)
  })

  test.each([
    ['http://10.0.0.5/x', 'url'],
    ['https://169.254.169.254/latest/meta-data', 'url'],
    ['https://[::ffff:10.0.0.1]/', 'url'],
    ['https://2130706433@10.0.0.1/', 'url'],
    ['ftp://example.com/x', 'url'],
    ['not an address', 'url'],
  ])('the address %s is a 422 for a new and a changed subscription, and is not stored', async (url, path) => {
    firm.effects()
    const created = await app.call('POST', '/v1/webhooks/subscriptions', {
      as: firm.as.admin,
      body: { url, events: ['trader.created'] },
    })
    expect(created.status).toBe(422)
    expect(created.body.errors[0].path).toBe(path)
    expect(firm.effects()).toEqual({ events: [], actions: [] })
    const { id } = await subscribe()
    const changed = await app.call('PATCH', `/v1/webhooks/subscriptions/${id}`, { as: firm.as.admin, body: { url } })
    expect(changed.status).toBe(422)
    await remove(id)
  })

  test('a key subscribes to no event, and reads none in the log, that it may not read itself', async () => {
    const narrow = await firm.key(['webhooks:read', 'webhooks:write', 'traders:read'])
    const call = (method: string, path: string, body?: object) =>
      app.call(method, path, { as: narrow, ...(body ? { body } : {}) })
    const make = (events: string[]) =>
      call('POST', '/v1/webhooks/subscriptions', { url: `${receiver.url}/key`, events })
    const refused = await make(['trader.created', 'deposit.settled'])
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    const own = (await make(['trader.created'])).body
    const theirs = await subscribe(['lead.created'])
    expect((await call('PATCH', `/v1/webhooks/subscriptions/${own.id}`, { events: ['lead.created'] })).status).toBe(403)
    const elsewhere = { url: `${receiver.url}/else` }
    expect((await call('PATCH', `/v1/webhooks/subscriptions/${theirs.id}`, elsewhere)).status).toBe(403)
    expect((await call('PATCH', `/v1/webhooks/subscriptions/${own.id}`, elsewhere)).status).toBe(200)
    // naming permitted events in the same request does not help
    const both = { ...elsewhere, events: ['trader.created'] }
    expect((await call('PATCH', `/v1/webhooks/subscriptions/${theirs.id}`, both)).status).toBe(403)
    await app.call('POST', '/v1/leads', { as: firm.as.operator, body: { email: 'hook@x.test' } })
    await createTrader()
    await run()
    const [[mine], [other]] = [await listDeliveries(own.id), await listDeliveries(theirs.id)]
    expect((await call('GET', `/v1/webhooks/deliveries/${mine.id}`)).status).toBe(200)
    expect((await call('GET', `/v1/webhooks/deliveries/${other.id}`)).status).toBe(403)
    expect((await call('POST', `/v1/webhooks/deliveries/${other.id}/replay`)).status).toBe(403)
    await remove(own.id)
    await remove(theirs.id)
  })

  test('subscriptions are a 403 below admin, 404 for another tenant, 422 for unknown events', async () => {
    const { id } = await subscribe()
    expect((await app.call('GET', '/v1/webhooks/subscriptions', { as: firm.as.manager })).status).toBe(403)
    expect((await app.call('GET', `/v1/webhooks/subscriptions/${id}`, { as: other.as.admin })).status).toBe(404)
    expect((await app.call('POST', `/v1/webhooks/subscriptions/${id}/test`, { as: other.as.admin })).status).toBe(404)
    const answer = await app.call('POST', '/v1/webhooks/subscriptions', {
      as: firm.as.admin,
      body: { url: receiver.url, events: ['trader.exploded'] },
    })
    expect(answer.body.errors[0].path).toBe('events.0')
    await remove(id)
  })
})

describe('a delivery', () => {
  test('a delivery reaches each subscriber once, signed over the exact bytes; nobody else gets it', async () => {
    const subscription = await subscribe()
    await createTrader(other)
    const { body: trader } = await createTrader()
    await app.call('PATCH', `/v1/traders/${trader.id}`, { as: firm.as.operator, body: { firstName: 'Other' } })
    await run()
    await run()
    expect(receiver.received).toHaveLength(1)
    const [hook] = receiver.received
    if (!hook) throw new Error('nothing arrived')
    expect(hook.headers['x-crm-event']).toBe('trader.created')
    expect(hook.headers['x-crm-attempt']).toBe('1')
    expect(isCrmSigned(hook, subscription.secret)).toBe(true)
    expect(isStandardSigned(hook, subscription.secret)).toBe(true)
    const envelope = JSON.parse(hook.text)
    expect(envelope).toMatchObject({
      event: 'trader.created',
      tenantId: firm.tenantId,
      payload: { traderId: trader.id },
    })
    expect(hook.headers['webhook-id']).toBe(envelope.id)
    expect(await listDeliveries(subscription.id)).toMatchObject([
      { status: 'delivered', attempts: 1, nextAttemptAt: null },
    ])
    await remove(subscription.id)
  })

  test('a delivery is repeated to the twelfth attempt, with the same id and rising attempt numbers', async () => {
    const subscription = await subscribe()
    receiver.otherwise(webhookAnswers.broken)
    await createTrader()
    await run()
    for (let attempt = 2; attempt <= MAX_ATTEMPTS; attempt++) {
      app.clock.advance(DAY * 1.25)
      // switching off after five days of failures is another test, so it is prevented here
      await app.call('PATCH', `/v1/webhooks/subscriptions/${subscription.id}`, {
        as: firm.as.admin,
        body: { enabled: false },
      })
      await app.call('PATCH', `/v1/webhooks/subscriptions/${subscription.id}`, {
        as: firm.as.admin,
        body: { enabled: true },
      })
      await run()
    }
    app.clock.advance(10 * DAY)
    await run()
    expect(receiver.received.map((hook) => Number(hook.headers['x-crm-attempt']))).toEqual(
      Array.from({ length: MAX_ATTEMPTS }, (_, n) => n + 1),
    )
    expect(new Set(receiver.received.map((hook) => hook.headers['webhook-id'])).size).toBe(1)
    expect(await listDeliveries(subscription.id)).toMatchObject([{ status: 'failed', attempts: MAX_ATTEMPTS }])
    await remove(subscription.id)
  })

  test('a delivery honours Retry-After and follows no redirect; a 410 switches the subscription off at once', async () => {
    const subscription = await subscribe()
    receiver.answerNext(
      webhookAnswers.busy(3600),
      webhookAnswers.redirect(`${receiver.url}/elsewhere`),
      webhookAnswers.gone,
    )
    await createTrader()
    await run()
    app.clock.advance(HOUR - SECOND)
    await run()
    expect(receiver.received).toHaveLength(1)
    app.clock.advance(2 * SECOND)
    await run()
    expect(receiver.received.map((hook) => hook.path)).toEqual(['/hook', '/hook'])
    app.clock.advance(HOUR)
    await run()
    expect(receiver.received).toHaveLength(3)
    const { body } = await app.call('GET', `/v1/webhooks/subscriptions/${subscription.id}`, { as: firm.as.admin })
    expect(body).toMatchObject({ status: 'disabled', disabledReason: 'the receiver answered 410 Gone' })
    expect(firm.effects().actions).toContain('webhook.disabled')
    await remove(subscription.id)
  })

  test('failures for a day warn once, and failures for five days switch the endpoint off', async () => {
    const subscription = await subscribe()
    receiver.otherwise(webhookAnswers.broken)
    for (let day = 0; day <= 6; day++) {
      await createTrader()
      await createTrader()
      await run()
      app.clock.advance(DAY)
    }
    const actions = firm.effects().actions
    expect(actions.filter((action) => action === 'webhook.failing')).toHaveLength(1)
    expect(actions.filter((action) => action === 'webhook.disabled')).toHaveLength(1)
    const mails = app.platform.reader.all<{ subject: string }>(
      "SELECT subject FROM mails WHERE tenant_id = ? AND subject LIKE 'Webhook%'",
      [firm.tenantId],
    )
    expect(mails.some(({ subject }) => subject.startsWith('Webhook failing'))).toBe(true)
    expect(mails.some(({ subject }) => subject.startsWith('Webhook switched off'))).toBe(true)
    await remove(subscription.id)
  })

  test('a delivery whose process crashed while sending is sent again when the lease ends', async () => {
    const subscription = await subscribe()
    await createTrader()
    // this is the state that such a process leaves behind
    await run()
    await app.platform.writer.submit(() =>
      app.platform.connection.run(
        `UPDATE webhook_deliveries SET status = 'pending', attempts = 0, finished_at = NULL, next_attempt_at = ?, lease_until = ? WHERE subscription_id = ?`,
        [app.clock.now(), app.clock.now() + 30_000, subscription.id],
      ),
    )
    await app.platform.writer.submit(() => app.platform.connection.run('DELETE FROM webhook_attempts'))
    await run()
    expect(receiver.received).toHaveLength(1)
    app.clock.advance(31_000)
    await run()
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'] ?? 'absent')
    await remove(subscription.id)
  })

  test('a slow receiver does not delay the delivery to another one', async () => {
    const slow = startWebhookReceiver()
    const held = Promise.withResolvers<void>()
    slow.otherwise(webhookAnswers.after(held.promise))
    const { body } = await app.call('POST', '/v1/webhooks/subscriptions', {
      as: firm.as.admin,
      body: { url: slow.url, events: ['trader.created'] },
    })
    const quick = await subscribe()
    for (let n = 0; n < 6; n++) await createTrader()
    const running = run()
    await receiver.waitFor(6)
    expect(slow.received.length).toBeLessThanOrEqual(4)
    held.resolve()
    await running
    expect(slow.received).toHaveLength(6)
    await remove(body.id)
    await remove(quick.id)
    await slow.stop()
  })
})

describe('test, rotation and replay', () => {
  test('a test delivery answers its result and is not repeated', async () => {
    const subscription = await subscribe()
    receiver.answerNext({ status: 418, body: 'short and stout' })
    const answer = await app.call('POST', `/v1/webhooks/subscriptions/${subscription.id}/test`, { as: firm.as.admin })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      event: 'webhook.test',
      status: 'failed',
      attempts: 1,
      log: [{ statusCode: 418, response: 'short and stout' }],
    })
    app.clock.advance(DAY)
    await run()
    expect(receiver.received).toHaveLength(1)
    const listed = `/v1/webhooks/subscriptions/${subscription.id}/deliveries?event=webhook.test`
    expect((await app.call('GET', listed, { as: firm.as.admin })).body.data).toMatchObject([{ id: answer.body.id }])
    await remove(subscription.id)
  })

  test('after a rotation both secrets sign for 24 hours, then only the new one', async () => {
    const subscription = await subscribe()
    const rotated = await app.call('POST', `/v1/webhooks/subscriptions/${subscription.id}/rotate-secret`, {
      as: firm.as.admin,
    })
    expect(rotated.status).toBe(200)
    const send = () => app.call('POST', `/v1/webhooks/subscriptions/${subscription.id}/test`, { as: firm.as.admin })
    await send()
    app.clock.advance(DAY + SECOND)
    await send()
    const [during, after] = receiver.received
    if (!during || !after) throw new Error('a test did not arrive')
    expect([
      isCrmSigned(during, subscription.secret),
      isStandardSigned(during, subscription.secret),
      isStandardSigned(during, rotated.body.secret),
    ]).toEqual([true, true, true])
    expect([isCrmSigned(after, rotated.body.secret), isStandardSigned(after, subscription.secret)]).toEqual([
      true,
      false,
    ])
    await remove(subscription.id)
  })

  test('a replay is a new delivery with the same webhook-id', async () => {
    const subscription = await subscribe()
    await createTrader()
    await run()
    const [delivery] = await listDeliveries(subscription.id)
    const answer = await app.call('POST', `/v1/webhooks/deliveries/${delivery.id}/replay`, { as: firm.as.admin })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ replayOf: delivery.id, status: 'pending' })
    await run()
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[0]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id'] ?? 'absent')
    expect(
      (await app.call('POST', `/v1/webhooks/deliveries/${delivery.id}/replay`, { as: other.as.admin })).status,
    ).toBe(404)
    await remove(subscription.id)
  })
})

test('deliveries and events are removed after 30 days; the numbering continues', async () => {
  const last = () =>
    app.platform.reader.get<{ sequence: number }>('SELECT max(sequence) AS sequence FROM events WHERE tenant_id = ?', [
      firm.tenantId,
    ])?.sequence ?? 0
  const subscription = await subscribe()
  await createTrader()
  await run()
  const before = last()
  app.clock.advance(31 * DAY)
  await run(trimWebhooks)
  expect(last()).toBe(0)
  expect(await listDeliveries(subscription.id)).toEqual([])
  app.platform.outbox.forget()
  await createTrader()
  expect(last()).toBe(before + 1)
})
