import { sql } from 'drizzle-orm'
import { type Clock, SECOND } from '../../../platform/clock.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { Connection } from '../../../platform/sqlite.ts'
import { firstCursor } from './webhooks.jobs.ts'
import { EVENTS_AFTER, LAST_POSITION } from './webhooks.state.ts'
import { webhookDeliveries } from './webhooks.table.ts'

// the index of waiting deliveries has all columns, so half a million take 26 ms; row ids are in the order of creation
const row = sql.raw('rowid')
const WAITING = statement(
  sql`SELECT count(*) AS "waiting", min(${row}) AS "oldest" FROM ${webhookDeliveries}
  WHERE ${webhookDeliveries.status} = 'pending'`,
)
const MADE_AT = statement(
  sql`SELECT ${webhookDeliveries.createdAt} AS "createdAt" FROM ${webhookDeliveries} WHERE ${row} = ?`,
)

type Backlog = { events: number; deliveries: number; oldest: number | undefined }

function readBacklog(db: Connection): Backlog {
  const { waiting = 0, oldest = null } = db.get<{ waiting: number; oldest: number | null }>(WAITING) ?? {}
  const made = oldest === null ? undefined : db.get<{ createdAt: number }>(MADE_AT, [oldest])?.createdAt
  // no delivery is made for events from before the first subscription
  const { position } = firstCursor({ reader: db })
  const next = db.get<{ createdAt: number }>(EVENTS_AFTER, [position, 1])?.createdAt
  const last = db.get<{ position: number }>(LAST_POSITION)?.position ?? 0
  const times = [made, next].filter((at) => at !== undefined)
  return {
    events: next === undefined ? 0 : last - position,
    deliveries: waiting,
    oldest: times.length === 0 ? undefined : Math.min(...times),
  }
}

/** Registers how many events and deliveries wait, and the age of the oldest. */
export function watchDeliveries(metrics: Metrics, db: Connection, clock: Clock): void {
  let seen: Backlog | undefined
  let seenAt = 0
  /** Reads the backlog; all three metrics share one reading. */
  const backlog = (): Backlog => {
    const now = clock.now()
    if (seen === undefined || Math.abs(now - seenAt) >= SECOND) {
      seen = readBacklog(db)
      seenAt = now
    }
    return seen
  }
  metrics.gauge('outbox_events', 'Events that no delivery was made of yet.', () => backlog().events)
  metrics.gauge('webhook_deliveries_waiting', 'Deliveries to be made or to be tried again.', () => backlog().deliveries)
  metrics.gauge(
    'outbox_oldest_seconds',
    'Age of the oldest event or delivery that waits; 0 without one.',
    () => Math.max(0, clock.now() - (backlog().oldest ?? clock.now())) / SECOND,
  )
}
