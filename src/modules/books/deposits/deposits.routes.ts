import type { Ctx } from '../../../platform/access/ctx.ts'
import { seenBy } from '../../../platform/access/principal.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { MoneyPage, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportRows, withNames } from '../../clients/traders/traders.rows.ts'
import {
  DEPOSIT_FILE,
  DepositIn,
  DepositOut,
  DepositRowOut,
  depositList,
  FailIn,
  PartialSettleIn,
  toDeposit,
  toDepositLine,
  toOwnDeposit,
} from './deposits.model.ts'
import { cancelDeposit, createDeposit, failDeposit, partialSettleDeposit, settleDeposit } from './deposits.service.ts'
import { deposits } from './deposits.table.ts'

const read = { scope: 'deposits:read', role: 'viewer', audience: ['trader'] } as const
const announce = { scope: 'deposits:write', role: 'operator', audience: ['trader'] } as const
const decide = { scope: 'deposit-decisions:write', role: 'manager' } as const

const formFor = ({ principal }: Ctx) => seenBy(principal, toDeposit, toOwnDeposit)

/** 202 means that this was the first of two approvals, and the deposit waits for the second. */
const settled = { 200: DepositOut, 202: DepositOut } as const
const settling = (set: { status?: number | string }, expect: number | undefined) => ({
  expect,
  accepted: () => {
    set.status = 202
  },
})

const announceRoutes = declareRoutes('Deposits')
  .get('/v1/deposits', ({ ctx, query }) => withNames(ctx, readPage(ctx, depositList, query, formFor(ctx))), {
    access: read,
    query: depositList.query,
    ...op('deposits.list', 'List deposits', { 200: MoneyPage(DepositRowOut) }),
  })
  .get(
    '/v1/deposits/export.csv',
    ({ ctx, query }) => exportRows(ctx, depositList, query, 'deposit', toDepositLine, DEPOSIT_FILE),
    {
      access: { scope: 'deposits:read', role: 'manager', fresh: true },
      query: depositList.exportQuery,
      ...op('deposits.export', 'Export deposits as CSV', { 200: Csv }),
    },
  )
  .get('/v1/deposits/:id', ({ ctx, params }) => formFor(ctx)(ctx.db.get(deposits, params.id)), {
    access: read,
    params: IdParam,
    ...op('deposits.get', 'One deposit', { 200: DepositOut }, [404]),
  })
  .post('/v1/deposits', ({ ctx, body }) => createDeposit(ctx, body), {
    access: announce,
    creates: true,
    body: DepositIn,
    ...op('deposits.create', 'Announce a deposit', { 201: DepositOut }, [409]),
  })

const decisionRoutes = declareRoutes('Deposits')
  .post(
    '/v1/deposits/:id/settle',
    ({ ctx, params, expect, set }) => settleDeposit(ctx, params.id, settling(set, expect)),
    {
      access: { ...decide, fresh: 'if the amount reaches the threshold' },
      params: IdParam,
      ...op('deposits.settle', 'Settle a pending deposit in full', settled, [404, 409, 412], {
        another: 'Where two people must agree, the first is answered 202 and the deposit waits for another person.',
      }),
    },
  )
  .post('/v1/deposits/:id/cancel', ({ ctx, params, expect }) => cancelDeposit(ctx, params.id, expect), {
    access: announce,
    params: IdParam,
    ...op('deposits.cancel', 'Take back a pending deposit', { 200: DepositOut }, [404, 409, 412]),
  })
  .post('/v1/deposits/:id/fail', ({ ctx, params, body, expect }) => failDeposit(ctx, params.id, body, expect), {
    access: decide,
    params: IdParam,
    body: FailIn,
    ...op('deposits.fail', 'Fail a pending deposit', { 200: DepositOut }, [404, 409, 412]),
  })
  .post(
    '/v1/admin/deposits/:id/partial-settle',
    ({ ctx, params, body, expect, set }) => partialSettleDeposit(ctx, params.id, body, settling(set, expect)),
    {
      access: { ...decide, fresh: 'if the amount reaches the threshold' },
      params: IdParam,
      body: PartialSettleIn,
      ...op('deposits.partialSettle', 'Settle a deposit for a smaller amount', settled, [404, 409, 412], {
        another: 'Where two people must agree, the first is answered 202 and the deposit waits for another person.',
      }),
    },
  )

/** Deposits of clients. RULES “Deposits”. */
export const depositRoutes = announceRoutes.and(decisionRoutes)
