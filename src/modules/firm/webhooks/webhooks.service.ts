import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { HOUR, toIso } from '../../../platform/clock.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { isEventName } from '../../../platform/events/catalogue.ts'
import { invalid, Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { readableBy } from '../../base/events/events.service.ts'
import { calculateLeaseEnd, recordAttempt, sendAttempt } from './webhooks.attempt.ts'
import { MAX_SUBSCRIPTIONS, webhookErrors } from './webhooks.errors.ts'
import { addHand, refuseIfMakerLeft } from './webhooks.leavers.ts'
import {
  type DeliveryDetail,
  type RotateIn,
  type Subscription,
  type SubscriptionIn,
  type SubscriptionPatch,
  type SubscriptionWithSecret,
  toDelivery,
  toDeliveryDetail,
  toSubscription,
} from './webhooks.model.ts'
import { mintSecret, sealSecret, secretsAt } from './webhooks.sign.ts'
import {
  type DeliveryRow,
  type SubscriptionRow,
  webhookAttempts,
  webhookDeliveries,
  webhookSubscriptions,
} from './webhooks.table.ts'

/**
 * Refuses an address that is not https or leads to a private network, at creation and at every change; each delivery
 * checks it again. src/README “Egress”.
 */
async function checkTarget(ctx: Ctx, url: string): Promise<void> {
  const verdict = await ctx.egress.checkUrl(url)
  if (!verdict.ok) throw invalid('url', verdict.code, verdict.message)
}

/**
 * Refuses a key a subscription to events that the key may not read. With `webhooks:write` alone it could otherwise read
 * every deposit through a receiver of its own.
 */
function refuseUnreadable(ctx: Ctx, events: readonly string[]): void {
  const readable: readonly string[] = readableBy(ctx)
  const closed = events.find((event) => isEventName(event) && !readable.includes(event))
  if (closed !== undefined) throw new Problem(403, 'forbidden', say('webhooks.error.scope_missing', { closed }))
}

/** Subscribes a receiver to events; its signing secret is shown only now. src/README “Events and webhooks”. */
export async function createSubscription(
  ctx: Ctx,
  input: Static<typeof SubscriptionIn>,
): Promise<Static<typeof SubscriptionWithSecret>> {
  refuseUnreadable(ctx, input.events)
  await checkTarget(ctx, input.url)
  const id = ctx.ids.next('whs')
  const secret = mintSecret()
  return ctx.write('webhook.create', (tx) => {
    if (tx.count(webhookSubscriptions, {}) >= MAX_SUBSCRIPTIONS) throw webhookErrors.too_many()
    const row = tx.insert(webhookSubscriptions, {
      id,
      url: input.url,
      events: input.events,
      secret: sealSecret(ctx.secrets, ctx.tenantId, id, secret),
      madeBy: findStaffId(ctx.principal),
      hands: addHand(ctx, []).hands,
    })
    return { ...toSubscription(row, tx), secret }
  })
}

const WAITING = statement(
  sql`SELECT DISTINCT ${listed({ event: webhookDeliveries.event })} FROM ${webhookDeliveries}
  WHERE ${webhookDeliveries.tenantId} = ?1 AND ${webhookDeliveries.subscriptionId} = ?2
    AND ${webhookDeliveries.status} = 'pending'`,
)
const waitingEvents = (tx: Tx, subscriptionId: string): string[] =>
  tx.query<{ event: string }>(WAITING, [subscriptionId]).map(({ event }) => event)

/** Changes a subscription's address or events, or switches it on or off; switching on clears its failures. */
export async function updateSubscription(
  ctx: Ctx,
  id: string,
  patch: Static<typeof SubscriptionPatch>,
  expect: number | undefined,
): Promise<Subscription> {
  if (patch.url !== undefined) await checkTarget(ctx, patch.url)
  return ctx.write('webhook.update', (tx) => {
    const { status, events, hands } = tx.get(webhookSubscriptions, id)
    // a new address will receive everything that waits for the subscription, whoever chose its events
    const leadsElsewhere = patch.url !== undefined || patch.events !== undefined
    if (leadsElsewhere) refuseUnreadable(ctx, [...events, ...(patch.events ?? []), ...waitingEvents(tx, id)])
    const changes: Partial<SubscriptionRow> = {
      ...(patch.url === undefined ? {} : { url: patch.url }),
      ...(patch.events === undefined ? {} : { events: patch.events }),
      ...(leadsElsewhere ? addHand(ctx, hands) : {}),
    }
    if (patch.enabled === true && status === 'disabled') {
      Object.assign(changes, {
        status: 'active',
        disabledReason: null,
        failures: 0,
        failingSince: null,
        warnedAt: null,
      })
    }
    if (patch.enabled === false && status === 'active')
      Object.assign(changes, { status: 'disabled', disabledReason: say('webhooks.disabled.staff') })
    return toSubscription(tx.update(webhookSubscriptions, id, changes, { expect }), tx)
  })
}

const CANCEL = statement(
  sql`UPDATE ${webhookDeliveries} SET ${bare(webhookDeliveries.status)} = 'cancelled',
    ${bare(webhookDeliveries.nextAttemptAt)} = NULL, ${bare(webhookDeliveries.finishedAt)} = ?2
  WHERE ${webhookDeliveries.tenantId} = ?1 AND ${webhookDeliveries.subscriptionId} = ?3
    AND ${webhookDeliveries.status} = 'pending'`,
)

/** Removes a subscription; waiting deliveries are cancelled, and the log stays readable for its 30 days. */
export function deleteSubscription(ctx: Ctx, id: string, expect: number | undefined): Promise<null> {
  return ctx.write('webhook.delete', (tx) => {
    tx.remove(webhookSubscriptions, id, { expect })
    tx.execute(CANCEL, [tx.now, id])
    return null
  })
}

/**
 * Makes a new secret, shown only now. Both secrets sign during the overlap and then only the new one; without overlap
 * the former one stops at once. A further call during a rotation replaces the new secret, in case the answer was lost.
 */
export function rotateSecret(
  ctx: Ctx,
  id: string,
  { overlapHours = 24 }: Static<typeof RotateIn>,
): Promise<Static<typeof SubscriptionWithSecret>> {
  const secret = mintSecret()
  return ctx.write('webhook.rotate_secret', (tx) => {
    const row = tx.get(webhookSubscriptions, id)
    const [current = ''] = secretsAt(ctx.secrets, row, tx.now)
    const seal = (text: string) => sealSecret(ctx.secrets, ctx.tenantId, id, text)
    const secrets =
      overlapHours === 0
        ? { secret: seal(secret), nextSecret: null, overlapUntil: null }
        : { secret: seal(current), nextSecret: seal(secret), overlapUntil: tx.now + overlapHours * HOUR }
    const rotated = tx.update(webhookSubscriptions, id, { ...secrets, ...addHand(ctx, row.hands) })
    return { ...toSubscription(rotated, tx), secret }
  })
}

export function readDelivery(ctx: Ctx, id: string): Static<typeof DeliveryDetail> {
  const row = ctx.db.get(webhookDeliveries, id)
  refuseUnreadable(ctx, [row.event])
  return toDeliveryDetail(row, ctx.db.list(webhookAttempts, { deliveryId: id }, { orderBy: 'attempt' }))
}

/** Sends a test event at once and answers its result; a failed test is not repeated. */
export async function testSubscription(ctx: Ctx, id: string): Promise<Static<typeof DeliveryDetail>> {
  const eventId = ctx.ids.next('evt')
  const delivery = await ctx.write(
    'webhook.test',
    (tx) => {
      const subscription = tx.get(webhookSubscriptions, id)
      refuseIfMakerLeft(tx, subscription)
      tx.audit({ entity: 'webhook_subscription', entityId: id })
      const body = JSON.stringify({
        id: eventId,
        event: 'webhook.test',
        createdAt: toIso(tx.now),
        tenantId: ctx.tenantId,
        sequence: 0,
        payload: { subscriptionId: subscription.id, detail: say('webhooks.test.payload') },
      })
      return queueDelivery(tx, {
        subscriptionId: id,
        eventId,
        event: 'webhook.test',
        body,
        leaseUntil: calculateLeaseEnd(tx.now),
      })
    },
    { answer: false },
  )
  const outcome = await sendAttempt(ctx, ctx.db.get(webhookSubscriptions, id), delivery)
  return ctx.write('webhook.test', (tx) => {
    const row = recordAttempt(tx, ctx, delivery, outcome, { retry: false })
    return toDeliveryDetail(row, tx.list(webhookAttempts, { deliveryId: row.id }, { orderBy: 'attempt' }))
  })
}

/** Sends a delivery's event again, as a new delivery with the same `webhook-id`, so that the receiver recognises it. */
export function replayDelivery(ctx: Ctx, id: string): Promise<ReturnType<typeof toDelivery>> {
  return ctx.write('webhook.replay', (tx) => {
    const { subscriptionId, eventId, event, body } = tx.get(webhookDeliveries, id)
    refuseUnreadable(ctx, [event])
    const subscription = tx.get(webhookSubscriptions, subscriptionId)
    if (subscription.status !== 'active') throw webhookErrors.disabled()
    refuseIfMakerLeft(tx, subscription)
    tx.audit({ entity: 'webhook_delivery', entityId: id })
    return toDelivery(queueDelivery(tx, { subscriptionId, eventId, event, body, leaseUntil: 0, replayOf: id }))
  })
}

type Queued = {
  subscriptionId: string
  eventId: string
  event: string
  body: string
  leaseUntil: number
  replayOf?: string
  coalesceKey?: string | null
}

/** Adds a delivery that is due at once. */
export const queueDelivery = (tx: Tx, delivery: Queued): DeliveryRow =>
  tx.insert(webhookDeliveries, { ...delivery, nextAttemptAt: tx.now })
