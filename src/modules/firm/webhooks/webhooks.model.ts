import { type Static, Type } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { wireFields, wireMapper } from '../../../platform/db/wire-form.ts'
import { EVENTS, type EventName } from '../../../platform/events/catalogue.ts'
import { equals } from '../../../platform/http/lists/list-filters.ts'
import { defineList } from '../../../platform/http/lists/page.ts'
import { Id, Nullable, OneOf, Strict, Time, Version } from '../../../platform/wire/fields.ts'
import { nameSchema } from '../../../platform/wire/schema-name.ts'
import { SequenceIn } from '../../base/events/events.model.ts'
import { hasLeft } from '../users/users.former.ts'
import {
  type AttemptRow,
  type DeliveryRow,
  SUBSCRIPTION_STATUS,
  type SubscriptionRow,
  webhookAttempts,
  webhookDeliveries,
  webhookSubscriptions,
} from './webhooks.table.ts'

const eventNames = Object.keys(EVENTS) as [EventName, ...EventName[]]
const EventWord = nameSchema('EventName', OneOf(eventNames))
/** What a delivery has: an event, or the test that a subscription's page sends. */
const DeliveredWord = Type.Union([EventWord, OneOf(['webhook.test'])])
const Events = Type.Array(EventWord, { minItems: 1, uniqueItems: true })
const Url = Type.String({ minLength: 8, maxLength: 2000, description: 'https address of the receiver' })

export const SubscriptionIn = nameSchema('WebhookSubscriptionIn', Strict({ url: Url, events: Events }))
export const SubscriptionPatch = nameSchema(
  'WebhookSubscriptionPatch',
  Strict({
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean()),
  }),
)

export const RotateIn = nameSchema(
  'WebhookRotateIn',
  Strict({
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 24,
        description: 'how long the old secret signs beside the new one; 0: no longer; 24 if absent',
      }),
    ),
  }),
)
/** The body of a recovery: exactly one of the two fields is given. */
export const RecoverIn = nameSchema(
  'WebhookRecoverIn',
  Strict(
    {
      after: Type.Optional(SequenceIn('events with a higher `sequence`')),
      since: Type.Optional(
        Type.String({ format: 'date-time', maxLength: 40, description: 'events from this time on' }),
      ),
    },
    { examples: [{ after: 1041 }] },
  ),
)
export const RecoverOut = nameSchema(
  'WebhookRecovery',
  Type.Object({
    queued: Type.Integer({
      description:
        'events that are sent (again): each that was not delivered and does not wait; what waits is tried now, and not counted',
    }),
  }),
)

const at = (ms: number | null): string | null => (ms === null ? null : toIso(ms))

const subscription = {
  id: Id,
  url: Type.String(),
  events: Type.Array(EventWord),
  status: OneOf(SUBSCRIPTION_STATUS),
  disabledReason: Nullable(Type.String()),
  madeBy: Nullable(Id),
  changedBy: Nullable(Id),
  standsStill: Type.Boolean({
    description: 'who made or changed it left: nothing is sent until somebody else confirms it',
  }),
  health: Type.Object({
    failingSince: Nullable(Time),
    failures: Type.Integer({ description: 'failed attempts since the last success' }),
    lastSuccessAt: Nullable(Time),
    lastFailureAt: Nullable(Time),
  }),
  secretOverlapUntil: Nullable(Time),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
}
export const SubscriptionOut = nameSchema('WebhookSubscription', Type.Object(subscription))
export const SubscriptionWithSecret = nameSchema(
  'WebhookSubscriptionWithSecret',
  Type.Object({
    ...subscription,
    secret: Type.String({ description: 'shown this once' }),
  }),
)
export type Subscription = Static<typeof SubscriptionOut>

/** Returns the wire form of a subscription, without its secrets. */
export const toSubscription = (row: SubscriptionRow, db: Reader): Subscription => ({
  id: row.id,
  url: row.url,
  events: row.events,
  status: row.status,
  disabledReason: row.disabledReason,
  madeBy: row.madeBy,
  changedBy: row.changedBy,
  standsStill: row.hands.some((id) => hasLeft(db, id)),
  health: {
    failingSince: at(row.failingSince),
    failures: row.failures,
    lastSuccessAt: at(row.lastSuccessAt),
    lastFailureAt: at(row.lastFailureAt),
  },
  secretOverlapUntil: at(row.overlapUntil),
  version: row.version,
  createdAt: toIso(row.createdAt),
  updatedAt: toIso(row.updatedAt),
})

export const subscriptionList = defineList({
  name: 'webhook_subscriptions',
  table: webhookSubscriptions,
  sorts: { createdAt: 'createdAt', url: 'url' },
  filters: { status: equals(webhookSubscriptions.status) },
})

const delivery = wireFields(webhookDeliveries)
export const DeliveryOut = nameSchema('WebhookDelivery', Type.Object(delivery))
const AttemptOut = nameSchema('WebhookAttempt', Type.Object(wireFields(webhookAttempts)))
export const DeliveryDetail = nameSchema(
  'WebhookDeliveryDetail',
  Type.Object({
    ...delivery,
    body: Type.String({ description: 'the exact bytes that were signed' }),
    log: Type.Array(AttemptOut),
  }),
)

export const toDelivery = wireMapper(webhookDeliveries)
const toAttempt = wireMapper(webhookAttempts)

/** Returns a delivery with its body and its attempts, oldest first. */
export const toDeliveryDetail = (row: DeliveryRow, log: readonly AttemptRow[]): Static<typeof DeliveryDetail> => ({
  ...toDelivery(row),
  body: row.body,
  log: log.map((one) => toAttempt(one)),
})

export const deliveryList = defineList({
  name: 'webhook_deliveries',
  table: webhookDeliveries,
  filters: {
    status: equals(webhookDeliveries.status),
    event: equals(webhookDeliveries.event, DeliveredWord),
  },
})

export const CatalogueOut = nameSchema(
  'EventCatalogue',
  Type.Object({
    data: Type.Array(
      Type.Object({
        event: EventWord,
        description: Type.String(),
        payload: Type.Object({}, { additionalProperties: true }),
      }),
    ),
  }),
)
