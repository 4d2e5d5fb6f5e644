import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId } from '../../../platform/access/principal.ts'
import { toIso } from '../../../platform/clock.ts'
import { namesThen } from '../../firm/users/users.names.ts'
import { getStanding, listHelpers } from './standing.ts'
import { findWithdrawalConflict, getRequirement, noteOn, readWithdrawalBallot, whyNotApprove } from './votes.ts'
import { runChecks } from './withdrawals.checks.ts'
import {
  type ReviewsOut,
  toDestination,
  toOwnWithdrawal,
  toWithdrawal,
  type WithdrawalDetail,
} from './withdrawals.model.ts'
import { payoutDestinations, withdrawalDecisions, withdrawals } from './withdrawals.table.ts'

/**
 * Answers one withdrawal; for staff also the decisions so far, the checks, who may still approve it, and why the reader
 * may or may not.
 */
export function readWithdrawal(ctx: Ctx, id: string, withHelpers = true): Static<typeof WithdrawalDetail> {
  const row = ctx.db.get(withdrawals, id)
  const destination = toDestination(ctx.db.get(payoutDestinations, row.destinationId))
  if (findStaffId(ctx.principal) === null) {
    return { ...toOwnWithdrawal(row), destination, requestedBy: null, rejectionNote: null, review: null }
  }
  const userId = findStaffId(ctx.principal)
  const table = readWithdrawalBallot(ctx.db, row, ctx.now())
  const refusal = whyNotApprove(table, { userId, role: findRole(ctx.principal) })
  // the checks read the full destination, even if the caller sees only a part of it
  const checks = runChecks(ctx.unowned, row, ctx.now())
  const counting = new Set(table.votes.map(({ id: vote }) => vote))
  const decided = ctx.db.list(withdrawalDecisions, { withdrawalId: id }, { orderBy: 'createdAt' })
  const nameThen = namesThen(ctx.db, [
    ...decided.map((decision) => decision.userId),
    ...(withHelpers ? table.people.alone('manager') : []),
  ])
  const findName = (person: string): string => nameThen(person, ctx.now()) ?? ''
  const need = getStanding(table, findName)
  const own = getRequirement(table, userId)
  const decisions = decided.map((decision) => ({
    userId: decision.userId,
    name: nameThen(decision.userId, decision.createdAt) ?? '',
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
      helpers: withHelpers && row.status === 'requested' ? listHelpers(table, findName) : null,
      checks,
      viewer: {
        mayApprove: refusal === null,
        why: refusal?.message ?? null,
        needsSecond: refusal === null && table.votes.length === 0 && own.approvals > need.approvals ? own.reason : null,
        noteOn:
          refusal === null && userId !== null
            ? noteOn(table, checks, findWithdrawalConflict(table, userId) !== null)
            : [],
      },
    },
  }
}

/** Answers several withdrawals with checks but without helpers, for a queue that shows what each one waits for. */
export const readReviews = (ctx: Ctx, ids: string): Static<typeof ReviewsOut> => ({
  data: ctx.db.list(withdrawals, { id: [...new Set(ids.split(','))] }).map(({ id }) => readWithdrawal(ctx, id, false)),
  nextCursor: null,
})
