import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf, staffIdOf } from '../../platform/access/principal.ts'
import { toIso } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { amountOf, knownCurrency, positiveAmountOf } from '../../platform/http/fields.ts'
import { invalid } from '../../platform/http/problem.ts'
import { formatAmount } from '../../platform/money.ts'
import { say } from '../../words/say.ts'
import { users } from '../users/users.table.ts'
import { type ApprovalPolicy, measureOf, readPolicy, requirementFor, writePolicy } from './approval-policy.ts'
import { conflictOf, needOf, noteOn, tableOf, whyNotApprove } from './votes.ts'
import { runChecks } from './withdrawals.checks.ts'
import {
  type PolicyOut,
  type PolicyQuery,
  type ReviewsOut,
  toDestination,
  toOwnWithdrawal,
  toWithdrawal,
  type WithdrawalDetail,
} from './withdrawals.model.ts'
import { payoutDestinations, withdrawalDecisions, withdrawals } from './withdrawals.table.ts'

/** One withdrawal; for staff with the decisions so far, the checks, and why the viewer may or may not approve. */
export function readWithdrawal(ctx: Ctx, id: string): Static<typeof WithdrawalDetail> {
  const row = ctx.db.get(withdrawals, id)
  const destination = toDestination(ctx.db.get(payoutDestinations, row.destinationId))
  if (staffIdOf(ctx.principal) === null) {
    return { ...toOwnWithdrawal(row), destination, requestedBy: null, rejectionNote: null, review: null }
  }
  const userId = staffIdOf(ctx.principal)
  const table = tableOf(ctx.db, row, ctx.now())
  const need = needOf(table, userId)
  const refusal = whyNotApprove(table, { userId, role: roleOf(ctx.principal) })
  const checks = runChecks(ctx.db, row, ctx.now())
  const counting = new Set(table.votes.map(({ id: vote }) => vote))
  const decisions = ctx.db
    .list(withdrawalDecisions, { withdrawalId: id }, { orderBy: 'createdAt' })
    .map((decision) => ({
      userId: decision.userId,
      name: ctx.db.find(users, { id: decision.userId }, { withDeleted: true })?.displayName ?? '',
      role: decision.role,
      decision: decision.decision,
      note: decision.note,
      lapsed: decision.void || (decision.decision === 'approve' && row.status !== 'paid' && !counting.has(decision.id)),
      createdAt: toIso(decision.createdAt),
    }))
  return {
    ...toWithdrawal(row),
    destination,
    requestedBy: row.requestedBy,
    rejectionNote: row.rejectionNote,
    review: {
      approvalsNeeded: need.approvals,
      adminNeeded: need.adminNeeded,
      reason: need.reason,
      decisions,
      checks,
      viewer: {
        mayApprove: refusal === null,
        why: refusal?.message ?? null,
        noteOn: refusal === null && userId !== null ? noteOn(table, checks, conflictOf(table, userId) !== null) : [],
      },
    },
  }
}

/** Several withdrawals with their checks, for a queue that shows what each waits for. */
export const readReviews = (ctx: Ctx, ids: string): Static<typeof ReviewsOut> => ({
  data: ctx.db.list(withdrawals, { id: [...new Set(ids.split(','))] }).map(({ id }) => readWithdrawal(ctx, id)),
  nextCursor: null,
})

/** The firm's policy; with `amount` and `currency` also who would have to approve that. */
export function showPolicy(ctx: Ctx, query: Static<typeof PolicyQuery>): Static<typeof PolicyOut> {
  const { value, version } = readPolicy(ctx.db)
  return { ...value, version, simulation: simulate(ctx, query) }
}

function simulate(ctx: Ctx, { amount, currency }: Static<typeof PolicyQuery>): Static<typeof PolicyOut>['simulation'] {
  if (amount === undefined && currency === undefined) return null
  if (amount === undefined) throw invalid('query.amount', 'required', say('withdrawals.field.required_with_currency'))
  if (currency === undefined) throw invalid('query.currency', 'required', say('withdrawals.field.required_with_amount'))
  const minor = amountOf('query.amount', amount, knownCurrency('query.currency', currency))
  const { approvals, adminNeeded, reason, compared, policy } = requirementFor(
    measureOf(ctx.db, ctx.now()),
    minor,
    currency,
  )
  return {
    amount,
    currency,
    comparedAmount: compared === null ? null : formatAmount(compared, policy.currency),
    approvals,
    adminNeeded,
    reason,
  }
}

/** Sets the firm's policy; what is fixed by RULES “Approvals” cannot be set. */
export function setPolicy(
  ctx: Ctx,
  policy: Static<typeof ApprovalPolicy>,
  expect: number | undefined,
): Promise<Static<typeof PolicyOut>> {
  knownCurrency('currency', policy.currency)
  const threshold = positiveAmountOf('threshold', policy.threshold, policy.currency)
  return ctx.write('approval_policy.set', (tx: Tx) => {
    const { value, version } = writePolicy(
      tx,
      { ...policy, threshold: formatAmount(threshold, policy.currency) },
      expect,
    )
    return { ...value, version, simulation: null }
  })
}
