import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { formatAmount } from '../../../platform/money.ts'
import { notFound, wrongState } from '../../../platform/problem.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { requireFreshFromThreshold } from '../../books/approval-policy/approval-policy.ts'
import { post, walletFor } from '../../books/wallets/ledger.service.ts'
import { refuseCreditTo } from '../../clients/sanctions/sanctions.queries.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { noteClientAct, refuseGivenPassword } from '../../firm/independence/independence.service.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { users } from '../../firm/users/users.table.ts'
import { affiliateBalances } from '../affiliates/balances.table.ts'
import { payoutErrors } from './payouts.errors.ts'
import { type Payout, toPayout } from './payouts.model.ts'
import { refuseDebt } from './payouts.service.ts'
import { payoutStates } from './payouts.states.ts'
import { affiliatePayouts, type PayoutRow } from './payouts.table.ts'
import { findPayoutConflict, isEnough, readPayoutBallot, whyNotApprove } from './payouts.votes.ts'

const getDecider = (ctx: Ctx): string => {
  const userId = findStaffId(ctx.principal)
  if (userId === null) throw notFound()
  return userId
}

/** Mails every owner that an involved person gave the second vote, with a note, as a small firm allows. */
function tellOwners(tx: Tx, ctx: Ctx, row: PayoutRow, userId: string, why: () => string): void {
  const { displayName } = tx.get(users, userId)
  const amount = `${formatAmount(row.amount, row.currency)} ${row.currency}`
  mailOwners(tx, ctx, () => ({
    subject: say('affiliates.mail.second_vote', { displayName }),
    text: say('affiliates.mail.second_vote_text', { displayName, amount, message: why() }),
  }))
}

/**
 * Takes one vote on a payout; the last vote needed pays it, once, into the affiliate's wallet. Who approved or
 * requested it counts as having brought money to that client. RULES “Payouts”.
 */
export function approvePayout(
  ctx: Ctx,
  id: string,
  note: string | undefined,
  expect: number | undefined,
): Promise<Payout> {
  const userId = getDecider(ctx)
  return ctx.write('affiliate_payout.approve', (tx) => {
    const before = tx.get(affiliatePayouts, id)
    requireFreshFromThreshold(tx.unowned, ctx, before)
    if (before.status !== 'requested') throw wrongState('affiliate_payout', before.status)
    const ballot = readPayoutBallot(tx, before, tx.now)
    const refusal = whyNotApprove(ballot, userId)
    if (refusal) throw refusal
    if (ballot.affiliate.status !== 'active') throw payoutErrors.not_active()
    refuseDebt(tx, before.traderId)
    if (!tx.find(traders, { id: before.traderId })) throw payoutErrors.no_client()
    refuseCreditTo(tx, before.traderId)
    const conflict = findPayoutConflict(ballot, userId)
    if (conflict !== null) {
      if (note === undefined)
        throw independenceErrors.note_required({
          errors: [{ path: 'note', code: 'note_required', message: say('affiliates.field.own_part') }],
        })
      tellOwners(tx, ctx, before, userId, () => findPayoutConflict(ballot, userId)?.message ?? '')
    }
    const votes = [...ballot.votes, { userId, at: tx.now, note: note ?? null }]
    const counted = readPayoutBallot(tx, { ...before, votes }, tx.now)
    if (!isEnough(counted))
      return toPayout(tx.update(affiliatePayouts, id, { votes }, { expect, action: 'affiliate_payout.approve_first' }))
    const decision = { votes, decidedBy: userId, decidedAt: tx.now }
    return toPayout(pay(tx, tx.transition(affiliatePayouts, id, payoutStates, 'approved', decision, { expect })))
  })
}

/** Posts an approved payout, and notes who brought that money to the client. */
function pay(tx: Tx, row: PayoutRow): PayoutRow {
  const { id, affiliateId, traderId, currency, amount, requestedBy, votes } = row
  const balance = tx.find(affiliateBalances, { affiliateId, currency })
  if (!balance || balance.earned - balance.paid < amount) throw payoutErrors.not_earned()
  const paid = balance.paid + amount
  const paidUp = paid >= balance.earned ? { paidUpAt: tx.now } : {}
  tx.update(affiliateBalances, balance.id, { asked: balance.asked - amount, paid, ...paidUp })
  post(tx, {
    kind: 'commission',
    reference: id,
    description: sayForAll('affiliates.posting'),
    legs: [
      { account: 'affiliate_commissions', currency, amount: -amount },
      { account: 'client_available', wallet: walletFor(tx, traderId, currency), currency, amount },
    ],
  })
  for (const userId of [requestedBy, ...votes.map((vote) => vote.userId)]) noteClientAct(tx, userId, traderId, 'credit')
  return row
}

/** Rejects a payout with a reason that the affiliate reads; its amount is available again. */
export function rejectPayout(ctx: Ctx, id: string, reason: string, expect: number | undefined): Promise<Payout> {
  const decidedBy = getDecider(ctx)
  return ctx.write('affiliate_payout.reject', (tx) => {
    refuseGivenPassword(tx, ctx)
    const { affiliateId, currency, amount } = tx.get(affiliatePayouts, id)
    const decision = { decidedBy, decidedAt: tx.now, reason }
    const row = tx.transition(affiliatePayouts, id, payoutStates, 'rejected', decision, { expect })
    const balance = tx.find(affiliateBalances, { affiliateId, currency })
    if (balance) tx.update(affiliateBalances, balance.id, { asked: balance.asked - amount })
    return toPayout(row)
  })
}
