import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { readOverview, TraderOverview } from './overview.ts'
import { readTimeline, TimelinePage, TimelineQuery } from './timeline.ts'

const read = { scope: 'traders:read', role: 'viewer' } as const

/** Everything that the modules know about one client, for the client's page. */
export const clientRecordRoutes = declareRoutes('Traders')
  .get('/v1/traders/:id/overview', ({ ctx, params }) => readOverview(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op(
      'traders.overview',
      'How a trader stands: money, screening, records of each kind',
      { 200: TraderOverview },
      [404],
    ),
  })
  .get('/v1/traders/:id/timeline', ({ ctx, params, query }) => readTimeline(ctx, params.id, query), {
    access: read,
    params: IdParam,
    query: TimelineQuery,
    ...op('traders.timeline', 'Everything about the trader, newest first', { 200: TimelinePage }, [404]),
  })
