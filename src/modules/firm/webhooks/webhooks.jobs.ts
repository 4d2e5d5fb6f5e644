import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { SECOND } from '../../../platform/clock.ts'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { decodeRow, getTableMeta } from '../../../platform/db/tenant-table.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Connection } from '../../../platform/sqlite.ts'
import { say } from '../../../words/say.ts'
import { events } from '../../base/events/events.table.ts'
import { fanOut, receivers, subscriptions } from './fan-out.jobs.ts'
import { calculateLeaseEnd, recordAttempt, sendAttempt } from './webhooks.attempt.ts'
import { createSlots, type Slots } from './webhooks.slots.ts'
import { active, deliveries, LAST_POSITION, POSITION, pending, whole } from './webhooks.state.ts'
import { type DeliveryRow, type SubscriptionRow, webhookDeliveries, webhookSubscriptions } from './webhooks.table.ts'

const NAME = 'webhooks.deliver'
export const READ_STATE = 'SELECT value FROM job_state WHERE name = ?'
const OLDEST = statement(sql`SELECT min(${webhookSubscriptions.createdAt}) AS "createdAt" ${active}`)
const ONE = statement(
  sql`SELECT ${whole} ${active} AND ${webhookSubscriptions.tenantId} = ? AND ${webhookSubscriptions.id} = ?`,
)

const CLAIM = statement(
  sql`UPDATE ${deliveries} SET ${bare(deliveries.leaseUntil)} = ?1
  WHERE ${deliveries.tenantId} = ?2 AND ${deliveries.id} IN (
    SELECT ${deliveries.id} FROM ${deliveries} WHERE ${deliveries.tenantId} = ?2 AND ${deliveries.subscriptionId} = ?3
    AND ${pending} AND ${deliveries.nextAttemptAt} <= ?4 AND ${deliveries.leaseUntil} <= ?4
    ORDER BY ${deliveries.nextAttemptAt} LIMIT ?5)
  RETURNING ${listed({ id: deliveries.id })}`,
)

const TAKEN = statement(
  sql`SELECT ${sql.raw(getTableMeta(deliveries).selection)} FROM ${deliveries}
  WHERE ${deliveries.tenantId} = ? AND ${deliveries.id} = ?`,
)

/** Claims due deliveries of receivers with free slots; `turn` rotates who comes first. */
async function claim(platform: Platform, slots: Slots, turn: number) {
  const all = receivers(platform.reader)
  const firms = new Set(all.map(({ tenantId }) => tenantId)).size
  const { room } = slots.tally(firms)
  const now = platform.clock.now()
  const first = all.length === 0 ? 0 : turn % all.length
  const due = [...all.slice(first), ...all.slice(0, first)].filter(
    (receiver) =>
      room(receiver) > 0 && platform.reader.get(DUE, [receiver.tenantId, receiver.id, now, now]) !== undefined,
  )
  if (due.length === 0) return []
  const meta = getTableMeta(webhookDeliveries)
  return platform.writer.submit(() => {
    const { connection } = platform
    const now = platform.clock.now()
    const places = slots.tally(firms)
    const claimed: { subscription: SubscriptionRow; delivery: DeliveryRow }[] = []
    for (const { tenantId, id } of due) {
      // it is read again, since it may have been switched off or changed since the search
      const [subscription] = subscriptions(connection, ONE, [tenantId, id])
      if (!subscription) continue
      const free = places.room(subscription)
      if (free === 0) continue
      const taken = connection.all<{ id: string }>(CLAIM, [calculateLeaseEnd(now), tenantId, id, now, free])
      for (const delivery of taken) {
        const row = connection.get<Record<string, unknown>>(TAKEN, [tenantId, delivery.id])
        if (!row) continue
        decodeRow(meta, row)
        places.take(subscription)
        claimed.push({ subscription, delivery: row as DeliveryRow })
      }
    }
    return claimed
  })
}
const DUE = statement(
  sql`SELECT 1 FROM ${deliveries} WHERE ${deliveries.tenantId} = ? AND ${deliveries.subscriptionId} = ? AND ${pending}
  AND ${deliveries.nextAttemptAt} <= ? AND ${deliveries.leaseUntil} <= ? LIMIT 1`,
)

/** After a commit the engine waits this long for further events, and it looks for new events at least this often. */
const GATHER = 25
const LOOK_AGAIN = 200

/** Delivers events to their receivers until nothing is due or in progress. src/README “Events and webhooks”. */
function createEngine(platform: Platform) {
  const slots = createSlots(() => performance.now())
  let cursor: { position: number } | undefined
  let turn = 0
  let wake = (): void => {}
  let seen = platform.outbox.released
  let gathering = false
  let isDelivering = false
  platform.sink?.yieldTo(() => isDelivering)
  // a new event is delivered even while slow receivers are still awaited
  platform.writer.onCommit(() => {
    if (gathering || seen === platform.outbox.released) return
    gathering = true
    setTimeout(() => {
      gathering = false
      seen = platform.outbox.released
      wake()
    }, GATHER)
  })
  return async (signal: AbortSignal): Promise<string | null> => {
    let sent = 0
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      cursor ??= firstCursor(platform)
      while (!signal.aborted && (await fanOut(platform, cursor)));
      if (!signal.aborted) {
        turn += 1
        for (const { subscription, delivery } of await claim(platform, slots, turn)) {
          const attempt = slots.start(subscription)
          void deliver(platform, subscription, delivery).finally(() => {
            slots.end(attempt)
            wake()
          })
          sent += 1
        }
      }
      isDelivering = slots.busy > 0
      if (!isDelivering) return sent === 0 ? null : say('jobs.webhooks_sent', { sent })
      await Promise.race([woken, Bun.sleep(LOOK_AGAIN)])
    }
  }
}

/** Returns the engine's position, or that of the oldest subscription if it is later: nobody receives older events. */
export function firstCursor({ reader }: { reader: Connection }): { position: number } {
  const stored = Number(reader.get<{ value: string }>(READ_STATE, [POSITION])?.value ?? 0)
  const oldest = reader.get<{ createdAt: number | null }>(OLDEST)?.createdAt ?? null
  const first = oldest === null ? undefined : reader.get<{ position: number }>(FIRST_SINCE, [oldest])
  const skip = first ? first.position - 1 : (reader.get<{ position: number }>(LAST_POSITION)?.position ?? 0)
  return { position: Math.max(stored, skip) }
}
const FIRST_SINCE = statement(
  sql`SELECT ${listed({ position: events.position })} FROM ${events}
  WHERE ${events.createdAt} >= ? ORDER BY ${events.createdAt}, ${events.position} LIMIT 1`,
)

async function deliver(platform: Platform, subscription: SubscriptionRow, delivery: DeliveryRow): Promise<void> {
  const ctx = systemCtx(platform, delivery.tenantId, NAME)
  const outcome = await sendAttempt(ctx, subscription, delivery)
  try {
    await ctx.write('webhook.deliver', (tx) => {
      recordAttempt(tx, ctx, delivery, outcome, { retry: true })
    })
  } catch (error) {
    // the lease will end and the delivery be tried again: at least once
    platform.log.error({ err: error, delivery: delivery.id }, 'webhook outcome could not be saved')
  }
}

const engine = new WeakMap<Platform, ReturnType<typeof createEngine>>()

export const deliverWebhooks = defineJob({
  name: NAME,
  every: SECOND,
  onEvents: true,
  run: ({ platform, signal }) => {
    const run = engine.get(platform) ?? createEngine(platform)
    engine.set(platform, run)
    return run(signal)
  },
})
export const places = listed({ position: events.position, tenantId: events.tenantId, sequence: events.sequence })
