import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { withNames } from '../traders/traders.rows.ts'
import { exportAudit } from './audit.export.ts'
import { AuditRowOut, auditList, FacetsOut, VerifyOut, VerifyQuery } from './audit.model.ts'
import { listAudit, readFacets, verifyAudit } from './audit.queries.ts'

const read = { scope: 'audit:read', role: 'manager' } as const

/** The audit log: who did what, when, and the value before. src/README “Audit chain”. */
export const auditRoutes = declareRoutes('Audit')
  .get('/v1/audit', ({ ctx, query }) => withNames(ctx, listAudit(ctx, query)), {
    access: read,
    query: auditList.query,
    ...op('audit.list', 'Audit entries', { 200: Page(AuditRowOut) }),
  })
  .get('/v1/audit/export.csv', ({ ctx, query }) => exportAudit(ctx, query), {
    access: { ...read, fresh: true },
    query: auditList.exportQuery,
    ...op('audit.export', 'Export the audit log as CSV', { 200: Csv }),
  })
  .get('/v1/audit/facets', ({ ctx }) => readFacets(ctx), {
    access: read,
    ...op('audit.facets', 'Actions, actors and entities with counts', { 200: FacetsOut }),
  })
  .get('/v1/audit/verify', ({ ctx, query }) => verifyAudit(ctx, query), {
    access: { scope: 'audit:read', role: 'admin' },
    query: VerifyQuery,
    ...op('audit.verify', 'Check the hash chain; names the first broken entry', { 200: VerifyOut }),
  })
