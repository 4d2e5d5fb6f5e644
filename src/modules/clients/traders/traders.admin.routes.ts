import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { BulkEditIn, BulkOut, BulkSegmentsIn, bulkEdit, bulkSegments } from './traders.bulk.ts'
import { createTraderStats, TraderStats } from './traders.stats.ts'

const read = { scope: 'traders:read', role: 'viewer' } as const
const write = { scope: 'traders:write', role: 'operator' } as const

/** Actions of staff on many clients. RULES “Bulk”. */
export const traderAdminRoutes = () => {
  const stats = createTraderStats()
  return declareRoutes('Traders')
    .post('/v1/admin/traders/bulk-edit', ({ ctx, body }) => bulkEdit(ctx, body), {
      access: write,
      body: BulkEditIn,
      ...op('traders.bulkEdit', 'Change segments, tags, assignment or risk of up to 500', { 200: BulkOut }, []),
    })
    .post('/v1/admin/traders/bulk-segments', ({ ctx, body }) => bulkSegments(ctx, body), {
      access: write,
      body: BulkSegmentsIn,
      ...op('traders.bulkSegments', 'Add segments to up to 500, or take some off', { 200: BulkOut }, []),
    })
    .get('/v1/admin/traders/stats', ({ ctx }) => stats(ctx), {
      access: read,
      ...op('traders.stats', 'How many traders there are, by what the list filters by', { 200: TraderStats }),
    })
}
