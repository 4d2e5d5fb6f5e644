import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole, findStaffId, requireScope, seenBy } from '../../../platform/access/principal.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { writeEach } from '../../../platform/http/answers/bulk-results.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { noteClientAct, personBehind } from '../../firm/independence/independence.service.ts'
import { mailOwners } from '../../firm/users/users.notices.ts'
import { users } from '../../firm/users/users.table.ts'
import { requireFreshFromThreshold } from '../approval-policy/approval-policy.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { wallets } from '../wallets/wallets.table.ts'
import {
  findWithdrawalConflict,
  isSatisfied,
  noteOn,
  readWithdrawalBallot,
  type WithdrawalBallot,
  whyNotApprove,
} from './votes.ts'
import { refuseBlocked, runChecks } from './withdrawals.checks.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import {
  type BulkApproveIn,
  type BulkResult,
  type CancelIn,
  type RejectIn,
  toOwnWithdrawal,
  toWithdrawal,
  type Withdrawal,
  withdrawalPayload,
} from './withdrawals.model.ts'
import { lapseStates, withdrawalStates } from './withdrawals.states.ts'
import { type DecisionRow, type WithdrawalRow, withdrawalDecisions, withdrawals } from './withdrawals.table.ts'

/** Posts the two ledger legs that move a withdrawal's amount. */
export function move(
  tx: Tx,
  row: WithdrawalRow,
  kind: string,
  from: Leg['account'],
  to: Leg['account'],
  description: string,
): void {
  const wallet = tx.get(wallets, row.walletId)
  const leg = (account: Leg['account'], amount: bigint): Leg =>
    account === 'payout_clearing'
      ? { account, currency: row.currency, amount }
      : { account, wallet, currency: row.currency, amount }
  post(tx, { kind, reference: row.id, description, legs: [leg(from, -row.amount), leg(to, row.amount)] })
}

/** Takes one vote: the withdrawal is approved if the policy needs no other one. RULES “Approvals”. */
export function approveWithdrawal(
  ctx: Ctx,
  id: string,
  note: string | undefined,
  expect: number | undefined,
): Promise<Withdrawal> {
  return ctx.write('withdrawal.approve', (tx) => approveInside(tx, ctx, id, note, expect))
}

function approveInside(tx: Tx, ctx: Ctx, id: string, note: string | undefined, expect: number | undefined): Withdrawal {
  const row = tx.get(withdrawals, id)
  requireFreshFromThreshold(tx.unowned, ctx, row)
  const voter = { userId: findStaffId(ctx.principal), role: findRole(ctx.principal) }
  const before = readWithdrawalBallot(tx, row, tx.now)
  const refusal = whyNotApprove(before, voter)
  if (refusal) throw refusal
  refuseBlocked(tx, tx.get(traders, row.traderId, { withDeleted: true }))
  const { userId, role } = voter
  if (userId === null || role === null) throw withdrawalErrors.own_request()
  const conflict = findWithdrawalConflict(before, userId)
  requireNote(before, conflict !== null, note)
  // votes that no longer count are voided, so that their voters may vote again
  const counting = new Set(before.votes.map((vote) => vote.id))
  voidVotes(tx, id, (vote) => !counting.has(vote.id))
  tx.insert(withdrawalDecisions, { withdrawalId: id, userId, role, decision: 'approve', note: note ?? null })
  if (conflict !== null) tellOwners(tx, ctx, row, userId, () => findWithdrawalConflict(before, userId)?.message ?? '')
  const table = readWithdrawalBallot(tx, row, tx.now)
  if (!isSatisfied(table)) {
    if (expect !== undefined && expect !== row.version) tx.update(withdrawals, id, {}, { expect })
    tx.audit({
      action: 'withdrawal.approve_first',
      entity: 'withdrawal',
      entityId: id,
      traderId: row.traderId,
      after: { approvals: table.votes.length },
    })
    return toWithdrawal(row)
  }
  const approved = tx.transition(withdrawals, id, withdrawalStates, 'approved', { approvedAt: tx.now }, { expect })
  tx.emit('withdrawal.approved', withdrawalPayload(approved))
  return toWithdrawal(approved)
}

/** Requires a note if a check asks for a closer look, or a large amount's list or bank account was not checked. */
function requireNote(table: WithdrawalBallot, conflict: boolean, note: string | undefined): void {
  if (note !== undefined) return
  const why = noteOn(table, runChecks(table.db, table.row, table.now), conflict)
  if (why.length === 0) return
  throw independenceErrors.note_required({
    detail: say('withdrawals.error.note_needed', { why: why.join(', ') }),
    errors: [
      { path: 'note', code: 'note_required', message: say('withdrawals.field.needed', { why: why.join(', ') }) },
    ],
  })
}

/** Mails every owner that an involved person gave the second vote, which a small firm allows. */
function tellOwners(tx: Tx, ctx: Ctx, row: WithdrawalRow, userId: string, why: () => string): void {
  const { displayName } = tx.get(users, userId)
  const amount = `${formatAmount(row.amount, row.currency)} ${row.currency}`
  mailOwners(tx, ctx, () => ({
    subject: say('withdrawals.mail.second_vote.subject', { displayName }),
    text: say('withdrawals.mail.second_vote.text', {
      displayName,
      id: row.id,
      amount,
      message: why(),
    }),
  }))
}

/** Voids votes, so that their voters may vote again. */
function voidVotes(tx: Tx, withdrawalId: string, which: (vote: DecisionRow) => boolean = () => true): void {
  for (const vote of tx.list(withdrawalDecisions, { withdrawalId, void: false }))
    if (vote.decision === 'approve' && which(vote)) tx.update(withdrawalDecisions, vote.id, { void: true })
}

/** Approves several withdrawals, each by its own rules and in its own write, with a result for each. */
export async function bulkApprove(
  ctx: Ctx,
  { ids, note }: Static<typeof BulkApproveIn>,
): Promise<Static<typeof BulkResult>> {
  // it is checked before the first one, so that one prompt for the password covers all
  for (const id of ids) {
    const row = ctx.db.find(withdrawals, { id })
    if (row) requireFreshFromThreshold(ctx.unowned, ctx, row)
  }
  return writeEach(ctx, 'withdrawal.approve', ids, (tx, id) => {
    const { status } = approveInside(tx, ctx, id, note, undefined)
    return { status }
  })
}

/** Refuses to end a withdrawal with an expired approval unless the caller says that the money was not sent. */
function requireNothingSent(row: WithdrawalRow, nothingSent: boolean | undefined): void {
  if (row.lapsedAt !== null && nothingSent !== true)
    throw withdrawalErrors.nothing_sent_required({
      errors: [{ path: 'nothingSent', code: 'required', message: say('withdrawals.field.nothing_sent_required') }],
    })
}

/**
 * Notes who says that a payment was not sent, although it may have been: this statement alone gives the money back to
 * the client, who could then be paid twice.
 */
function noteUnsent(tx: Tx, ctx: Ctx, { status, lapsedAt, traderId }: WithdrawalRow): void {
  if (status === 'approved' || lapsedAt !== null) noteClientAct(tx, personBehind(ctx), traderId, 'unsent_withdrawal')
}

/**
 * Rejects a withdrawal that is not paid and releases the hold. `detail` is the text for the client, which receivers get
 * in `payload.detail`. RULES “Withdrawals”.
 */
export function rejectWithdrawal(
  ctx: Ctx,
  id: string,
  { detail, note, nothingSent }: Static<typeof RejectIn>,
  expect: number | undefined,
): Promise<Withdrawal> {
  return ctx.write('withdrawal.reject', (tx) => {
    const before = tx.get(withdrawals, id)
    requireNothingSent(before, nothingSent)
    noteUnsent(tx, ctx, before)
    const row = tx.transition(
      withdrawals,
      id,
      withdrawalStates,
      'rejected',
      { rejectionDetail: detail, rejectionNote: note ?? null },
      { expect },
    )
    const userId = findStaffId(ctx.principal)
    const role = findRole(ctx.principal)
    if (userId !== null && role !== null) {
      // a person who approved before and now rejects has changed their mind, and only one decision counts
      voidVotes(tx, id, (vote) => vote.userId === userId)
      tx.insert(withdrawalDecisions, { withdrawalId: id, userId, role, decision: 'reject', note: note ?? null })
    }
    move(tx, row, 'withdrawal_release', 'client_held', 'client_available', say('withdrawals.ledger.rejected'))
    tx.emit('withdrawal.rejected', { ...withdrawalPayload(row), detail })
    return toWithdrawal(row)
  })
}

/** Cancels a request that is not approved and releases the hold. Only staff cancel one whose approval expired. */
export function cancelWithdrawal(
  ctx: Ctx,
  id: string,
  { nothingSent }: Static<typeof CancelIn>,
  expect: number | undefined,
): Promise<Withdrawal> {
  const isTrader = ctx.principal.kind === 'trader'
  if (isTrader && nothingSent !== undefined)
    throw invalid('nothingSent', 'staff_only', say('withdrawals.field.nothing_sent_staff_only'))
  return ctx.write('withdrawal.cancel', (tx) => {
    const before = tx.get(withdrawals, id)
    if (isTrader && before.status === 'requested' && before.lapsedAt !== null) throw withdrawalErrors.staff_only()
    // giving the client money back that may have been sent is a decision
    if (before.lapsedAt !== null) requireScope(ctx, 'withdrawal-decisions:write')
    if (before.status === 'requested') requireNothingSent(before, nothingSent)
    noteUnsent(tx, ctx, before)
    const row = tx.transition(withdrawals, id, withdrawalStates, 'cancelled', {}, { expect })
    move(tx, row, 'withdrawal_release', 'client_held', 'client_available', say('withdrawals.ledger.cancelled'))
    return seenBy(ctx.principal, toWithdrawal, toOwnWithdrawal)(row)
  })
}

/** Sends an approved withdrawal back for new approvals. */
export function lapse(tx: Tx, id: string): void {
  voidVotes(tx, id)
  const changes = { lapsedAt: tx.now, approvedAt: null }
  tx.transition(withdrawals, id, lapseStates, 'requested', changes, { action: 'withdrawal.lapse' })
}

/** Voids every approval of a withdrawal that is not paid, and sends an approved one back. */
export function voidApprovals(tx: Tx, id: string): void {
  if (tx.get(withdrawals, id).status === 'approved') lapse(tx, id)
  else voidVotes(tx, id)
}
