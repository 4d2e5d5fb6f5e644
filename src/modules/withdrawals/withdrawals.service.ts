import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf, seenBy, staffIdOf, traderIdOf } from '../../platform/access/principal.ts'
import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { formatAmount } from '../../platform/money.ts'
import { invalid, Problem } from '../../platform/problem.ts'
import { sha256Hex } from '../../platform/secrets.ts'
import { knownCurrency, positiveAmountOf } from '../../platform/wire/fields.ts'
import { say } from '../../words/say.ts'
import { measureOf, reaches, requirementFor } from '../approval-policy/approval-policy.ts'
import { independenceErrors } from '../independence/independence.errors.ts'
import {
  couldBeClient,
  noteClientAct,
  personBehind,
  refuseGivenPassword,
} from '../independence/independence.service.ts'
import { peopleOf } from '../independence/people.ts'
import { traders } from '../traders/traders.table.ts'
import { mailOwners } from '../users/users.notices.ts'
import { users } from '../users/users.table.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { wallets } from '../wallets/wallets.table.ts'
import { conflictOf, isSatisfied, noteOn, sumForClient, type Table, tableOf, whyNotApprove } from './votes.ts'
import { discreetly, refuseBlocked, runChecks } from './withdrawals.checks.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import {
  type BulkApproveIn,
  type BulkResult,
  type CancelIn,
  type RejectIn,
  toOwnWithdrawal,
  toWithdrawal,
  type Withdrawal,
  type WithdrawalIn,
  withdrawalPayload,
} from './withdrawals.model.ts'
import { lapseStates, PAY_WITHIN, withdrawalStates } from './withdrawals.states.ts'
import {
  type DecisionRow,
  type DestinationRow,
  payoutDestinations,
  type WithdrawalRow,
  withdrawalDecisions,
  withdrawals,
} from './withdrawals.table.ts'

/**
 * Spaces, dashes and case do not make another bank account of it;
 * in an address of a chain or an e-wallet every letter counts.
 */
const fingerprintOf = (kind: string, reference: string): string => {
  const plain =
    kind === 'bank' || kind === 'card'
      ? reference
          .normalize('NFKC')
          .replace(/[^\p{L}\p{N}]/gu, '')
          .toUpperCase() || reference
      : reference.replace(/\s/g, '')
  return sha256Hex(`${kind}\n${plain}`)
}

/**
 * The trader's destination of this reference and holder; another
 * holder is another destination, with approvers of its own.
 */
function destinationFor(
  tx: Tx,
  ctx: Ctx,
  traderId: string,
  input: Static<typeof WithdrawalIn>['destination'],
): DestinationRow {
  const fingerprint = fingerprintOf(input.kind, input.reference)
  const known = tx.find(payoutDestinations, {
    traderId,
    fingerprint,
    ...(input.holder === undefined ? {} : { holder: input.holder }),
  })
  if (known) return known
  const createdBy = personBehind(ctx)
  if (createdBy !== null) {
    const people = peopleOf(tx.unowned, tx.now)
    if (couldBeClient(tx.unowned, people, createdBy, traderId, tx.now)) throw independenceErrors.own_client()
  }
  const destination = { ...input, holder: input.holder ?? null, traderId, fingerprint, createdBy }
  return tx.insert(payoutDestinations, destination, 'payout_destination.create')
}

/** The two ledger legs that move a withdrawal's amount. */
function move(
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

/**
 * Asks for money out: holds the amount in the ledger. 409 when the trader
 * is blocked or the wallet has not that much free. RULES “Withdrawals”.
 */
export function requestWithdrawal(ctx: Ctx, input: Static<typeof WithdrawalIn>): Promise<Withdrawal> {
  const traderId = traderIdOf(ctx.principal, input.traderId)
  const currency = knownCurrency('currency', input.currency)
  const amount = positiveAmountOf('amount', input.amount, currency)
  return ctx.write('withdrawal.request', (tx) => {
    const trader = tx.find(traders, { id: traderId })
    if (!trader) throw invalid('traderId', 'unknown', say('problems.field.not_trader_this_firm'))
    discreetly(ctx.principal, () => refuseBlocked(tx.unowned, trader))
    const wallet = tx.find(wallets, { traderId, currency })
    if (!wallet || wallet.available < amount) throw withdrawalErrors.insufficient_funds()
    const destination = destinationFor(tx, ctx, traderId, input.destination)
    const requestedBy = personBehind(ctx)
    const row = tx.insert(withdrawals, {
      traderId,
      walletId: wallet.id,
      destinationId: destination.id,
      currency,
      amount,
      note: input.note ?? null,
      askedLarge: isLarge(tx, requestedBy, traderId, amount, currency),
      requestedBy,
    })
    move(tx, row, 'withdrawal_hold', 'client_available', 'client_held', say('withdrawals.ledger.requested'))
    tx.emit('withdrawal.requested', withdrawalPayload(row))
    return toWithdrawal(row)
  })
}

/**
 * Whether two people are needed as of now: by the amount, or
 * with what this person asked for for this client in 24 hours.
 */
function isLarge(tx: Tx, requestedBy: string | null, traderId: string, amount: bigint, currency: string): boolean {
  const db = tx.unowned
  const measure = measureOf(db, tx.now)
  if (requirementFor(measure, amount, currency).approvals > 1) return true
  if (requestedBy === null) return false
  const around = { db, people: peopleOf(db, tx.now), now: tx.now }
  return reaches(measure, measure.sum(sumForClient(around, requestedBy, traderId, { id: null, amount, currency })))
}

/** One vote by policy: the withdrawal is approved when it is the last one needed. RULES “Approvals”. */
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
  const voter = { userId: staffIdOf(ctx.principal), role: roleOf(ctx.principal) }
  const before = tableOf(tx, row, tx.now)
  const refusal = whyNotApprove(before, voter)
  if (refusal) throw refusal
  refuseBlocked(tx, tx.get(traders, row.traderId, { withDeleted: true }))
  const { userId, role } = voter
  if (userId === null || role === null) throw withdrawalErrors.own_request()
  const conflict = conflictOf(before, userId)
  requireNote(before, conflict !== null, note)
  // Votes that lapsed, or whose people have changed since, make room: the same person may vote again.
  const counting = new Set(before.votes.map((vote) => vote.id))
  voidVotes(tx, id, (vote) => !counting.has(vote.id))
  tx.insert(withdrawalDecisions, { withdrawalId: id, userId, role, decision: 'approve', note: note ?? null })
  if (conflict !== null) tellOwners(tx, ctx, row, userId, conflict)
  const table = tableOf(tx, row, tx.now)
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

/**
 * Approving over a check that asks to look closer needs a note, and
 * so does a large amount whose list or bank account nobody checked.
 */
function requireNote(table: Table, conflict: boolean, note: string | undefined): void {
  if (note !== undefined) return
  const why = noteOn(table, runChecks(table.db, table.row, table.now), conflict)
  if (why.length === 0) return
  throw independenceErrors.note_required({
    detail: say('withdrawals.error.this_approval_needs_note', { why: why.join(', ') }),
    errors: [
      { path: 'note', code: 'note_required', message: say('withdrawals.field.needed', { why: why.join(', ') }) },
    ],
  })
}

/** In a small firm a party to the withdrawal may give the second vote; every owner hears of it. */
function tellOwners(tx: Tx, ctx: Ctx, row: WithdrawalRow, userId: string, conflict: Problem): void {
  const { displayName } = tx.get(users, userId)
  const amount = `${formatAmount(row.amount, row.currency)} ${row.currency}`
  mailOwners(tx, ctx, {
    subject: say('withdrawals.mail.gave_second_vote_on', { displayName }),
    text: say('withdrawals.mail.approved_withdrawal_beside', {
      displayName,
      id: row.id,
      amount,
      message: conflict.message,
    }),
  })
}

/** Votes that do not count any more are void, so that the same person may vote again. */
function voidVotes(tx: Tx, withdrawalId: string, which: (vote: DecisionRow) => boolean = () => true): void {
  for (const vote of tx.list(withdrawalDecisions, { withdrawalId, void: false }))
    if (vote.decision === 'approve' && which(vote)) tx.update(withdrawalDecisions, vote.id, { void: true })
}

/** Approves several, each by its own rules and in its own write; a result for each. */
export async function bulkApprove(
  ctx: Ctx,
  { ids, note }: Static<typeof BulkApproveIn>,
): Promise<Static<typeof BulkResult>> {
  const results = await Promise.all(
    ids.map(async (id) => {
      try {
        const approve = (tx: Tx) => approveInside(tx, ctx, id, note, undefined)
        const { status } = await ctx.write('withdrawal.approve', approve, { answer: false })
        return { id, ok: true, status }
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return { id, ok: false, code: error.code, message: error.message }
      }
    }),
  )
  // the answer as a whole is what a repeated Idempotency-Key gets
  return ctx.write('withdrawal.approve', () => ({ results }))
}

/** Nobody knows whether the money of a lapsed approval left: who takes it back says that it did not. */
function refuseUnlessKept(row: WithdrawalRow, nothingSent: boolean | undefined): void {
  if (row.lapsedAt !== null && nothingSent !== true)
    throw withdrawalErrors.nothing_sent_required({
      errors: [{ path: 'nothingSent', code: 'required', message: say('withdrawals.field.must_true_confirm_that') }],
    })
}

/**
 * Notes who says that a payment which may have left already did not: by their word alone the client has that money
 * again, and could be paid it twice.
 */
function noteUnsent(tx: Tx, ctx: Ctx, { status, lapsedAt, traderId }: WithdrawalRow): void {
  if (status === 'approved' || lapsedAt !== null) noteClientAct(tx, personBehind(ctx), traderId, 'unsent_withdrawal')
}

/**
 * Denies a withdrawal that is not paid; the hold is released. `detail`
 * is what the client is told, in `payload.detail`. RULES “Withdrawals”.
 */
export function rejectWithdrawal(
  ctx: Ctx,
  id: string,
  { detail, note, nothingSent }: Static<typeof RejectIn>,
  expect: number | undefined,
): Promise<Withdrawal> {
  return ctx.write('withdrawal.reject', (tx) => {
    const before = tx.get(withdrawals, id)
    refuseUnlessKept(before, nothingSent)
    noteUnsent(tx, ctx, before)
    const row = tx.transition(
      withdrawals,
      id,
      withdrawalStates,
      'rejected',
      { rejectionDetail: detail, rejectionNote: note ?? null },
      { expect },
    )
    const userId = staffIdOf(ctx.principal)
    const role = roleOf(ctx.principal)
    if (userId !== null && role !== null) {
      // who approved before and rejects now has changed their mind: one decision counts
      voidVotes(tx, id, (vote) => vote.userId === userId)
      tx.insert(withdrawalDecisions, { withdrawalId: id, userId, role, decision: 'reject', note: note ?? null })
    }
    move(tx, row, 'withdrawal_release', 'client_held', 'client_available', say('withdrawals.ledger.rejected'))
    tx.emit('withdrawal.rejected', { ...withdrawalPayload(row), detail })
    return toWithdrawal(row)
  })
}

/**
 * Takes a request back before it is approved; the hold is
 * released. One whose approval lapsed is taken back by staff only.
 */
export function cancelWithdrawal(
  ctx: Ctx,
  id: string,
  { nothingSent }: Static<typeof CancelIn>,
  expect: number | undefined,
): Promise<Withdrawal> {
  const isTrader = ctx.principal.kind === 'trader'
  if (isTrader && nothingSent !== undefined)
    throw invalid('nothingSent', 'staff_only', say('withdrawals.field.for_staff_to_say'))
  return ctx.write('withdrawal.cancel', (tx) => {
    const before = tx.get(withdrawals, id)
    if (isTrader && before.status === 'requested' && before.lapsedAt !== null) throw withdrawalErrors.staff_only()
    if (before.status === 'requested') refuseUnlessKept(before, nothingSent)
    noteUnsent(tx, ctx, before)
    const row = tx.transition(withdrawals, id, withdrawalStates, 'cancelled', {}, { expect })
    move(tx, row, 'withdrawal_release', 'client_held', 'client_available', say('withdrawals.ledger.cancelled'))
    return seenBy(ctx.principal, toWithdrawal, toOwnWithdrawal)(row)
  })
}

/**
 * Why an approved withdrawal goes back instead of being paid: too
 * late, or a vote that no longer counts. Null when it may be paid.
 */
function whyNotPay(db: Reader, row: WithdrawalRow, now: number): Problem | null {
  if (row.status === 'requested' && row.lapsedAt !== null) return withdrawalErrors.approval_lapsed()
  if (row.status !== 'approved') return null
  if (now - (row.approvedAt ?? 0) >= PAY_WITHIN) return withdrawalErrors.approval_lapsed()
  return isSatisfied(tableOf(db, row, now)) ? null : withdrawalErrors.approval_void()
}

/** Sends an approved withdrawal back to be approved anew. */
export function lapse(tx: Tx, id: string): void {
  voidVotes(tx, id)
  const changes = { lapsedAt: tx.now, approvedAt: null }
  tx.transition(withdrawals, id, lapseStates, 'requested', changes, { action: 'withdrawal.lapse' })
}

/** Takes back every approval of a withdrawal that is not paid; one that was approved goes back to be approved anew. */
export function voidApprovals(tx: Tx, id: string): void {
  if (tx.get(withdrawals, id).status === 'approved') lapse(tx, id)
  else voidVotes(tx, id)
}

/**
 * The funds were dispatched: the held amount leaves the books. Blocks and votes are read once more; a payment
 * reference is used once. An approval that is too old or has lost a vote goes back to be approved, and says so.
 */
export async function payWithdrawal(
  ctx: Ctx,
  id: string,
  paymentReference: string,
  expect: number | undefined,
): Promise<Withdrawal> {
  const stale = whyNotPay(ctx.db, ctx.db.get(withdrawals, id), ctx.now())
  if (stale) {
    // It stays sent back although the answer is a refusal, so this is a write of its own.
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
    refuseGivenPassword(tx, ctx)
    if (before.status === 'approved') refuseBlocked(tx, tx.get(traders, before.traderId, { withDeleted: true }))
    if (tx.find(withdrawals, { paymentReference })) {
      throw withdrawalErrors.payment_reference_used({
        errors: [{ path: 'paymentReference', code: 'duplicate', message: say('problems.field.taken') }],
      })
    }
    const stale = whyNotPay(tx, before, tx.now)
    if (stale) throw stale
    const row = tx.transition(
      withdrawals,
      id,
      withdrawalStates,
      'paid',
      { paidAt: tx.now, paymentReference },
      { expect },
    )
    move(tx, row, 'withdrawal_pay', 'client_held', 'payout_clearing', say('withdrawals.ledger.paid'))
    tx.emit('withdrawal.paid', withdrawalPayload(row))
    return toWithdrawal(row)
  })
}
