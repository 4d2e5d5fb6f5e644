import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { gatewayRequest, postGatewayCallback, signGatewayCallback } from './gateway.ts'
import {
  isCrmSigned,
  isStandardSigned,
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
  webhookAnswers,
} from './webhook-receiver.ts'

let receiver: WebhookReceiver
beforeEach(() => {
  receiver = startWebhookReceiver()
})
afterEach(() => receiver.stop())

const egress = createEgress({ allowedNetworks: ['127.0.0.0/8'], clock: systemClock })
const post = (path: string) => egress.request({ method: 'POST', url: receiver.url + path, body: '{"ä":1}' })

test('a fake webhook receiver records requests as they came, and answers as a test set it', async () => {
  receiver.answerNext(webhookAnswers.busy(7), webhookAnswers.redirect('/other'), webhookAnswers.broken)
  const busy = await post('/a?b=c')
  expect([busy.status, busy.headers['retry-after']]).toEqual([429, '7'])
  expect((await post('/b')).headers.location).toBe('/other')
  expect((await post('/c')).status).toBe(500)
  expect((await post('/d')).status).toBe(204)
  receiver.otherwise(webhookAnswers.gone)
  expect((await post('/e')).status).toBe(410)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/a?b=c', '/b', '/c', '/d', '/e'])
  expect(receiver.received[0]).toMatchObject({ method: 'POST', text: '{"ä":1}' })
  expect(receiver.received[0]?.body).toEqual(new TextEncoder().encode('{"ä":1}'))
})

test('a fake webhook receiver waits until a number of requests has arrived', async () => {
  const waiting = receiver.waitFor(2)
  await Promise.all([post('/a'), post('/b')])
  expect(await waiting).toHaveLength(2)
})

test('a delayed answer of a fake webhook receiver reaches the time limit of the client', async () => {
  receiver.otherwise(webhookAnswers.after(new Promise(() => {})))
  jest.useFakeTimers()
  const call = egress.request({ method: 'POST', url: receiver.url, body: 'x', totalTimeoutMs: 50 })
  await receiver.waitFor(1)
  jest.advanceTimersByTime(50)
  jest.useRealTimers()
  await expect(call).rejects.toMatchObject({ code: 'timeout' })
})

test('a webhook signature is valid for its body and secret, and for no other', () => {
  // The values are the example of the Standard Webhooks documentation.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const body = new TextEncoder().encode('{"test": 2432232314}')
  const webhook: ReceivedWebhook = {
    method: 'POST',
    path: '/',
    headers: {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
      'x-crm-signature': createHmac('sha256', secret).update(body).digest('hex'),
    },
    body,
    text: '',
  }
  const other = { ...webhook, body: new TextEncoder().encode('{}') }
  expect([isStandardSigned(webhook, secret), isCrmSigned(webhook, secret)]).toEqual([true, true])
  expect([isStandardSigned(other, secret), isCrmSigned(other, secret)]).toEqual([false, false])
  expect([isStandardSigned(webhook, 'whsec_AAAA'), isCrmSigned(webhook, 'whsec_AAAA')]).toEqual([false, false])
})

test('a fake gateway signs the bytes that it sends', async () => {
  const callback = { reference: 'r1', depositId: 'dep_1', status: 'success', amount: '10.00', currency: 'EUR' } as const
  await postGatewayCallback(receiver.url, 'sesame', callback)
  const [seen] = receiver.received
  expect(JSON.parse(seen?.text ?? '')).toEqual(callback)
  const signature = createHmac('sha256', 'sesame')
    .update(seen?.text ?? '')
    .digest('hex')
  expect(seen?.headers).toMatchObject({ 'x-psp-signature': signature, 'content-type': 'application/json' })
  expect(signGatewayCallback('sesame', callback).headers['x-psp-signature']).toBe(signature)
  const forged = gatewayRequest(receiver.url, 'sesame', callback, { 'x-psp-signature': 'no' })
  expect(forged.headers.get('x-psp-signature')).toBe('no')
})
