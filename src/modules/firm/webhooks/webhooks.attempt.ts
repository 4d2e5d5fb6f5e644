import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { SECOND } from '../../../platform/clock.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { EgressError } from '../../../platform/egress-error.ts'
import { pickLanguage } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'
import { type Letter, queueMail } from '../../base/mails/mails.service.ts'
import { users } from '../users/users.table.ts'
import { judge, nextAttemptAt, parseRetryAfter } from './webhooks.schedule.ts'
import { secretsAt, signedHeaders } from './webhooks.sign.ts'
import {
  type DeliveryRow,
  type SubscriptionRow,
  webhookAttempts,
  webhookDeliveries,
  webhookSubscriptions,
} from './webhooks.table.ts'

export const CONNECT_MS = 5 * SECOND
export const TOTAL_MS = 15 * SECOND
const EXCERPT_BYTES = 1024

/** A lease is longer than any attempt, so when it has passed, the process died and the delivery is tried again. */
export const calculateLeaseEnd = (now: number): number => now + TOTAL_MS + 15 * SECOND

/** The outcome of one attempt. `statusCode` is null if there was no answer; then `error` says why. */
type Outcome = {
  startedAt: number
  latencyMs: number
  statusCode: number | null
  error: string | null
  response: string | null
  retryAfterMs: number
}

export async function sendAttempt(ctx: Ctx, subscription: SubscriptionRow, delivery: DeliveryRow): Promise<Outcome> {
  const startedAt = ctx.now()
  const since = performance.now()
  const ended = () => Math.round(performance.now() - since)
  try {
    const { status, headers, body } = await ctx.egress.request({
      method: 'POST',
      url: subscription.url,
      headers: signedHeaders({
        body: delivery.body,
        event: delivery.event,
        eventId: delivery.eventId,
        deliveryId: delivery.id,
        attempt: delivery.attempts + 1,
        now: startedAt,
        secrets: secretsAt(ctx.secrets, subscription, startedAt),
      }),
      body: delivery.body,
      connectTimeoutMs: CONNECT_MS,
      totalTimeoutMs: TOTAL_MS,
      maxResponseBytes: EXCERPT_BYTES,
    })
    const ok = status >= 200 && status < 300
    const retryAfter = headers['retry-after']
    return {
      startedAt,
      latencyMs: ended(),
      statusCode: status,
      error: ok
        ? null
        : status >= 300 && status < 400
          ? say('webhooks.attempt.redirect')
          : say('webhooks.attempt.status', { status }),
      response: new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES)).replaceAll('\0', ''),
      retryAfterMs: parseRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, startedAt),
    }
  } catch (error) {
    const reason = error instanceof EgressError ? `${error.code}: ${error.message}` : say('webhooks.attempt.failed')
    if (!(error instanceof EgressError)) ctx.log.error({ err: error }, 'webhook attempt failed unexpectedly')
    return {
      startedAt,
      latencyMs: ended(),
      statusCode: null,
      error: reason.slice(0, 300),
      response: null,
      retryAfterMs: 0,
    }
  }
}

/** Stores an attempt's outcome: the log row, the delivery's next state, and the endpoint's health. */
export function recordAttempt(
  tx: Tx,
  ctx: Ctx,
  delivery: DeliveryRow,
  outcome: Outcome,
  { retry }: { retry: boolean },
): DeliveryRow {
  const attempt = delivery.attempts + 1
  const ok = outcome.error === null
  const again =
    ok || !retry || outcome.statusCode === 410
      ? null
      : nextAttemptAt(tx.now, attempt, outcome.retryAfterMs, Math.random())
  tx.insert(webhookAttempts, {
    deliveryId: delivery.id,
    attempt,
    startedAt: outcome.startedAt,
    latencyMs: outcome.latencyMs,
    statusCode: outcome.statusCode,
    error: outcome.error,
    response: outcome.response,
    nextAttemptAt: again,
  })
  const current = tx.get(webhookDeliveries, delivery.id)
  // a delivery that was cancelled during the attempt stays cancelled
  const status =
    current.status !== 'pending' ? current.status : ok ? 'delivered' : again === null ? 'failed' : 'pending'
  const row = tx.update(webhookDeliveries, delivery.id, {
    attempts: attempt,
    status,
    nextAttemptAt: status === 'pending' ? again : null,
    leaseUntil: 0,
    finishedAt: status === 'pending' ? null : (current.finishedAt ?? tx.now),
  })
  recordHealth(tx, ctx, delivery.subscriptionId, ok, outcome.statusCode)
  return row
}

const its = webhookSubscriptions
const one = sql`WHERE ${its.tenantId} = ?1 AND ${its.id} = ?3`
const HEALTHY = statement(
  sql`UPDATE ${its} SET ${bare(its.lastSuccessAt)} = ?2, ${bare(its.failingSince)} = NULL, ${bare(its.failures)} = 0,
    ${bare(its.warnedAt)} = NULL ${one}`,
)
const FAILING = statement(
  sql`UPDATE ${its} SET ${bare(its.lastFailureAt)} = ?2, ${bare(its.failingSince)} = coalesce(${its.failingSince}, ?2),
    ${bare(its.failures)} = ${its.failures} + 1 ${one}`,
)
const WARNED = statement(sql`UPDATE ${its} SET ${bare(its.warnedAt)} = ?2 ${one}`)

/**
 * Counts successes and failures without audit. A warning, or switching the subscription off, is audited and mailed to
 * the firm's administrators.
 */
function recordHealth(tx: Tx, ctx: Ctx, id: string, ok: boolean, statusCode: number | null): void {
  if (ok) return void tx.execute(HEALTHY, [tx.now, id])
  tx.execute(FAILING, [tx.now, id])
  const subscription = tx.find(webhookSubscriptions, { id })
  if (subscription?.status !== 'active') return
  const { url } = subscription
  const { publicUrl } = ctx.config
  const verdict = statusCode === 410 ? 'disable' : judge(subscription, tx.now)
  if (verdict === 'disable') {
    const why = statusCode === 410 ? 'gone' : 'failing'
    const disabledReason = say(`webhooks.disabled.${why}`)
    tx.update(webhookSubscriptions, id, { status: 'disabled', disabledReason }, { action: 'webhook.disabled' })
    tellAdmins(tx, ctx, () => ({
      subject: say('webhooks.mail.disabled.subject', { url }),
      text: say('webhooks.mail.disabled.text', { why, publicUrl }),
    }))
  } else if (verdict === 'warn') {
    tx.execute(WARNED, [tx.now, id])
    tx.audit({ action: 'webhook.failing', entity: 'webhook_subscription', entityId: id })
    tellAdmins(tx, ctx, () => ({
      subject: say('webhooks.mail.failing.subject', { url }),
      text: say('webhooks.mail.failing.text', { publicUrl }),
    }))
  }
}

function tellAdmins(tx: Tx, ctx: Ctx, letter: Letter): void {
  for (const user of tx.list(users, { status: 'active' })) {
    if (!user.roles.some((role) => role === 'admin' || role === 'owner')) continue
    queueMail(tx, ctx, {
      to: user.email,
      language: pickLanguage(user.locale),
      letter,
      recipientRole: null,
      link: null,
      expiresAt: tx.now + 7 * 24 * 3600 * SECOND,
    })
  }
}
