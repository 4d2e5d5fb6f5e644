import { Type } from '@sinclair/typebox'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { SqlIn, SqlOut, type SqlResult, SqlSchemaOut } from './sandbox.model.ts'
import { runSql, sqlSchema } from './sandbox.service.ts'

const read = { scope: 'reports:read', role: 'owner' } as const

/** SQL queries of owners. RULES “SQL page”. */
export const sandboxRoutes = declareRoutes('Reports')
  .get('/v1/admin/reports/sql/schema', () => sqlSchema(), {
    access: read,
    ...op('sandbox.schema', 'Tables and columns that a query may read', { 200: SqlSchemaOut }),
  })
  .post('/v1/admin/reports/sql', ({ ctx, body, request }) => runSql(ctx, body, request.signal), {
    access: { ...read, fresh: true },
    body: SqlIn,
    ...op('sandbox.query', 'Run one SELECT over the firm’s own rows', {
      200: Type.Unsafe<SqlResult | Response>(SqlOut),
    }),
  })
