import { Type } from '@sinclair/typebox'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportAffiliates } from './affiliates.export.ts'
import {
  AffiliateIn,
  AffiliateOut,
  AffiliatePatch,
  AffiliateRowOut,
  AffiliateWithStats,
  affiliateList,
  ClientOut,
  FunnelOut,
  SelfQuery,
  TreeOut,
} from './affiliates.model.ts'
import { clientList, listAffiliates, listClients, readAffiliate, readTree } from './affiliates.queries.ts'
import { createAffiliate, updateAffiliate } from './affiliates.service.ts'
import { ClickIn, ClickOut } from './clicks.model.ts'
import { takeClick } from './clicks.ts'
import { funnel } from './funnel.queries.ts'

const own = { scope: 'affiliates:read', role: 'viewer', audience: ['ib'] } as const
/** Enough for a click, which is a few lines of text. */
const CLICK_BYTES = 16 * 1024

/** Introducing brokers, their clients and their clicks. RULES “Affiliates”. */
export const affiliateRoutes = declareRoutes('Affiliates')
  .get('/v1/affiliates', ({ ctx, query }) => listAffiliates(ctx, query), {
    access: own,
    query: Type.Object({ ...affiliateList.query.properties, ...SelfQuery }, { additionalProperties: false }),
    ...op('affiliates.list', 'List affiliates', { 200: Page(AffiliateRowOut) }),
  })
  .get('/v1/affiliates/export.csv', ({ ctx, query }) => exportAffiliates(ctx, query), {
    access: { scope: 'affiliates:read', role: 'manager', fresh: true },
    query: affiliateList.exportQuery,
    ...op('affiliates.export', 'Export affiliates as CSV', { 200: Csv }),
  })
  .post('/v1/affiliates', ({ ctx, body }) => createAffiliate(ctx, body), {
    access: { scope: 'affiliates:write', role: 'operator' },
    creates: true,
    body: AffiliateIn,
    ...op('affiliates.create', 'Make an affiliate of a client', { 201: AffiliateOut }, [409]),
  })
  .get('/v1/affiliates/funnel', ({ ctx }) => funnel(ctx), {
    access: { scope: 'affiliates:read', role: 'viewer' },
    ...op('affiliates.funnel', 'From click to first deposit over 90 days', { 200: FunnelOut }),
  })
  .post('/v1/affiliates/clicks/track', ({ ctx, body, request }) => takeClick(ctx, request.headers.get('host'), body), {
    access: 'public',
    accepts: true,
    anyOrigin: true,
    maxBytes: CLICK_BYTES,
    body: ClickIn,
    ...op('affiliates.clicks.track', 'Note a visit by an affiliate’s link', { 202: ClickOut }),
  })
  .get('/v1/affiliates/:id', ({ ctx, params }) => readAffiliate(ctx, params.id), {
    access: own,
    params: IdParam,
    ...op('affiliates.get', 'One affiliate with what it brought', { 200: AffiliateWithStats }, [404]),
  })
  .patch('/v1/affiliates/:id', ({ ctx, params, body, expect }) => updateAffiliate(ctx, params.id, body, expect), {
    access: { scope: 'affiliates:write', role: 'manager', fresh: true },
    params: IdParam,
    body: AffiliatePatch,
    ...op('affiliates.update', 'Change code, parent, plan or status, from now on', { 200: AffiliateOut }, [404, 409]),
  })
  .get('/v1/affiliates/:id/tree', ({ ctx, params }) => readTree(ctx, params.id), {
    access: own,
    params: IdParam,
    ...op('affiliates.tree', 'An affiliate and everybody below', { 200: TreeOut }, [404]),
  })
  .get('/v1/affiliates/:id/clients', ({ ctx, params, query }) => listClients(ctx, params.id, query), {
    access: own,
    params: IdParam,
    query: clientList.query,
    ...op('affiliates.clients', 'Clients whom an affiliate brought', { 200: Page(ClientOut) }, [404]),
  })
