import { sql } from 'drizzle-orm'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { getTableMeta } from '../../../platform/db/tenant-table.ts'
import { events } from '../../base/events/events.table.ts'
import { users } from '../users/users.table.ts'
import { webhookDeliveries, webhookSubscriptions } from './webhooks.table.ts'

export const POSITION = 'webhooks.position'
export const BATCH = 500

export const deliveries = webhookDeliveries

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
export const WRITE_STATE =
  'INSERT INTO job_state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value'

/** Subscriptions that get deliveries: they are active, and none of the people who made or changed them has left. */
export const active = sql`FROM ${webhookSubscriptions} ${ofActiveTenant(webhookSubscriptions.tenantId)}
  WHERE ${webhookSubscriptions.status} = 'active' AND ${webhookSubscriptions.deletedAt} IS NULL
    AND NOT EXISTS (SELECT 1 FROM json_each(${webhookSubscriptions.hands}) LEFT JOIN ${users}
      ON ${users.tenantId} = ${webhookSubscriptions.tenantId} AND ${users.id} = json_each.value
      WHERE ${users.status} IS NOT 'active' OR ${users.deletedAt} IS NOT NULL)`
export const ANY_ACTIVE = statement(sql`SELECT 1 ${active} LIMIT 1`)
export const whole = sql.raw(getTableMeta(webhookSubscriptions).selection)
export const pending = sql`${deliveries.status} = 'pending'`
