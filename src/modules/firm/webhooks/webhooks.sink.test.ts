import { afterAll, expect, test } from 'bun:test'
import type { Sink } from '../../../platform/events/sink/sink.ts'
import { createTestApp } from '../../../testing/app.ts'
import { startWebhookReceiver, webhookAnswers } from '../../../testing/fakes/webhook-receiver.ts'
import { deliverWebhooks } from './webhooks.jobs.ts'

const app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
const receiver = startWebhookReceiver()
afterAll(async () => {
  await receiver.stop()
  await app.close()
})

/** A sink that sends nothing, and remembers whom it yields to. */
function createIdleSink() {
  let isBusy = (): boolean => false
  const sink: Sink = {
    start: () => {},
    pause: () => {},
    wake: () => {},
    yieldTo: (busy) => {
      isBusy = busy
    },
    stop: async () => {},
    seen: () => {
      throw new Error('nobody looks')
    },
  }
  return { sink, isYielding: () => isBusy() }
}

test('the stream of events gives way while a delivery is under way, and not after it', async () => {
  const firm = await app.firm('alpha')
  const { sink, isYielding } = createIdleSink()
  await app.call('POST', '/v1/webhooks/subscriptions', {
    as: firm.as.admin,
    body: { url: `${receiver.url}/hook`, events: ['trader.created'] },
  })
  const released = Promise.withResolvers<void>()
  receiver.answerNext(webhookAnswers.after(released.promise))
  await app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email: 'hook@x.test', firstName: 'Hook' } })
  const platform = { ...app.platform, sink }
  const delivered = deliverWebhooks.run({ platform, signal: new AbortController().signal })
  await receiver.waitFor(1)
  expect(isYielding()).toBe(true)
  released.resolve()
  await delivered
  expect(isYielding()).toBe(false)
})
