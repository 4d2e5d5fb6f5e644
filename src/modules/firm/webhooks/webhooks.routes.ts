import { describeEvent, EVENTS, eventNames } from '../../../platform/events/catalogue.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { withoutNames } from '../../../platform/wire/schema-name.ts'
import { confirmSubscription } from './webhooks.leavers.ts'
import {
  CatalogueOut,
  DeliveryDetail,
  DeliveryOut,
  deliveryList,
  RecoverIn,
  RecoverOut,
  RotateIn,
  SubscriptionIn,
  SubscriptionOut,
  SubscriptionPatch,
  SubscriptionWithSecret,
  subscriptionList,
  toDelivery,
  toSubscription,
} from './webhooks.model.ts'
import { recoverEvents } from './webhooks.recover.ts'
import {
  createSubscription,
  deleteSubscription,
  readDelivery,
  replayDelivery,
  rotateSecret,
  testSubscription,
  updateSubscription,
} from './webhooks.service.ts'
import { webhookSubscriptions } from './webhooks.table.ts'

const read = { scope: 'webhooks:read', role: 'admin' } as const
const write = { scope: 'webhooks:write', role: 'admin' } as const

const catalogue = {
  data: eventNames.map((event) => ({
    event,
    description: describeEvent(event),
    payload: withoutNames(EVENTS[event].payload),
  })),
}

const subscriptionRoutes = declareRoutes('Webhooks')
  .get('/v1/webhooks/events', () => catalogue, {
    access: { scope: 'webhooks:read', role: 'viewer' },
    ...op('webhooks.events', 'Every event with its payload schema', { 200: CatalogueOut }),
  })
  .get(
    '/v1/webhooks/subscriptions',
    ({ ctx, query }) => readPage(ctx, subscriptionList, query, (row) => toSubscription(row, ctx.db)),
    {
      access: read,
      query: subscriptionList.query,
      ...op('webhooks.subscriptions.list', 'List subscriptions', { 200: Page(SubscriptionOut) }),
    },
  )
  .post('/v1/webhooks/subscriptions', ({ ctx, body }) => createSubscription(ctx, body), {
    access: { ...write, fresh: true },
    creates: true,
    body: SubscriptionIn,
    ...op('webhooks.subscriptions.create', 'Subscribe a receiver; the secret is shown once', {
      201: SubscriptionWithSecret,
    }),
  })
  .get(
    '/v1/webhooks/subscriptions/:id',
    ({ ctx, params }) => toSubscription(ctx.db.get(webhookSubscriptions, params.id), ctx.db),
    {
      access: read,
      params: IdParam,
      ...op('webhooks.subscriptions.get', 'One subscription with its health', { 200: SubscriptionOut }, [404]),
    },
  )
  .patch(
    '/v1/webhooks/subscriptions/:id',
    ({ ctx, params, body, expect }) => updateSubscription(ctx, params.id, body, expect),
    {
      access: { ...write, fresh: true },
      params: IdParam,
      body: SubscriptionPatch,
      ...op(
        'webhooks.subscriptions.update',
        'Change address, events or whether it is on',
        { 200: SubscriptionOut },
        [404],
      ),
    },
  )
  .delete('/v1/webhooks/subscriptions/:id', ({ ctx, params, expect }) => deleteSubscription(ctx, params.id, expect), {
    access: { ...write, fresh: true },
    empty: true,
    params: IdParam,
    ...op('webhooks.subscriptions.delete', 'Remove a subscription', { 204: None }, [404]),
  })

const receiverRoutes = declareRoutes('Webhooks')
  .post('/v1/webhooks/subscriptions/:id/rotate-secret', ({ ctx, params, body }) => rotateSecret(ctx, params.id, body), {
    access: { ...write, fresh: true },
    params: IdParam,
    body: RotateIn,
    ...op(
      'webhooks.subscriptions.rotateSecret',
      'New secret; both sign for 24 hours, or as long as asked',
      { 200: SubscriptionWithSecret },
      [404, 409],
    ),
  })
  .post('/v1/webhooks/subscriptions/:id/recover', ({ ctx, params, body }) => recoverEvents(ctx, params.id, body), {
    access: write,
    params: IdParam,
    body: RecoverIn,
    ...op('webhooks.subscriptions.recover', 'Send again what was missed', { 200: RecoverOut }, [404, 409, 410]),
  })
  .post('/v1/webhooks/subscriptions/:id/confirm', ({ ctx, params }) => confirmSubscription(ctx, params.id), {
    access: { ...write, fresh: true },
    params: IdParam,
    ...op(
      'webhooks.subscriptions.confirm',
      'Let a receiver of somebody who left go on; not by who made or changed it',
      { 200: SubscriptionOut },
      [404, 409],
    ),
  })
  .post('/v1/webhooks/subscriptions/:id/test', ({ ctx, params }) => testSubscription(ctx, params.id), {
    access: write,
    params: IdParam,
    ...op('webhooks.subscriptions.test', 'Send a test delivery now', { 200: DeliveryDetail }, [404, 409]),
  })

const deliveryRoutes = declareRoutes('Webhooks')
  .get(
    '/v1/webhooks/subscriptions/:id/deliveries',
    ({ ctx, params, query }) => {
      const { id } = ctx.db.get(webhookSubscriptions, params.id, { withDeleted: true })
      return readPage(ctx, deliveryList, query, toDelivery, { subscriptionId: id })
    },
    {
      access: read,
      params: IdParam,
      query: deliveryList.query,
      ...op('webhooks.deliveries.list', 'Deliveries of a subscription', { 200: Page(DeliveryOut) }, [404]),
    },
  )
  .get('/v1/webhooks/deliveries/:id', ({ ctx, params }) => readDelivery(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op('webhooks.deliveries.get', 'One delivery with its attempts', { 200: DeliveryDetail }, [404]),
  })
  .post('/v1/webhooks/deliveries/:id/replay', ({ ctx, params }) => replayDelivery(ctx, params.id), {
    access: write,
    creates: true,
    params: IdParam,
    ...op('webhooks.deliveries.replay', 'Send it again with the same webhook-id', { 201: DeliveryOut }, [404, 409]),
  })

/** The webhooks of a firm. src/README “Events and webhooks”. */
export const webhookRoutes = subscriptionRoutes.and(receiverRoutes).and(deliveryRoutes)
