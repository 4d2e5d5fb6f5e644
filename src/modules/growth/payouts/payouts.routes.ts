import { Type } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { sendList } from '../../../platform/http/lists/list-file.ts'
import { MoneyPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { affiliateColumns } from '../affiliates/affiliates.csv-columns.ts'
import { SelfQuery } from '../affiliates/affiliates.model.ts'
import { approvePayout, rejectPayout } from './payouts.decisions.ts'
import { PayoutApproveIn, PayoutIn, PayoutOut, PayoutRejectIn, payoutList, toPayout } from './payouts.model.ts'
import { listPayouts, requestPayout } from './payouts.service.ts'
import type { PayoutRow } from './payouts.table.ts'

const decide = { scope: 'affiliate-decisions:write', role: 'admin' } as const

const asFile = ({ db }: Ctx) =>
  ({ entity: 'affiliate_payout', form: (row: PayoutRow) => toPayout(row), more: affiliateColumns(db) }) as const

/** Payouts of commission to affiliates. RULES “Payouts”. */
export const payoutRoutes = declareRoutes('Affiliates')
  .get('/v1/affiliates/payouts', ({ ctx, query }) => listPayouts(ctx, query), {
    access: { scope: 'affiliates:read', role: 'viewer', audience: ['ib'] },
    query: Type.Object({ ...payoutList.query.properties, ...SelfQuery }, { additionalProperties: false }),
    ...op('payouts.list', 'Payouts that affiliates asked for', { 200: MoneyPage(PayoutOut) }),
  })
  .get('/v1/affiliates/payouts/export.csv', ({ ctx, query }) => sendList(ctx, payoutList, query, asFile(ctx)), {
    access: { scope: 'affiliates:read', role: 'manager', fresh: true },
    query: payoutList.exportQuery,
    ...op('payouts.export', 'Export payouts as CSV', { 200: Csv }),
  })
  .post('/v1/affiliates/payouts', ({ ctx, body }) => requestPayout(ctx, body), {
    access: { scope: 'affiliates:write', role: 'manager', audience: ['ib'] },
    creates: true,
    body: PayoutIn,
    ...op('payouts.create', 'Ask for what is earned and unpaid', { 201: PayoutOut }, [404, 409]),
  })
  .post(
    '/v1/affiliates/payouts/:id/approve',
    ({ ctx, params, body, expect }) => approvePayout(ctx, params.id, body.note, expect),
    {
      access: { ...decide, fresh: 'if the amount reaches the threshold' },
      params: IdParam,
      body: PayoutApproveIn,
      ...op(
        'payouts.approve',
        'One vote; with the last one needed it is paid into the wallet',
        { 200: PayoutOut },
        [404, 409, 412],
      ),
    },
  )
  .post(
    '/v1/affiliates/payouts/:id/reject',
    ({ ctx, params, body, expect }) => rejectPayout(ctx, params.id, body.reason, expect),
    {
      access: decide,
      params: IdParam,
      body: PayoutRejectIn,
      ...op('payouts.reject', 'Turn it down, with a reason', { 200: PayoutOut }, [404, 409, 412]),
    },
  )
