import { sql } from 'drizzle-orm'
import { systemCtx } from '../../platform/access/ctx.ts'
import { HOUR, SECOND } from '../../platform/clock.ts'
import { ofActiveTenant } from '../../platform/db/directory.ts'
import { bare, listed, statement } from '../../platform/db/statement.ts'
import { decodeRow, metaOf } from '../../platform/db/tenant-table.ts'
import { EVENT_STATE } from '../../platform/events/outbox.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Connection } from '../../platform/sqlite.ts'
import { say } from '../../words/say.ts'
import { KEPT, UPDATES_KEPT } from '../events/events.model.ts'
import { events } from '../events/events.table.ts'
import { leaseOf, recordAttempt, sendAttempt } from './webhooks.attempt.ts'
import { createSlots, type Receiver, type Slots } from './webhooks.slots.ts'
import {
  coalesceKeyOf,
  type DeliveryRow,
  type SubscriptionRow,
  webhookDeliveries,
  webhookSubscriptions,
} from './webhooks.table.ts'

const NAME = 'webhooks.deliver'
const POSITION = 'webhooks.position'
const BATCH = 500

const deliveries = webhookDeliveries

type EventRow = { position: number; tenantId: string; id: string; event: string; body: string; createdAt: number }

export const EVENTS_AFTER = statement(
  sql`SELECT ${listed({
    position: events.position,
    tenantId: events.tenantId,
    id: events.id,
    event: events.event,
    body: events.body,
    createdAt: events.createdAt,
  })} FROM ${events} WHERE ${events.position} > ? ORDER BY ${events.position} LIMIT ?`,
)
export const LAST_POSITION = statement(sql`SELECT coalesce(max(${events.position}), 0) AS position FROM ${events}`)
const READ_STATE = 'SELECT value FROM job_state WHERE name = ?'
const WRITE_STATE =
  'INSERT INTO job_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'

const active = sql`FROM ${webhookSubscriptions} ${ofActiveTenant(webhookSubscriptions.tenantId)}
  WHERE ${webhookSubscriptions.status} = 'active' AND ${webhookSubscriptions.deletedAt} IS NULL`
const ANY_ACTIVE = statement(sql`SELECT 1 ${active} LIMIT 1`)
const OLDEST = statement(sql`SELECT min(${webhookSubscriptions.createdAt}) AS "createdAt" ${active}`)
const RECEIVERS = statement(
  sql`SELECT ${listed({ tenantId: webhookSubscriptions.tenantId, id: webhookSubscriptions.id })} ${active}`,
)
const whole = sql.raw(metaOf(webhookSubscriptions).selection)
const OF_FIRMS = statement(
  sql`SELECT ${whole} ${active} AND ${webhookSubscriptions.tenantId} IN (SELECT value FROM json_each(?))`,
)
const ONE = statement(
  sql`SELECT ${whole} ${active} AND ${webhookSubscriptions.tenantId} = ? AND ${webhookSubscriptions.id} = ?`,
)

/** Active subscriptions of active tenants: the unscoped reads of the engine, which serves every tenant. */
function subscriptions(db: Connection, query: string, parameters: string[]): SubscriptionRow[] {
  const meta = metaOf(webhookSubscriptions)
  const rows = db.all<Record<string, unknown>>(query, parameters)
  for (const row of rows) decodeRow(meta, row)
  return rows as SubscriptionRow[]
}

/** Who listens now, as little of them as can be: there may be hundreds, and every pass asks for all. */
const receivers = (db: Connection): Receiver[] => db.all<Receiver>(RECEIVERS)

const DELIVER = `INSERT INTO webhook_deliveries (tenant_id, id, subscription_id, event_id, event, body, status, attempts, next_attempt_at, coalesce_key, created_at)
  VALUES (?,?,?,?,?,?,'pending',0,?,?,?) ON CONFLICT DO NOTHING`
const pending = sql`${deliveries.status} = 'pending'`
// OR IGNORE: one that waits for this very event already, recovered by hand, stays beside an older one
const COALESCE = statement(
  sql`UPDATE OR IGNORE ${deliveries} SET ${bare(deliveries.eventId)} = ?, ${bare(deliveries.body)} = ?
  WHERE ${deliveries.tenantId} = ? AND ${deliveries.subscriptionId} = ? AND ${deliveries.coalesceKey} = ?
    AND ${pending} AND ${deliveries.attempts} = 0 AND ${deliveries.leaseUntil} = 0 AND ${deliveries.replayOf} IS NULL`,
)

/** Deliveries made in one write: other writes go on in between, however many receivers a firm has. */
const AT_ONCE = 1000

/**
 * Turns new events into deliveries, from the position it reached the last time, in
 * one transaction with the new position: a crash repeats or skips nothing. Without
 * any subscription it moves on in memory only. Returns whether more events wait.
 */
async function fanOut(platform: Platform, cursor: { position: number }): Promise<boolean> {
  if (!platform.reader.get(EVENTS_AFTER, [cursor.position, 1])) return false
  if (!platform.reader.get(ANY_ACTIVE)) {
    cursor.position = platform.reader.get<{ position: number }>(LAST_POSITION)?.position ?? cursor.position
    return false
  }
  const { position, more } = await platform.writer.submit(() => {
    const { connection, clock, ids } = platform
    const now = clock.now()
    // both as they are in this transaction: who listens when an event
    // happens hears of it, who has gone does not, however long the backlog
    const events = connection.all<EventRow>(EVENTS_AFTER, [cursor.position, BATCH])
    const firms = [...new Set(events.map(({ tenantId }) => tenantId))]
    const listening = Map.groupBy(subscriptions(connection, OF_FIRMS, [JSON.stringify(firms)]), (row) => row.tenantId)
    let position = cursor.position
    let made = 0
    for (const event of events) {
      if (made >= AT_ONCE) break
      position = event.position
      const key = coalesceKeyOf(event)
      for (const subscription of listening.get(event.tenantId) ?? []) {
        // a subscription hears of what happened after it was made
        if (subscription.createdAt > event.createdAt) continue
        if (!subscription.events.some((name) => name === event.event)) continue
        made += 1
        if (key !== null && connection.run(COALESCE, [event.id, event.body, event.tenantId, subscription.id, key]) > 0)
          continue
        connection.run(DELIVER, [
          event.tenantId,
          ids.next('whd'),
          subscription.id,
          event.id,
          event.event,
          event.body,
          now,
          key,
          now,
        ])
      }
    }
    connection.run(WRITE_STATE, [POSITION, String(position)])
    return { position, more: events.length === BATCH || position !== events.at(-1)?.position }
  })
  cursor.position = position
  return more
}

const CLAIM = statement(
  sql`UPDATE ${deliveries} SET ${bare(deliveries.leaseUntil)} = ?1
  WHERE ${deliveries.tenantId} = ?2 AND ${deliveries.id} IN (
    SELECT ${deliveries.id} FROM ${deliveries} WHERE ${deliveries.tenantId} = ?2 AND ${deliveries.subscriptionId} = ?3
    AND ${pending} AND ${deliveries.nextAttemptAt} <= ?4 AND ${deliveries.leaseUntil} <= ?4
    ORDER BY ${deliveries.nextAttemptAt} LIMIT ?5)
  RETURNING ${listed({ id: deliveries.id })}`,
)

const TAKEN = statement(
  sql`SELECT ${sql.raw(metaOf(deliveries).selection)} FROM ${deliveries}
  WHERE ${deliveries.tenantId} = ? AND ${deliveries.id} = ?`,
)

/** Takes due deliveries for receivers that have room; who comes first changes with `turn`. */
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
  const meta = metaOf(webhookDeliveries)
  return platform.writer.submit(() => {
    const { connection } = platform
    const now = platform.clock.now()
    const places = slots.tally(firms)
    const claimed: { subscription: SubscriptionRow; delivery: DeliveryRow }[] = []
    for (const { tenantId, id } of due) {
      // as it is now: it may have been stopped, or have got another address, since it was looked for
      const [subscription] = subscriptions(connection, ONE, [tenantId, id])
      if (!subscription) continue
      const free = places.room(subscription)
      if (free === 0) continue
      const taken = connection.all<{ id: string }>(CLAIM, [leaseOf(now), tenantId, id, now, free])
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

/** How long a burst of events may gather before the engine looks at it, and how long it looks for nothing at most. */
const GATHER = 25
const LOOK_AGAIN = 200

/** Hands events to their receivers until nothing is due and nothing is on its way. src/README “Events and webhooks”. */
function createEngine(platform: Platform) {
  const slots = createSlots(() => performance.now())
  let cursor: { position: number } | undefined
  let turn = 0
  let wake = (): void => {}
  let seen = platform.outbox.released
  let gathering = false
  // a new event is looked at while slow receivers are still waited for
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
      if (slots.busy === 0) return sent === 0 ? null : say('jobs.webhooks_sent', { sent })
      await Promise.race([woken, Bun.sleep(LOOK_AGAIN)])
    }
  }
}

/** Where the engine left off; older events than the oldest subscription are nobody's, however many there are. */
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
    // the lease runs out and the delivery is tried again: at least once
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

const OLD_DELIVERIES = statement(
  sql`DELETE FROM ${deliveries} WHERE rowid IN
  (SELECT rowid FROM ${deliveries} WHERE ${deliveries.finishedAt} < ? LIMIT ?)`,
)
const places = listed({ position: events.position, tenantId: events.tenantId, sequence: events.sequence })
const old = sql`${events.createdAt} < ? AND ${events.position} <= ?
  ORDER BY ${events.createdAt}, ${events.position} LIMIT ?`
const OLD_EVENTS = statement(sql`SELECT ${places} FROM ${events} WHERE ${old}`)
const OLD_UPDATES = statement(
  sql`SELECT ${places} FROM ${events} WHERE ${events.event} = 'position.updated' AND ${old}`,
)
const REMOVE = statement(sql`DELETE FROM ${events} WHERE ${events.position} IN (SELECT value FROM json_each(?))`)
const HEAD = statement(sql`SELECT max(${events.sequence}) AS sequence FROM ${events} WHERE ${events.tenantId} = ?`)

type Old = { position: number; tenantId: string; sequence: number }

/** Removes old events; for each tenant it notes the last number before that, and the last one `gone` for good. */
function removeEvents(connection: Connection, old: readonly Old[], gone: boolean): number {
  for (const [tenantId, rows] of Map.groupBy(old, (row) => row.tenantId)) {
    const head = connection.get<{ sequence: number }>(HEAD, [tenantId])?.sequence ?? 0
    connection.run(WRITE_STATE, [EVENT_STATE.last + tenantId, String(head)])
    if (!gone) continue
    const last = Math.max(...rows.map(({ sequence }) => sequence))
    connection.run(WRITE_STATE, [EVENT_STATE.gone + tenantId, String(last)])
  }
  return connection.run(REMOVE, [JSON.stringify(old.map(({ position }) => position))])
}

/**
 * Keeps 30 days of deliveries and of events that were handed on, a day of updates of positions; a tenant's numbering
 * goes on where it was.
 */
export const trimWebhooks = defineJob({
  name: 'webhooks.trim',
  every: HOUR,
  run: async ({ platform, signal }) => {
    const now = platform.clock.now()
    const { connection, writer } = platform
    let removed = 0
    for (;;) {
      const count = await writer.submit(() => {
        // what nobody listens to has nobody to wait for
        const listened = connection.get(ANY_ACTIVE) !== undefined
        const handed = listened
          ? Number(connection.get<{ value: string }>(READ_STATE, [POSITION])?.value ?? 0)
          : (connection.get<{ position: number }>(LAST_POSITION)?.position ?? 0)
        const events = connection.all<Old>(OLD_EVENTS, [now - KEPT, handed, BATCH])
        const updates = connection.all<Old>(OLD_UPDATES, [now - UPDATES_KEPT, handed, BATCH])
        return Math.max(
          connection.run(OLD_DELIVERIES, [now - KEPT, BATCH]),
          removeEvents(connection, events, true),
          removeEvents(connection, updates, false),
        )
      })
      removed += count
      if (count < BATCH || signal.aborted) return removed === 0 ? null : say('jobs.webhook_rows_removed', { removed })
      await Bun.sleep(0)
    }
  },
})
