import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { EVENT_DAYS } from '../../../words/rule-figures.ts'
import { EventFeedOut, EventQuery } from './events.model.ts'
import { readFeed } from './events.service.ts'

/** The feed of events, for programs that poll instead of receiving webhooks. RULES “Events”. */
export const eventRoutes = declareRoutes('Webhooks').get('/v1/events', ({ ctx, query }) => readFeed(ctx, query), {
  access: { scope: 'webhooks:read', role: 'admin' },
  query: EventQuery,
  ...op('events.list', `The firm’s events of the last ${EVENT_DAYS} days, in order`, { 200: EventFeedOut }, [410]),
})
