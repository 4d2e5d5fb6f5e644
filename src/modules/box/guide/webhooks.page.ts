import { HOUR, MINUTE } from '../../../platform/clock.ts'
import { buildSampleEvent } from '../../../platform/events/catalogue.ts'
import { KEPT, UPDATES_KEPT } from '../../base/events/events.model.ts'
import { CONNECT_MS, TOTAL_MS } from '../../firm/webhooks/webhooks.attempt.ts'
import { RotateIn } from '../../firm/webhooks/webhooks.model.ts'
import { DISABLE_AFTER, JITTER, MAX_ATTEMPTS, MIN_FAILURES, WAITS } from '../../firm/webhooks/webhooks.schedule.ts'
import { signedHeaders } from '../../firm/webhooks/webhooks.sign.ts'
import { block, duration, table } from './guide.text.ts'
import golang from './snippets/receiver.go' with { type: 'text' }
import node from './snippets/receiver.mjs' with { type: 'text' }
import python from './snippets/receiver.py' with { type: 'text' }

/** The secret that really signs the sample delivery, for testing a receiver's check; it signs nothing else. */
export const SAMPLE_SECRET = `whsec_${Buffer.from('a sample, and no secret of anyone').toString('base64')}`
const BODY = JSON.stringify(buildSampleEvent('deposit.settled'))
export const sampleDelivery = (): { headers: Record<string, string>; body: string } => ({
  headers: signedHeaders({
    body: BODY,
    event: 'deposit.settled',
    eventId: buildSampleEvent('deposit.settled').id,
    deliveryId: 'whd_01kf5p3w7n8q2r4t6v9x1y3z5a',
    attempt: 1,
    now: Date.UTC(2026, 0, 31, 14, 5, 13),
    secrets: [SAMPLE_SECRET],
  }),
  body: BODY,
})

const sample = (): string => {
  const { headers, body } = sampleDelivery()
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return block('http', ['POST /hook HTTP/1.1', ...lines, '', body].join('\n'))
}

const roughly = (ms: number): string =>
  ms < MINUTE ? duration(ms) : ms < HOUR ? `${(ms / MINUTE).toFixed(1)} minutes` : `${(ms / HOUR).toFixed(1)} hours`

const schedule = (): string => {
  let total = 0
  const rows = WAITS.map((wait, index) => {
    total += wait
    return [index + 1, wait === 0 ? 'at once' : duration(wait), total === 0 ? '–' : roughly(total)]
  })
  return table(['Attempt', 'After the one before', 'Since the event'], rows)
}

/** Explains how deliveries are signed, checked and repeated, with the figures from the code. */
export const webhooksPage = (): string => `# Receiving webhooks

A delivery is a POST of [one event](/docs/guide/events), signed by the secret that was shown when the subscription was made. A receiver does five things:

1. It reads the **bytes** of the body, and parses them only after the check.
2. It refuses a \`webhook-timestamp\` that is more than **5 minutes** off: an old delivery that somebody recorded.
3. It computes HMAC-SHA256 over \`webhook-id\`, a dot, \`webhook-timestamp\`, a dot and the body, keyed with the bytes that the base64 behind \`whsec_\` stands for, and compares it **in constant time** with each signature of \`webhook-signature\`. One that fits is enough.
4. It takes each \`webhook-id\` **once**: delivery is at least once, so the same event may come again.
5. It stores the event, answers **2xx at once**, and works on it afterwards.

This is the scheme of Standard Webhooks; any of its libraries will do. The code below needs none, and is run by the tests of this product against deliveries that are right, tampered with, and old.

## Node

${block('js', node)}

## Python

${block('python', python)}

## Go

${block('go', golang)}

## A delivery to check against

The secret is \`${SAMPLE_SECRET}\`. The time is long past, so switch the check of it off for a moment.

${sample()}

\`X-Crm-Signature\` is an older form: hex HMAC-SHA256 of the body alone, keyed with the secret’s text as it was shown. It proves the sender and not the time; prefer the other one.

## When a secret is rotated

\`POST /v1/webhooks/subscriptions/{id}/rotate-secret\` answers with a new secret. For ${RotateIn.properties.overlapHours.maximum} hours, or as long as \`overlapHours\` says, \`webhook-signature\` holds two signatures with a blank between them, and the new secret’s older form is in \`X-Crm-Signature-Next\`. Put the new secret in place within that time; with \`overlapHours: 0\` the old one signs nothing more.

## When a delivery is repeated

An attempt that is not answered with 2xx within ${duration(TOTAL_MS)} (connected within ${duration(CONNECT_MS)}) is repeated, ${MAX_ATTEMPTS} attempts in all, each wait up to ${JITTER * 100} % shorter or longer:

${schedule()}

- \`Retry-After\` of a failed answer is honoured, up to a day.
- A redirect is a failure and is not followed. **410 Gone** switches the subscription off.
- After ${duration(DISABLE_AFTER)} without a success and at least ${MIN_FAILURES} failures the subscription is switched off and the firm’s administrators are mailed; they are warned before. It is never deleted.
- The console shows every attempt with its answer, and sends any delivery again.

## When something was missed

What happened while a receiver was off is sent again by \`POST /v1/webhooks/subscriptions/{id}/recover\` with \`after\`, a sequence, or \`since\`, a time; what still waits for its next attempt gets it at once. Or it is read from the feed: [how](/docs/guide/retries#catching-up-with-events). Events are kept for ${duration(KEPT)}, \`position.updated\` for ${duration(UPDATES_KEPT)}.
`
