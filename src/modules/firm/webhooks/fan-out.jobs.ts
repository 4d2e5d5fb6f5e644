import { sql } from 'drizzle-orm'
import { bare, listed, statement } from '../../../platform/db/statement.ts'
import { decodeRow, getTableMeta } from '../../../platform/db/tenant-table.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Connection } from '../../../platform/sqlite.ts'
import type { Receiver } from './webhooks.slots.ts'
import {
  ANY_ACTIVE,
  active,
  BATCH,
  deliveries,
  EVENTS_AFTER,
  LAST_POSITION,
  POSITION,
  pending,
  WRITE_STATE,
  whole,
} from './webhooks.state.ts'
import { findCoalesceKey, type SubscriptionRow, webhookSubscriptions } from './webhooks.table.ts'

type EventRow = { position: number; tenantId: string; id: string; event: string; body: string; createdAt: number }
const RECEIVERS = statement(
  sql`SELECT ${listed({ tenantId: webhookSubscriptions.tenantId, id: webhookSubscriptions.id })} ${active}`,
)
const OF_FIRMS = statement(
  sql`SELECT ${whole} ${active} AND ${webhookSubscriptions.tenantId} IN (SELECT value FROM json_each(?))`,
)

/** Reads active subscriptions of all active tenants, since one engine serves all of them. */
export function subscriptions(db: Connection, query: string, parameters: string[]): SubscriptionRow[] {
  const meta = getTableMeta(webhookSubscriptions)
  const rows = db.all<Record<string, unknown>>(query, parameters)
  for (const row of rows) decodeRow(meta, row)
  return rows as SubscriptionRow[]
}

/** Reads the active receivers with few columns: there may be hundreds, and every pass reads all. */
export const receivers = (db: Connection): Receiver[] => db.all<Receiver>(RECEIVERS)

const DELIVER = `INSERT INTO webhook_deliveries (tenant_id, id, subscription_id, event_id, event, body, status, attempts, next_attempt_at, coalesce_key, created_at)
  VALUES (?,?,?,?,?,?,'pending',0,?,?,?) ON CONFLICT DO NOTHING`
// OR IGNORE: if a recovered delivery of the same event already waits, the older delivery stays as it is
const COALESCE = statement(
  sql`UPDATE OR IGNORE ${deliveries} SET ${bare(deliveries.eventId)} = ?, ${bare(deliveries.body)} = ?
  WHERE ${deliveries.tenantId} = ? AND ${deliveries.subscriptionId} = ? AND ${deliveries.coalesceKey} = ?
    AND ${pending} AND ${deliveries.attempts} = 0 AND ${deliveries.leaseUntil} = 0 AND ${deliveries.replayOf} IS NULL`,
)

/**
 * About this many deliveries are made in one write, so that other writes run in between, however many receivers a firm
 * has.
 */
const AT_ONCE = 1000

/**
 * Turns new events into deliveries, in the same transaction that moves the position, so that a crash repeats or skips
 * nothing. Without subscriptions the position moves in memory only. Returns whether more events wait.
 */
export async function fanOut(platform: Platform, cursor: { position: number }): Promise<boolean> {
  if (!platform.reader.get(EVENTS_AFTER, [cursor.position, 1])) return false
  if (!platform.reader.get(ANY_ACTIVE)) {
    cursor.position = platform.reader.get<{ position: number }>(LAST_POSITION)?.position ?? cursor.position
    return false
  }
  const { position, more } = await platform.writer.submit(() => {
    const { connection, clock, ids } = platform
    const now = clock.now()
    // events and subscriptions are read in this transaction: even after a long backlog, a subscription gets the events
    // since its creation, and a removed one gets none
    const events = connection.all<EventRow>(EVENTS_AFTER, [cursor.position, BATCH])
    const firms = [...new Set(events.map(({ tenantId }) => tenantId))]
    const listening = Map.groupBy(subscriptions(connection, OF_FIRMS, [JSON.stringify(firms)]), (row) => row.tenantId)
    let position = cursor.position
    let made = 0
    for (const event of events) {
      if (made >= AT_ONCE) break
      position = event.position
      const key = findCoalesceKey(event)
      for (const subscription of listening.get(event.tenantId) ?? []) {
        // a subscription gets only events after its creation
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
