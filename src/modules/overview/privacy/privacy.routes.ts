import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Bytes, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { sendBundle } from './privacy.service.ts'

/** The data that a client may ask the firm for. RULES “Privacy bundle”. */
export const privacyRoutes = declareRoutes('Traders').get(
  '/v1/admin/traders/:id/pii-export',
  ({ ctx, params }) => sendBundle(ctx, params.id),
  {
    access: { any: true, role: 'owner', closedToViews: true, fresh: true },
    params: IdParam,
    ...op('traders.privacyBundle', 'All personal data of one trader, as a ZIP', { 200: Bytes }, [404, 409]),
  },
)
