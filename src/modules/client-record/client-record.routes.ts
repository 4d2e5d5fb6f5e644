import { Elysia } from 'elysia'
import type { Guard } from '../../platform/http/guard.ts'
import { op } from '../../platform/http/openapi.ts'
import { IdParam } from '../../platform/wire/fields.ts'
import { readOverview, TraderOverview } from './overview.ts'
import { readTimeline, TimelinePage, TimelineQuery } from './timeline.ts'

const read = { scope: 'traders:read', role: 'viewer' } as const

/** What all modules know of one client, gathered for the page about them. */
export const clientRecordRoutes = (guard: Guard) =>
  new Elysia({ name: 'client-record', tags: ['Traders'] })
    .use(guard)
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
