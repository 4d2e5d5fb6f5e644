import { STREAM_PATH } from '../../../platform/http/front/probes.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { EventStream, op } from '../../../platform/http/openapi/openapi.ts'
import { MineOut } from './mine.model.ts'
import { readMine } from './mine.queries.ts'
import { SummaryOut } from './notifications.model.ts'
import { readSummary } from './notifications.queries.ts'
import { openStream } from './notifications.stream.ts'

const Events = EventStream('text/event-stream: `summary` events, data as in the summary operation')

/** The counts of waiting work, now and as they change. */
export const notificationRoutes = declareRoutes('Work queues')
  .get('/v1/admin/notifications/summary', ({ ctx }) => readSummary(ctx), {
    access: { scope: 'traders:read', role: 'viewer' },
    ...op('notifications.summary', 'Counts of the action queues', { 200: SummaryOut }),
  })
  .get('/v1/admin/notifications/mine', ({ ctx }) => readMine(ctx), {
    access: { scope: 'traders:read', role: 'viewer' },
    ...op('notifications.mine', 'What waits for the caller in person', { 200: MineOut }),
  })
  .get(STREAM_PATH, ({ ctx, request }) => openStream(ctx, request.signal), {
    // the stream has the counts of the summary, so it needs the same scope
    access: { any: true, role: 'viewer', also: 'traders:read' },
    ...op('notifications.stream', 'Server-sent events: the counts as they change', { 200: Events }),
  })
