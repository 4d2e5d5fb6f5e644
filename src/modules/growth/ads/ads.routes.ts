import { RawBody } from '../../../platform/http/body/body.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { None, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { testConnection } from './ads.check.ts'
import {
  AdConnectionIn,
  AdConnectionOut,
  AdConnectionPatch,
  AdTestOut,
  BackfillIn,
  BackfillOut,
  ChallengeOut,
  connectionList,
  HandshakeQuery,
  NotificationIn,
  NotificationOut,
  toConnection,
} from './ads.model.ts'
import { createConnection, deleteConnection, getConnection, startBackfill, updateConnection } from './ads.service.ts'
import { admitNotification, answerHandshake, NOTIFICATION_BYTES, takeNotification } from './ads.webhook.ts'

const read = { scope: 'ads:read', role: 'manager' } as const
const write = { scope: 'ads:write', role: 'admin' } as const

const SIGNATURE = {
  name: 'X-Hub-Signature-256',
  description: 'HMAC-SHA256 of the raw body under the app’s secret, in hex',
  pattern: '^sha256=[0-9a-fA-F]{64}$',
  example: 'sha256=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
}

const connectionRoutes = declareRoutes('Ads')
  .get(
    '/v1/ads/connections',
    ({ ctx, query }) => readPage(ctx, connectionList, query, (row) => toConnection(row, ctx.now())),
    {
      access: read,
      query: connectionList.query,
      ...op('ads.connections.list', 'List connections to ad platforms', { 200: Page(AdConnectionOut) }),
    },
  )
  .post('/v1/ads/connections', ({ ctx, body }) => createConnection(ctx, body), {
    access: { ...write, fresh: true },
    creates: true,
    body: AdConnectionIn,
    ...op('ads.connections.create', 'Connect an ad platform', { 201: AdConnectionOut }),
  })
  .get('/v1/ads/connections/:id', ({ ctx, params }) => getConnection(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op('ads.connections.get', 'One connection with its last backfills', { 200: AdConnectionOut }, [404]),
  })
  .patch('/v1/ads/connections/:id', ({ ctx, params, body, expect }) => updateConnection(ctx, params.id, body, expect), {
    access: { ...write, fresh: true },
    params: IdParam,
    body: AdConnectionPatch,
    ...op(
      'ads.connections.update',
      'Change a connection or replace its credentials',
      { 200: AdConnectionOut },
      [404, 409],
    ),
  })
  .delete('/v1/ads/connections/:id', ({ ctx, params, expect }) => deleteConnection(ctx, params.id, expect), {
    access: { ...write, fresh: true },
    empty: true,
    params: IdParam,
    ...op('ads.connections.delete', 'Remove a connection with its credentials', { 204: None }, [404]),
  })
  .post('/v1/ads/connections/:id/test', ({ ctx, params }) => testConnection(ctx, params.id), {
    access: write,
    params: IdParam,
    ...op('ads.connections.test', 'Ask the platform for identity, ad account and pages', { 200: AdTestOut }, [404]),
  })

const leadRoutes = declareRoutes('Ads')
  .post('/v1/ads/meta/leads/backfill', ({ ctx, body }) => startBackfill(ctx, body), {
    access: { scope: 'ads:write', role: 'manager' },
    accepts: true,
    body: BackfillIn,
    ...op('ads.backfill', 'Fetch a form’s leads of up to 90 days', { 202: BackfillOut }, [409]),
  })
  .get('/v1/ads/meta/webhook', ({ ctx, query }) => answerHandshake(ctx, query), {
    access: 'public',
    query: HandshakeQuery,
    ...op('ads.handshake', 'The platform’s handshake', { 200: ChallengeOut }, [403]),
  })
  .post(
    '/v1/ads/meta/webhook',
    ({ ctx, body, request }) => takeNotification(ctx, body, request.headers.get('x-hub-signature-256') ?? ''),
    {
      access: 'public',
      body: RawBody('application/json', {
        maxBytes: NOTIFICATION_BYTES,
        admit: admitNotification,
        holds: NotificationIn,
        signature: SIGNATURE,
      }),
      ...op('ads.notify', 'Signed news of leads', { 200: NotificationOut }, [401]),
    },
  )

/** Ad platforms and their leads. RULES “Ads”. */
export const adsRoutes = connectionRoutes.and(leadRoutes)
