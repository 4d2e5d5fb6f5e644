import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { requireDecider } from '../../firm/independence/independence.service.ts'
import { requireFreshFromThreshold } from '../approval-policy/approval-policy.ts'
import { toReferenceKey } from '../deposits/deposits.service.ts'
import { isSatisfied, readWithdrawalBallot } from './votes.ts'
import { refuseBlocked } from './withdrawals.checks.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import { toWithdrawal, type Withdrawal, withdrawalPayload } from './withdrawals.model.ts'
import { lapse, move } from './withdrawals.service.ts'
import { PAY_WITHIN, withdrawalStates } from './withdrawals.states.ts'
import { payoutDestinations, type WithdrawalRow, withdrawals } from './withdrawals.table.ts'

/**
 * Returns why an approved withdrawal goes back instead of being paid: it is too late, or a vote no longer counts. Null
 * if it may be paid.
 */
function whyNotPay(db: Reader, row: WithdrawalRow, now: number): Problem | null {
  if (row.status === 'requested' && row.lapsedAt !== null) return withdrawalErrors.approval_lapsed()
  if (row.status !== 'approved') return null
  if (row.approvedAt === null || now - row.approvedAt >= PAY_WITHIN) return withdrawalErrors.approval_lapsed()
  return isSatisfied(readWithdrawalBallot(db, row, now)) ? null : withdrawalErrors.approval_void()
}

/** Throws the 409 that names the withdrawal already paid with this reference, among destinations of one kind. */
function refuseUsedReference(tx: Tx, { destinationId }: WithdrawalRow, referenceKey: string | null): void {
  const getKind = (id: string): string => tx.get(payoutDestinations, id).kind
  const kind = getKind(destinationId)
  const used = tx.list(withdrawals, { referenceKey }).find((other) => getKind(other.destinationId) === kind)
  if (used)
    throw withdrawalErrors.reference_used({
      detail: say('withdrawals.error.reference_used_by', { id: used.id }),
      errors: [{ path: 'paymentReference', code: 'duplicate', message: say('problems.field.taken') }],
    })
}

/**
 * Notes that the funds were sent: the held amount leaves the books. Blocks and votes are checked again, and a payment
 * reference is used only once. A withdrawal whose approval is too old or lost a vote goes back, and the answer says so.
 */
export async function payWithdrawal(
  ctx: Ctx,
  id: string,
  paymentReference: string,
  expect: number | undefined,
): Promise<Withdrawal> {
  const stale = whyNotPay(ctx.db, ctx.db.get(withdrawals, id), ctx.now())
  if (stale) {
    // this is a separate write, since the withdrawal must go back although the answer is a refusal
    await ctx.write(
      'withdrawal.lapse',
      (tx) => {
        const row = tx.get(withdrawals, id)
        if (row.status === 'approved' && whyNotPay(tx, row, tx.now)) lapse(tx, id)
      },
      { answer: false },
    )
    throw stale
  }
  return ctx.write('withdrawal.pay', (tx) => {
    const before = tx.get(withdrawals, id)
    requireFreshFromThreshold(tx.unowned, ctx, before)
    requireDecider(tx, ctx, before.traderId)
    if (before.status === 'approved') refuseBlocked(tx, tx.get(traders, before.traderId, { withDeleted: true }))
    const referenceKey = toReferenceKey(paymentReference)
    refuseUsedReference(tx, before, referenceKey)
    const stale = whyNotPay(tx, before, tx.now)
    if (stale) throw stale
    const row = tx.transition(
      withdrawals,
      id,
      withdrawalStates,
      'paid',
      { paidAt: tx.now, paymentReference, referenceKey },
      { expect },
    )
    move(tx, row, 'withdrawal_pay', 'client_held', 'payout_clearing', say('withdrawals.ledger.paid'))
    tx.emit('withdrawal.paid', withdrawalPayload(row))
    return toWithdrawal(row)
  })
}
