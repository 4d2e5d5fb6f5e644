import type { Static } from '@sinclair/typebox'
import type {
  AttemptOut,
  DeliveryDetail,
  DeliveryOut,
  RecoverOut,
  Subscription,
  SubscriptionIn,
  SubscriptionPatch,
  SubscriptionWithSecret,
} from '../../../src/modules/webhooks/webhooks.model.ts'
import { del, get, type Page, patch, post, type Query } from '../../api.ts'

export type { Subscription }
export type EventName = Subscription['events'][number]
export type NewSubscription = Static<typeof SubscriptionWithSecret>
export type Delivery = Static<typeof DeliveryOut>
export type DeliveryRecord = Static<typeof DeliveryDetail>
export type Attempt = Static<typeof AttemptOut>
export type EventInfo = { event: EventName; description: string }

const at = (id: string): string => `/v1/webhooks/subscriptions/${id}`

export const fetchEvents = (): Promise<{ data: EventInfo[] }> => get('/v1/webhooks/events')
export const fetchSubscriptions = (query: Query): Promise<Page<Subscription>> =>
  get('/v1/webhooks/subscriptions', query)
export const fetchSubscription = (id: string): Promise<Subscription> => get(at(id))
export const createSubscription = (body: Static<typeof SubscriptionIn>): Promise<NewSubscription> =>
  post('/v1/webhooks/subscriptions', body)
export const updateSubscription = (
  { id, version }: Subscription,
  body: Static<typeof SubscriptionPatch>,
): Promise<Subscription> => patch(at(id), body, version)
export const deleteSubscription = ({ id, version }: Subscription): Promise<void> => del(at(id), version)
export const rotateSecret = (id: string, overlapHours: number): Promise<NewSubscription> =>
  post(`${at(id)}/rotate-secret`, { overlapHours })
export const recoverEvents = (id: string, since: string): Promise<Static<typeof RecoverOut>> =>
  post(`${at(id)}/recover`, { since })
export const testSubscription = (id: string): Promise<DeliveryRecord> => post(`${at(id)}/test`)
export const fetchDeliveries = (id: string, query: Query): Promise<Page<Delivery>> => get(`${at(id)}/deliveries`, query)
export const fetchDelivery = (id: string): Promise<DeliveryRecord> => get(`/v1/webhooks/deliveries/${id}`)
export const replayDelivery = (id: string): Promise<Delivery> => post(`/v1/webhooks/deliveries/${id}/replay`)
