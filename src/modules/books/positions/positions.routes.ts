import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireScope } from '../../../platform/access/principal.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { MoneyPage, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportRows, withNames } from '../../clients/traders/traders.rows.ts'
import { readClosings } from './closings.ts'
import {
  HeatmapOut,
  OnePositionOut,
  PositionRowOut,
  positionList,
  SYNC_BYTES,
  SYNC_VALUES,
  SyncIn,
  SyncOut,
  toPosition,
} from './positions.model.ts'
import { readHeatmap } from './positions.queries.ts'
import { syncPositions } from './positions.sync.ts'
import { positions } from './positions.table.ts'

const read = { scope: 'positions:read', role: 'viewer', audience: ['trader'] } as const

/** Returns a query of positions; the one filter that looks at accounts is for keys that may read these too. */
function demandScopes(ctx: Ctx, query: Query): Query {
  if (query.live !== undefined) requireScope(ctx, 'accounts:read')
  return query
}

/** Positions of clients on the trading platforms. RULES “Positions”. */
export const positionRoutes = declareRoutes('Positions')
  .get(
    '/v1/positions',
    ({ ctx, query }) => withNames(ctx, readPage(ctx, positionList, demandScopes(ctx, query), toPosition)),
    {
      access: read,
      query: positionList.query,
      ...op('positions.list', 'Open and closed positions', { 200: MoneyPage(PositionRowOut) }),
    },
  )
  .get(
    '/v1/positions/export.csv',
    ({ ctx, query }) => exportRows(ctx, positionList, demandScopes(ctx, query), 'position', toPosition),
    {
      access: { scope: 'positions:read', role: 'manager', fresh: true },
      query: positionList.exportQuery,
      ...op('positions.export', 'Export positions as CSV', { 200: Csv }),
    },
  )
  .get(
    '/v1/positions/:id',
    ({ ctx, params }) => {
      const position = toPosition(ctx.db.get(positions, params.id))
      // a client may read this position, and so its closings, which name no client themselves
      return { ...position, ...readClosings(ctx.unowned, position.id) }
    },
    {
      access: read,
      params: IdParam,
      ...op('positions.get', 'One position with its closings', { 200: OnePositionOut }, [404]),
    },
  )
  .post('/v1/positions/sync', ({ ctx, body }) => syncPositions(ctx, body), {
    access: { scope: 'positions:write', role: 'operator' },
    maxBytes: SYNC_BYTES,
    maxValues: SYNC_VALUES,
    body: SyncIn,
    ...op(
      'positions.sync',
      'Snapshot or delta from a platform bridge, idempotent by sequence',
      {
        200: SyncOut,
      },
      [],
    ),
  })
  .get('/v1/admin/position-heatmap', ({ ctx }) => readHeatmap(ctx), {
    access: { scope: 'positions:read', role: 'viewer' },
    ...op('positions.heatmap', 'Open volume per symbol over all traders', { 200: HeatmapOut }),
  })
