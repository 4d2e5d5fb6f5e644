import { type Answer, type Body, call, type QueryOf, type Row } from '../../../api.ts'

export type Subscription = Answer<'webhooks.subscriptions.get'>
export type EventName = Subscription['events'][number]
export type NewSubscription = Answer<'webhooks.subscriptions.create'>
export type Delivery = Row<'webhooks.deliveries.list'>
export type DeliveryRecord = Answer<'webhooks.deliveries.get'>
export type Attempt = DeliveryRecord['log'][number]

export const fetchEvents = () => call('webhooks.events')
export const fetchSubscriptions = (query: QueryOf<'webhooks.subscriptions.list'>) =>
  call('webhooks.subscriptions.list', { query })
export const fetchSubscription = (id: string) => call('webhooks.subscriptions.get', { params: { id } })
export const createSubscription = (body: Body<'webhooks.subscriptions.create'>) =>
  call('webhooks.subscriptions.create', { body })
export const updateSubscription = ({ id, version }: Subscription, body: Body<'webhooks.subscriptions.update'>) =>
  call('webhooks.subscriptions.update', { params: { id }, body, ifMatch: version })
export const deleteSubscription = ({ id, version }: Subscription) =>
  call('webhooks.subscriptions.delete', { params: { id }, ifMatch: version })
/** Confirms that the receiver of a colleague who left is the firm's own. */
export const confirmSubscription = (id: string) => call('webhooks.subscriptions.confirm', { params: { id } })
export const rotateSecret = (id: string, overlapHours: number) =>
  call('webhooks.subscriptions.rotateSecret', { params: { id }, body: { overlapHours } })
export const recoverEvents = (id: string, since: string) =>
  call('webhooks.subscriptions.recover', { params: { id }, body: { since } })
export const testSubscription = (id: string) => call('webhooks.subscriptions.test', { params: { id } })
export const fetchDeliveries = (id: string, query: QueryOf<'webhooks.deliveries.list'>) =>
  call('webhooks.deliveries.list', { params: { id }, query })
export const fetchDelivery = (id: string) => call('webhooks.deliveries.get', { params: { id } })
export const replayDelivery = (id: string) => call('webhooks.deliveries.replay', { params: { id } })
