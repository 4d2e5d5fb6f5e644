import { Elysia } from 'elysia'
import type { Guard } from '../../platform/http/guard.ts'
import { Bytes, op } from '../../platform/http/openapi.ts'
import { IdParam } from '../../platform/wire/fields.ts'
import { sendBundle } from './privacy.service.ts'

/** What a client may ask to be told of themselves. RULES “Privacy bundle”. */
export const privacyRoutes = (guard: Guard) =>
  new Elysia({ name: 'privacy', tags: ['Traders'] })
    .use(guard)
    .get('/v1/admin/traders/:id/pii-export', ({ ctx, params }) => sendBundle(ctx, params.id), {
      access: { any: true, role: 'owner', closedToViews: true, fresh: true },
      params: IdParam,
      ...op('traders.privacyBundle', 'All personal data of one trader, as a ZIP', { 200: Bytes }, [404, 409]),
    })
