import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { parseTime } from '../../../platform/http/lists/list-filters.ts'
import { invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { eventsById, numberBefore, readEvents, refuseGone, type StoredEvent } from '../../base/events/events.service.ts'
import { webhookErrors } from './webhooks.errors.ts'
import { refuseIfMakerLeft } from './webhooks.leavers.ts'
import type { RecoverIn, RecoverOut } from './webhooks.model.ts'
import { queueDelivery } from './webhooks.service.ts'
import { type DeliveryRow, findCoalesceKey, webhookDeliveries, webhookSubscriptions } from './webhooks.table.ts'

/** One write takes this many events. */
const STEP = 500
const sent = sql`SELECT ${listed({
  id: webhookDeliveries.id,
  status: webhookDeliveries.status,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
})}
  FROM ${webhookDeliveries} WHERE ${webhookDeliveries.tenantId} = ?1
    AND ${webhookDeliveries.eventId} = ?2 AND ${webhookDeliveries.subscriptionId} = ?3`
const SENT = statement(
  sql`${sent} AND ${webhookDeliveries.replayOf} IS NULL
  UNION ALL ${sent} AND ${webhookDeliveries.replayOf} IS NOT NULL`,
)

/**
 * Queues an event for a subscription unless it was delivered or waits. A failed delivery is repeated; one that waits
 * for its next attempt is made due now.
 */
function queueMissing(tx: Tx, subscriptionId: string, event: StoredEvent): number {
  const sent = tx.query<Pick<DeliveryRow, 'id' | 'status' | 'nextAttemptAt'>>(SENT, [event.id, subscriptionId])
  if (sent.some(({ status }) => status === 'delivered')) return 0
  const waiting = sent.filter(({ status }) => status === 'pending')
  // one delivery is enough: another of the same event would change nothing for the receiver
  const [soonest] = waiting.toSorted((a, b) => (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0))
  if (soonest !== undefined) {
    if ((soonest.nextAttemptAt ?? 0) > tx.now) tx.update(webhookDeliveries, soonest.id, { nextAttemptAt: tx.now })
    return 0
  }
  const [first] = sent
  queueDelivery(tx, {
    subscriptionId,
    eventId: event.id,
    event: event.event,
    body: event.body,
    leaseUntil: 0,
    ...(first ? { replayOf: first.id } : { coalesceKey: findCoalesceKey(event) }),
  })
  return 1
}

function readStart(ctx: Ctx, { after, since }: Static<typeof RecoverIn>): number {
  if ((after === undefined) === (since === undefined))
    throw invalid(after === undefined ? 'after' : 'since', 'one_of', say('webhooks.field.since_one_of'))
  if (since !== undefined) return numberBefore(ctx, parseTime('since', since))
  const number = Number(after)
  refuseGone(ctx.db, number)
  return number
}

/**
 * Sends a subscription the events that it missed after a number or a time, each under its own `webhook-id`; of a
 * position only the latest update. The writes are many and short, and an interrupted call can be repeated without
 * sending twice. RULES “Events”.
 */
export async function recoverEvents(
  ctx: Ctx,
  id: string,
  input: Static<typeof RecoverIn>,
): Promise<Static<typeof RecoverOut>> {
  ctx.db.get(webhookSubscriptions, id)
  let after = readStart(ctx, input)
  let queued = 0
  const latest = new Map<string, string>()
  const step = <T>(run: (tx: Tx) => T extends Promise<unknown> ? never : T) =>
    ctx.write('webhook.recover', run, { answer: false })
  const active = (tx: Tx) => {
    const subscription = tx.get(webhookSubscriptions, id)
    if (subscription.status !== 'active') throw webhookErrors.disabled()
    refuseIfMakerLeft(tx, subscription)
    return subscription
  }
  for (let done = false; !done; ) {
    const look = await step((tx) => {
      const found = readEvents(tx, after, active(tx).events)
      let count = 0
      for (const event of found.events) {
        const key = findCoalesceKey(event)
        if (key === null) count += queueMissing(tx, id, event)
        else latest.set(key, event.id)
      }
      return { ...found, count }
    })
    queued += look.count
    after = look.reached
    done = look.done
  }
  const updates = [...latest.values()]
  for (let start = 0; start < updates.length; start += STEP)
    queued += await step((tx) => {
      active(tx)
      const events = eventsById(tx, updates.slice(start, start + STEP))
      return events.reduce((count, event) => count + queueMissing(tx, id, event), 0)
    })
  return ctx.write('webhook.recover', (tx) => {
    tx.audit({ entity: 'webhook_subscription', entityId: id, after: { ...input, queued } })
    return { queued }
  })
}
