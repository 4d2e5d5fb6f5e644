import { integer, text } from 'drizzle-orm/sqlite-core'
import { column, described, id, json, sealed, stamps, time } from '../../../platform/db/columns.ts'
import { fact } from '../../../platform/db/erasure.ts'
import { type Row, tenantTable } from '../../../platform/db/tenant-table.ts'
import type { EventName } from '../../../platform/events/catalogue.ts'

export const SUBSCRIPTION_STATUS = ['active', 'disabled'] as const
const DELIVERY_STATUS = ['pending', 'delivered', 'failed', 'cancelled'] as const

export const webhookSubscriptions = tenantTable(
  'webhook_subscriptions',
  'whs',
  {
    url: text().notNull(),
    events: json<EventName[]>().notNull(),
    secret: sealed().notNull(),
    nextSecret: sealed(),
    /** Both secrets sign until this time, then only the next one. */
    overlapUntil: time(),
    status: text({ enum: SUBSCRIPTION_STATUS }).notNull().default('active'),
    disabledReason: text(),
    madeBy: text(),
    changedBy: text(),
    /** Who made or changed it since another person last confirmed it; if one of them leaves, it pauses. */
    hands: json<string[]>().notNull().default([]),
    failingSince: time(),
    failures: integer().notNull().default(0),
    warnedAt: time(),
    lastSuccessAt: time(),
    lastFailureAt: time(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
    deletedAt: time(),
  },
  { entity: 'webhook_subscription', secret: ['secret', 'nextSecret'], softDelete: true },
)
export type SubscriptionRow = Row<typeof webhookSubscriptions>

/** The log of deliveries. It is a record itself, so its rows are not audited. */
export const webhookDeliveries = tenantTable(
  'webhook_deliveries',
  'whd',
  {
    subscriptionId: column(id().notNull(), fact, 'api'),
    eventId: column(id().notNull(), fact, 'api'),
    event: column(text().notNull(), fact, 'api'),
    body: column(text().notNull(), fact, 'hidden'),
    status: column(text({ enum: DELIVERY_STATUS }).notNull().default('pending'), fact, 'api'),
    attempts: column(integer().notNull().default(0), fact, 'api'),
    nextAttemptAt: column(time(), fact, 'api'),
    leaseUntil: column(time().notNull().default(0), fact, 'hidden'),
    replayOf: column(id(), fact, 'api'),
    coalesceKey: column(text(), fact, 'hidden'),
    createdAt: stamps.createdAt,
    finishedAt: column(time(), fact, 'api'),
  },
  { entity: 'webhook_delivery', audited: false },
)
export type DeliveryRow = Row<typeof webhookDeliveries>

export const webhookAttempts = tenantTable(
  'webhook_attempts',
  'wha',
  {
    id: column(id().notNull(), fact, 'hidden'),
    deliveryId: column(id().notNull(), fact, 'hidden'),
    attempt: column(integer().notNull(), fact, 'api'),
    startedAt: column(time().notNull(), fact, 'api'),
    latencyMs: column(integer().notNull(), fact, 'api'),
    statusCode: column(integer(), fact, 'api'),
    error: column(text(), fact, 'api'),
    response: column(described('the first 1 KiB'), fact, 'api'),
    nextAttemptAt: column(time(), fact, 'api'),
  },
  { entity: 'webhook_attempt', audited: false },
)
export type AttemptRow = Row<typeof webhookAttempts>

/**
 * Returns the key by which updates of a position replace one another, since only the latest one is worth sending; null
 * for all other events.
 */
export function findCoalesceKey({ event, body }: { event: string; body: string }): string | null {
  if (event !== 'position.updated') return null
  const parsed: { payload?: { positionId?: string } } = JSON.parse(body)
  return parsed.payload?.positionId ?? null
}
