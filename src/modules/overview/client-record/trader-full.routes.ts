import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { readFull, TraderFull } from './trader-full.ts'

const read = { scope: 'traders:read', role: 'viewer' } as const

/** All records of one client in one answer. */
export const clientFullRoutes = declareRoutes('Traders').get(
  '/v1/admin/traders/:id/full',
  ({ ctx, params }) => readFull(ctx, params.id),
  {
    access: read,
    params: IdParam,
    ...op('traders.full', 'A trader with the newest of everything that the caller may see', { 200: TraderFull }, [404]),
  },
)
