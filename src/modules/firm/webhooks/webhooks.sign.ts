import { createHmac } from 'node:crypto'
import { hmacSha256Hex, type SecretBox } from '../../../platform/secrets.ts'
import type { SubscriptionRow } from './webhooks.table.ts'

/** Makes a secret in the receiver's form: `whsec_` and 32 random bytes in base64. */
export const mintSecret = (): string =>
  `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`

const sealContext = (tenantId: string, id: string): string => `webhook:${tenantId}:${id}`

export const sealSecret = (secrets: SecretBox, tenantId: string, id: string, secret: string): Uint8Array =>
  secrets.seal(secret, sealContext(tenantId, id))

/** Returns the secrets that sign at a time, the former one first: both during the overlap, then only the new one. */
export function secretsAt(secrets: SecretBox, row: SubscriptionRow, now: number): string[] {
  const context = sealContext(row.tenantId, row.id)
  const current = secrets.openText(row.secret, context)
  if (row.nextSecret === null || row.overlapUntil === null) return [current]
  const next = secrets.openText(row.nextSecret, context)
  return now >= row.overlapUntil ? [next] : [current, next]
}

const standardSignature = (secret: string, message: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(message)
    .digest('base64')}`

/**
 * Returns the headers of one attempt, signed over the exact bytes of the body. `X-Crm-Signature` is a hex HMAC-SHA256
 * keyed with the secret's text (manual/api “Webhooks”); while two secrets sign, that of the new one is in
 * `X-Crm-Signature-Next`. `webhook-*` follow Standard Webhooks; the id is the same in retries and replays.
 */
export function signedHeaders(facts: {
  body: string
  event: string
  eventId: string
  deliveryId: string
  attempt: number
  now: number
  secrets: readonly string[]
}): Record<string, string> {
  const timestamp = String(Math.floor(facts.now / 1000))
  const [current = '', next] = facts.secrets
  const message = `${facts.eventId}.${timestamp}.${facts.body}`
  return {
    'content-type': 'application/json',
    'user-agent': 'Brokerbase-Webhooks/1',
    'x-crm-event': facts.event,
    'x-crm-signature': hmacSha256Hex(current, facts.body),
    ...(next === undefined ? {} : { 'x-crm-signature-next': hmacSha256Hex(next, facts.body) }),
    'x-crm-delivery': facts.deliveryId,
    'x-crm-attempt': String(facts.attempt),
    'webhook-id': facts.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': facts.secrets.map((secret) => standardSignature(secret, message)).join(' '),
  }
}
