import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { ViewIn, ViewOut, ViewStarted, viewList } from './views.model.ts'
import { endView, showView, viewAsTrader, viewAsUser } from './views.service.ts'

/** Views: staff see the system as a client or a colleague sees it. RULES “Views”. */
export const viewRoutes = declareRoutes('Views')
  .post('/v1/admin/impersonate/start', ({ ctx, body }) => viewAsTrader(ctx, body), {
    access: { any: true, role: 'owner', fresh: true },
    body: ViewIn,
    ...op('views.start', 'View as a trader: read-only, 15 minutes', { 200: ViewStarted }, [409]),
  })
  .post('/v1/admin/impersonate/:id/end', ({ ctx, params }) => endView(ctx, params.id), {
    access: { any: true, role: 'owner', endsView: true },
    params: IdParam,
    ...op('views.end', 'End a view', { 200: ViewOut }, [404]),
  })
  .get('/v1/admin/impersonate', ({ ctx, query }) => readPage(ctx, viewList, query, showView(ctx)), {
    access: { scope: 'audit:read', role: 'owner' },
    query: viewList.query,
    ...op('views.list', 'Who viewed as whom, and why', { 200: Page(ViewOut) }),
  })
  .post('/v1/users/:id/impersonate', ({ ctx, params }) => viewAsUser(ctx, params.id), {
    access: { any: true, role: 'owner', fresh: true },
    params: IdParam,
    ...op('views.startAsUser', 'View as a colleague below the own role', { 200: ViewStarted }, [404, 409]),
  })
