import { Type } from '@sinclair/typebox'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { Page, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { SelfQuery } from '../affiliates/affiliates.model.ts'
import { calculatePlan } from './calculator.ts'
import { exportLines } from './lines.export.ts'
import { BySymbolOut, BySymbolQuery, ExplainOut, LineOut, lineList } from './lines.model.ts'
import { explainLine, linesBySymbol, listLines } from './lines.queries.ts'
import { CalculateIn, CalculateOut, PlanIn, PlanOut, PlanPatch, planList } from './plans.model.ts'
import { createPlan, listPlans, updatePlan } from './plans.service.ts'
import { RunIn, RunOut, runList, startRun, toRun } from './runs.service.ts'

const own = { scope: 'affiliates:read', role: 'viewer', audience: ['ib'] } as const
const manage = { scope: 'affiliates:read', role: 'manager' } as const
const admin = { scope: 'affiliates:write', role: 'admin' } as const
const decide = { scope: 'affiliate-decisions:write', role: 'admin' } as const

/** Commissions of affiliates, their plans and explanations. RULES “Commissions”. */
export const commissionRoutes = declareRoutes('Affiliates')
  .get('/v1/affiliates/commissions', ({ ctx, query }) => listLines(ctx, query), {
    access: own,
    query: Type.Object({ ...lineList.query.properties, ...SelfQuery }, { additionalProperties: false }),
    ...op('commissions.list', 'What affiliates earned, line by line', { 200: Page(LineOut) }),
  })
  .get('/v1/affiliates/commissions/export.csv', ({ ctx, query }) => exportLines(ctx, query), {
    access: { ...manage, fresh: true },
    query: lineList.exportQuery,
    ...op('commissions.export', 'Export what affiliates earned as CSV', { 200: Csv }),
  })
  .get('/v1/affiliates/commissions/by-symbol', ({ ctx, query }) => linesBySymbol(ctx, query), {
    access: own,
    query: Type.Object({ ...BySymbolQuery, ...SelfQuery }, { additionalProperties: false }),
    ...op('commissions.bySymbol', 'What affiliates earned, by symbol', { 200: BySymbolOut }),
  })
  .get('/v1/affiliates/commissions/:id/explain', ({ ctx, params }) => explainLine(ctx, params.id), {
    access: own,
    params: IdParam,
    ...op('commissions.explain', 'How a line was made, and whether it still holds', { 200: ExplainOut }, [404]),
  })
  .post('/v1/affiliates/commissions/runs', ({ ctx, body }) => startRun(ctx, body), {
    access: admin,
    accepts: true,
    body: RunIn,
    ...op('commissions.runs.create', 'Compute a period; a repeat adds what is new', { 202: RunOut }),
  })
  .get('/v1/affiliates/commissions/runs', ({ ctx, query }) => readPage(ctx, runList, query, toRun), {
    access: manage,
    query: runList.query,
    ...op('commissions.runs.list', 'Runs, and what each found', { 200: Page(RunOut) }),
  })
  .get('/v1/commission-plans', ({ ctx, query }) => listPlans(ctx, query), {
    access: manage,
    query: planList.query,
    ...op('commissionPlans.list', 'Plans with their versions', { 200: Page(PlanOut) }),
  })
  .post('/v1/commission-plans', ({ ctx, body }) => createPlan(ctx, body), {
    access: { ...decide, fresh: true },
    creates: true,
    body: PlanIn,
    ...op('commissionPlans.create', 'Make a plan', { 201: PlanOut }, [409]),
  })
  .post('/v1/commission-plans/calculate', ({ ctx, body }) => calculatePlan(ctx, body), {
    access: admin,
    body: CalculateIn,
    ...op('commissionPlans.calculate', 'What terms would pay for a trade, level by level; changes nothing', {
      200: CalculateOut,
    }),
  })
  .patch('/v1/commission-plans/:id', ({ ctx, params, body, expect }) => updatePlan(ctx, params.id, body, expect), {
    access: { ...decide, fresh: true },
    params: IdParam,
    body: PlanPatch,
    ...op('commissionPlans.update', 'Change a plan by a new version', { 200: PlanOut }, [404, 409]),
  })
