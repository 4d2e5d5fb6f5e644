import { seenBy } from '../../../platform/access/principal.ts'
import { declareRoutes } from '../../../platform/http/front/routes.ts'
import { MoneyPage, readPage } from '../../../platform/http/lists/page.ts'
import { Csv, op } from '../../../platform/http/openapi/openapi.ts'
import { IdParam } from '../../../platform/wire/fields.ts'
import { exportRows, withNames } from '../../clients/traders/traders.rows.ts'
import {
  ApproveIn,
  BulkApproveIn,
  BulkResult,
  CancelIn,
  PayIn,
  RejectIn,
  ReviewsOut,
  ReviewsQuery,
  toOwnWithdrawal,
  toWithdrawal,
  WITHDRAWAL_FILE,
  WithdrawalDetail,
  WithdrawalIn,
  WithdrawalOut,
  WithdrawalRowOut,
  withdrawalList,
} from './withdrawals.model.ts'
import { payWithdrawal } from './withdrawals.pay.ts'
import { readReviews, readWithdrawal } from './withdrawals.queries.ts'
import { requestWithdrawal } from './withdrawals.request.ts'
import { approveWithdrawal, bulkApprove, cancelWithdrawal, rejectWithdrawal } from './withdrawals.service.ts'

const read = { scope: 'withdrawals:read', role: 'viewer', audience: ['trader'] } as const
const ask = { scope: 'withdrawals:write', role: 'operator', audience: ['trader'] } as const
const decide = { scope: 'withdrawal-decisions:write', role: 'manager' } as const
const pay = { scope: 'payouts:write', role: 'manager' } as const
const one = { 200: WithdrawalOut } as const

const requestRoutes = declareRoutes('Withdrawals')
  .get(
    '/v1/withdrawals',
    ({ ctx, query }) =>
      withNames(ctx, readPage(ctx, withdrawalList, query, seenBy(ctx.principal, toWithdrawal, toOwnWithdrawal))),
    {
      access: read,
      query: withdrawalList.query,
      ...op('withdrawals.list', 'List withdrawals', { 200: MoneyPage(WithdrawalRowOut) }),
    },
  )
  .get(
    '/v1/withdrawals/export.csv',
    ({ ctx, query }) => exportRows(ctx, withdrawalList, query, 'withdrawal', toWithdrawal, WITHDRAWAL_FILE),
    {
      access: { scope: 'withdrawals:read', role: 'manager', fresh: true },
      query: withdrawalList.exportQuery,
      ...op('withdrawals.export', 'Export withdrawals as CSV', { 200: Csv }),
    },
  )
  .get('/v1/withdrawals/reviews', ({ ctx, query }) => readReviews(ctx, query.ids), {
    access: { scope: 'withdrawals:read', role: 'viewer' },
    query: ReviewsQuery,
    ...op('withdrawals.reviews', 'Several withdrawals, with decisions and checks', { 200: ReviewsOut }),
  })
  .get('/v1/withdrawals/:id', ({ ctx, params }) => readWithdrawal(ctx, params.id), {
    access: read,
    params: IdParam,
    ...op('withdrawals.get', 'One withdrawal, with decisions and checks', { 200: WithdrawalDetail }, [404]),
  })
  .post('/v1/withdrawals', ({ ctx, body }) => requestWithdrawal(ctx, body), {
    access: ask,
    creates: true,
    body: WithdrawalIn,
    ...op('withdrawals.create', 'Ask for money out; holds the amount', { 201: WithdrawalOut }, [409]),
  })

const decisionRoutes = declareRoutes('Withdrawals')
  .post('/v1/withdrawals/bulk-approve', ({ ctx, body }) => bulkApprove(ctx, body), {
    access: { ...decide, fresh: 'if the amount reaches the threshold' },
    body: BulkApproveIn,
    ...op('withdrawals.bulkApprove', 'Approve several, each by its own rules', { 200: BulkResult }, [], {
      another: 'By policy a second person must approve some of them too; until then those stay requested.',
    }),
  })
  .post(
    '/v1/withdrawals/:id/approve',
    ({ ctx, params, body, expect }) => approveWithdrawal(ctx, params.id, body.note, expect),
    {
      access: { ...decide, fresh: 'if the amount reaches the threshold' },
      params: IdParam,
      body: ApproveIn,
      ...op('withdrawals.approve', 'Approve by policy; never the requester', one, [404, 409, 412], {
        another: 'By policy a second person must approve too; until then it stays requested.',
      }),
    },
  )
  .post(
    '/v1/withdrawals/:id/reject',
    ({ ctx, params, body, expect }) => rejectWithdrawal(ctx, params.id, body, expect),
    {
      access: decide,
      params: IdParam,
      body: RejectIn,
      ...op('withdrawals.reject', 'Deny it; releases the hold', one, [404, 409, 412]),
    },
  )

const endingRoutes = declareRoutes('Withdrawals')
  .post(
    '/v1/withdrawals/:id/pay',
    ({ ctx, params, body, expect }) => payWithdrawal(ctx, params.id, body.paymentReference, expect),
    {
      access: { ...pay, fresh: 'if the amount reaches the threshold' },
      params: IdParam,
      body: PayIn,
      ...op('withdrawals.pay', 'Mark a withdrawal as paid', one, [404, 409, 412]),
    },
  )
  .post(
    '/v1/withdrawals/:id/cancel',
    ({ ctx, params, body, expect }) => cancelWithdrawal(ctx, params.id, body, expect),
    {
      access: ask,
      params: IdParam,
      body: CancelIn,
      ...op('withdrawals.cancel', 'Take it back before approval; releases the hold', one, [404, 409, 412]),
    },
  )

/** Withdrawals of clients, which may need two people. RULES “Withdrawals”. */
export const withdrawalRoutes = requestRoutes.and(decisionRoutes).and(endingRoutes)
