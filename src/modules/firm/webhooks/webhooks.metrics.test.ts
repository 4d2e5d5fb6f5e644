import { afterAll, beforeAll, expect, test } from 'bun:test'
import { SECOND } from '../../../platform/clock.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { startWebhookReceiver, type WebhookReceiver, webhookAnswers } from '../../../testing/fakes/webhook-receiver.ts'
import { deliverWebhooks } from './webhooks.jobs.ts'

let app: TestApp
let firm: Firm
let receiver: WebhookReceiver
beforeAll(async () => {
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  firm = await app.firm('alpha')
  receiver = startWebhookReceiver()
})
afterAll(async () => {
  await receiver.stop()
  await app.close()
})

/** Returns how many events and deliveries wait, and the age of the oldest in seconds. */
const backlog = async (): Promise<number[]> => {
  // a reading is used again for a second
  app.clock.advance(SECOND)
  const text = await app.platform.metrics.text()
  return ['outbox_events', 'webhook_deliveries_waiting', 'outbox_oldest_seconds'].map((name) =>
    Number(new RegExp(`^brokerbase_${name} (.+)$`, 'm').exec(text)?.[1]),
  )
}
const createTrader = async (email: string): Promise<void> => {
  const answer = await app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email } })
  expect(answer.status).toBe(201)
}
const deliver = () => deliverWebhooks.run({ platform: app.platform, signal: new AbortController().signal })

test('the backlog counts what waits from event to delivery, with the age of the oldest', async () => {
  await createTrader('nobody-listens@x.test')
  expect(await backlog()).toEqual([0, 0, 0])
  const subscription = { url: `${receiver.url}/hook`, events: ['trader.created'] }
  await app.call('POST', '/v1/webhooks/subscriptions', { as: firm.as.admin, body: subscription })
  await deliver()
  expect(await backlog()).toEqual([0, 0, 0])

  await createTrader('one@x.test')
  app.clock.advance(29 * SECOND)
  const [events, deliveries, age] = await backlog()
  expect([Number(events) > 0, deliveries, age]).toEqual([true, 0, 30])

  receiver.otherwise(webhookAnswers.broken)
  await deliver()
  expect(await backlog()).toEqual([0, 1, 1])
  app.clock.advance(9 * SECOND)
  expect(await backlog()).toEqual([0, 1, 11])

  receiver.otherwise(webhookAnswers.ok)
  await deliver()
  expect(await backlog()).toEqual([0, 0, 0])
})

test('the backlog is read from the index of waiting deliveries alone', () => {
  const plan = app.platform.reader.all<{ detail: string }>(
    `EXPLAIN QUERY PLAN SELECT count(*), min(rowid) FROM webhook_deliveries WHERE webhook_deliveries.status = 'pending'`,
  )
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SCAN webhook_deliveries USING COVERING INDEX webhook_deliveries_due',
  ])
})
