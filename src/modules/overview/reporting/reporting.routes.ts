import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { op } from '../../../platform/http/openapi/openapi.ts'
import { ActivityOut } from './activity.model.ts'
import { CohortsOut } from './cohorts.model.ts'
import { DashboardOut } from './dashboard.model.ts'
import { FormatQuery, MoneyQuery, OrCsv, PeriodQuery } from './reporting.model.ts'
import { activity, cohorts, dashboard, revenue } from './reporting.service.ts'
import { RevenueOut } from './revenue.model.ts'
import { TaxOut, TaxQuery } from './tax.model.ts'
import { taxReport } from './tax.service.ts'

const read = { scope: 'reports:read', role: 'manager' } as const

/** Reports about the firm. RULES “Reports”. */
export const reportingRoutes = declareRoutes('Reports')
  .get('/v1/admin/reporting/dashboard', ({ ctx, query }) => dashboard(ctx, query), {
    access: { scope: 'reports:read', role: 'viewer', fresh: 'if it is asked for as a file' },
    query: MoneyQuery,
    ...op(
      'reporting.dashboard',
      'Money in and out, new clients and what waits, by day and currency',
      {
        200: OrCsv(DashboardOut),
      },
      [],
      { csv: true },
    ),
  })
  .get('/v1/admin/reporting/cohorts', ({ ctx, query }) => cohorts(ctx, query), {
    access: { ...read, fresh: 'if it is asked for as a file' },
    query: PeriodQuery,
    ...op(
      'reporting.cohorts',
      'Clients by month of registration, and who deposits since',
      {
        200: OrCsv(CohortsOut),
      },
      [],
      { csv: true },
    ),
  })
  .get('/v1/admin/reporting/revenue-breakdown', ({ ctx, query }) => revenue(ctx, query), {
    access: { ...read, fresh: 'if it is asked for as a file' },
    query: MoneyQuery,
    ...op(
      'reporting.revenue',
      'What affiliates earned from the firm, by source, and the firm from clients',
      { 200: OrCsv(RevenueOut) },
      [],
      {
        csv: true,
      },
    ),
  })
  .get('/v1/admin/activity', ({ ctx, query }) => activity(ctx, query), {
    access: { scope: 'audit:read', role: 'manager', fresh: 'if it is asked for as a file' },
    query: FormatQuery,
    ...op('reporting.activity', 'What each user did in the last seven days', { 200: OrCsv(ActivityOut) }, [], {
      csv: true,
    }),
  })
  .get('/v1/admin/tax-report', ({ ctx, query }) => taxReport(ctx, query), {
    access: { ...read, fresh: 'if it is asked for as a file' },
    query: TaxQuery,
    ...op('reporting.tax', 'Deposits, withdrawals and all else per client and currency', { 200: OrCsv(TaxOut) }, [], {
      csv: true,
    }),
  })
