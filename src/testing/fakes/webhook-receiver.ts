import { createHmac } from 'node:crypto'
import { until } from '../until.ts'

export type ReceivedWebhook = {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  body: Uint8Array
  text: string
}

type WebhookAnswer = {
  status?: number
  /** The answer is held back until this resolves. */
  after?: Promise<void>
  headers?: Record<string, string>
  body?: string
}

export type WebhookReceiver = {
  /** The address `http://127.0.0.1:<port>`; every path below it is a receiver. */
  url: string
  received: ReceivedWebhook[]
  /** Sets the answers to the next requests, in order; after them each request gets `otherwise` (204 at first). */
  answerNext(...answers: WebhookAnswer[]): void
  otherwise(answer: WebhookAnswer): void
  /** Resolves once that many requests have arrived in all. */
  waitFor(count: number): Promise<ReceivedWebhook[]>
  stop(): Promise<void>
}

/** Answers for several tests. */
export const webhookAnswers = {
  ok: { status: 204 },
  gone: { status: 410 },
  broken: { status: 500, body: 'broken' },
  busy: (seconds: number): WebhookAnswer => ({ status: 429, headers: { 'retry-after': String(seconds) } }),
  redirect: (location: string): WebhookAnswer => ({ status: 302, headers: { location } }),
  after: (moment: Promise<void>): WebhookAnswer => ({ after: moment }),
}

/** Starts an HTTP server on 127.0.0.1 that records every request as it came and answers as set. */
export const startWebhookReceiver = (): WebhookReceiver => {
  const received: ReceivedWebhook[] = []
  const queue: WebhookAnswer[] = []
  let fallback: WebhookAnswer = webhookAnswers.ok

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const body = await request.bytes()
      const { pathname, search } = new URL(request.url)
      received.push({
        method: request.method,
        path: `${pathname}${search}`,
        headers: Object.fromEntries(request.headers),
        body,
        text: new TextDecoder().decode(body),
      })
      const answer = queue.shift() ?? fallback
      await answer.after
      return new Response(answer.body ?? null, { status: answer.status ?? 204, headers: answer.headers ?? {} })
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    received,
    answerNext: (...answers) => {
      queue.push(...answers)
    },
    otherwise: (answer) => {
      fallback = answer
    },
    waitFor: async (count) => {
      await until(`${count} webhooks came`, () => received.length >= count)
      return received
    },
    stop: () => server.stop(true),
  }
}

/** Returns whether `X-Crm-Signature` is the hex HMAC-SHA256 of the body under the whole secret, with its `whsec_`. */
export const isCrmSigned = (webhook: ReceivedWebhook, secret: string): boolean =>
  webhook.headers['x-crm-signature'] === createHmac('sha256', secret).update(webhook.body).digest('hex')

/**
 * Returns whether one of the signatures in `webhook-signature` is that of Standard Webhooks, `v1,<base64 HMAC-SHA256 of
 * "id.timestamp.body">`, under the bytes that the secret `whsec_<base64>` encodes.
 */
export const isStandardSigned = (webhook: ReceivedWebhook, secret: string): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = webhook.headers
  if (id === undefined || timestamp === undefined || !/^\d{10}$/.test(timestamp)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(webhook.body).digest('base64')
  return signatures.split(' ').includes(`v1,${expected}`)
}
