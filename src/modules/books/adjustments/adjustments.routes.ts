import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { MoneyPage, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportRows, withNames } from '../../clients/traders/traders.rows.ts'
import {
  AdjustmentApproveIn,
  AdjustmentIn,
  AdjustmentOut,
  AdjustmentRejectIn,
  AdjustmentRowOut,
  adjustmentList,
  toAdjustment,
} from './adjustments.model.ts'
import { approveAdjustment, rejectAdjustment, requestAdjustment } from './adjustments.service.ts'

const decide = { scope: 'adjustment-decisions:write', role: 'admin' } as const

/** Manual credits and debits, which take two people. */
export const adjustmentRoutes = declareRoutes('Adjustments')
  .get('/v1/adjustments', ({ ctx, query }) => withNames(ctx, readPage(ctx, adjustmentList, query, toAdjustment)), {
    access: { scope: 'wallets:read', role: 'manager' },
    query: adjustmentList.query,
    ...op('adjustments.list', 'List adjustments', { 200: MoneyPage(AdjustmentRowOut) }),
  })
  .get(
    '/v1/adjustments/export.csv',
    ({ ctx, query }) => exportRows(ctx, adjustmentList, query, 'adjustment', toAdjustment),
    {
      access: { scope: 'wallets:read', role: 'manager', fresh: true },
      query: adjustmentList.exportQuery,
      ...op('adjustments.export', 'Export adjustments as CSV', { 200: Csv }),
    },
  )
  .post('/v1/adjustments', ({ ctx, body }) => requestAdjustment(ctx, body), {
    access: { scope: 'wallets:write', role: 'manager' },
    creates: true,
    body: AdjustmentIn,
    ...op('adjustments.create', 'Ask for a manual credit or debit', { 201: AdjustmentOut }, [], {
      another: 'Nothing moves until another person approves.',
    }),
  })
  .post(
    '/v1/adjustments/:id/approve',
    ({ ctx, params, body, expect }) => approveAdjustment(ctx, params.id, body.note, expect),
    {
      access: { ...decide, fresh: 'if the amount reaches the threshold' },
      params: IdParam,
      body: AdjustmentApproveIn,
      ...op('adjustments.approve', 'Approve and post it; a different person', { 200: AdjustmentOut }, [404, 409, 412], {
        another: 'Not by the person who asked for it.',
      }),
    },
  )
  .post(
    '/v1/adjustments/:id/reject',
    ({ ctx, params, body, expect }) => rejectAdjustment(ctx, params.id, body.reason, expect),
    {
      access: decide,
      params: IdParam,
      body: AdjustmentRejectIn,
      ...op('adjustments.reject', 'Turn it down', { 200: AdjustmentOut }, [404, 409, 412], {
        another: 'Not by the person who asked for it.',
      }),
    },
  )
