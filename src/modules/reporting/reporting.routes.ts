import { Elysia } from 'elysia'
import type { Guard } from '../../platform/access/guard.ts'
import { op } from '../../platform/http/openapi.ts'
import { DashboardOut, DashboardQuery } from './reporting.model.ts'
import { readDashboard } from './reporting.queries.ts'

/** What happened in the firm, by day. rules.md “Reports”. */
export const reportingRoutes = (guard: Guard) =>
  new Elysia({ name: 'reporting', tags: ['Reports'] })
    .use(guard)
    .get('/v1/admin/reporting/dashboard', ({ ctx, query }) => readDashboard(ctx, query), {
      access: { scope: 'reports:read', role: 'viewer' },
      query: DashboardQuery,
      ...op('reporting.dashboard', 'Money in and out, new clients and what waits, by day and currency', {
        200: DashboardOut,
      }),
    })
