import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../platform/access/catalogue.ts'
import type { Ctx } from '../../platform/access/ctx.ts'
import { roleOf, seenBy, staffIdOf, traderIdOf } from '../../platform/access/principal.ts'
import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { knownCurrency, positiveAmountOf } from '../../platform/http/fields.ts'
import { invalid, Problem, wrongState } from '../../platform/http/problem.ts'
import { sha256Hex } from '../../platform/secrets.ts'
import { traders } from '../traders/traders.table.ts'
import { type Leg, post } from '../wallets/ledger.service.ts'
import { wallets } from '../wallets/wallets.table.ts'
import { APPROVAL_LIFE, isSatisfied, type Requirement, requirementFor } from './approval-policy.ts'
import { refuseBlocked } from './withdrawals.checks.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import {
  type BulkApproveIn,
  type BulkResult,
  type RejectIn,
  toOwnWithdrawal,
  toWithdrawal,
  type Withdrawal,
  type WithdrawalIn,
  withdrawalPayload,
} from './withdrawals.model.ts'
import { withdrawalStates } from './withdrawals.states.ts'
import {
  type DecisionRow,
  type DestinationRow,
  payoutDestinations,
  type WithdrawalRow,
  withdrawalDecisions,
  withdrawals,
} from './withdrawals.table.ts'

/** Spaces, dashes and case do not make another bank account of it; in an address of a chain or an e-wallet every letter counts. */
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

/** The trader's destination of this reference and holder; another holder is another destination, with approvers of its own. */
function destinationFor(
  tx: Tx,
  ctx: Ctx,
  traderId: string,
  input: Static<typeof WithdrawalIn>['destination'],
): DestinationRow {
  const fingerprint = fingerprintOf(input.kind, input.reference)
  return (
    tx.find(payoutDestinations, {
      traderId,
      fingerprint,
      ...(input.holder === undefined ? {} : { holder: input.holder }),
    }) ??
    tx.insert(
      payoutDestinations,
      { ...input, holder: input.holder ?? null, traderId, fingerprint, createdBy: staffIdOf(ctx.principal) },
      'payout_destination.create',
    )
  )
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

/** Asks for money out: holds the amount in the ledger. 409 when the trader is blocked or the wallet has not that much free. rules.md “Withdrawals”. */
export function requestWithdrawal(ctx: Ctx, input: Static<typeof WithdrawalIn>): Promise<Withdrawal> {
  const traderId = traderIdOf(ctx.principal, input.traderId)
  const currency = knownCurrency('currency', input.currency)
  const amount = positiveAmountOf('amount', input.amount, currency)
  return ctx.write('withdrawal.request', (tx) => {
    const trader = tx.find(traders, { id: traderId })
    if (!trader) throw invalid('traderId', 'unknown', 'is not a trader of this firm')
    refuseBlocked(tx.unowned, trader)
    const wallet = tx.find(wallets, { traderId, currency })
    if (!wallet || wallet.available < amount) throw withdrawalErrors.insufficient_funds()
    const destination = destinationFor(tx, ctx, traderId, input.destination)
    const row = tx.insert(withdrawals, {
      traderId,
      walletId: wallet.id,
      destinationId: destination.id,
      currency,
      amount,
      note: input.note ?? null,
      askedLarge: requirementFor(tx.unowned, amount, currency).approvals > 1,
      requestedBy: staffIdOf(ctx.principal),
    })
    move(tx, row, 'withdrawal_hold', 'client_available', 'client_held', 'Withdrawal requested')
    tx.emit('withdrawal.requested', withdrawalPayload(row))
    return toWithdrawal(row)
  })
}

/** Approvals that still count; those older than 72 hours have lapsed. */
export const liveApprovals = (db: Reader, withdrawalId: string, now: number): DecisionRow[] =>
  db
    .list(withdrawalDecisions, { withdrawalId, void: false })
    .filter((row) => row.decision === 'approve' && now - row.createdAt < APPROVAL_LIFE)

/** What a withdrawal needs, as far as the caller's decision goes. */
export const needOf = (db: Reader, ctx: Ctx, { amount, currency, askedLarge }: WithdrawalRow): Requirement =>
  requirementFor(db, amount, currency, { askedLarge, decider: staffIdOf(ctx.principal) })

// the index is named: without statistics SQLite would walk the whole audit of the firm
const ENTERED_BY = `SELECT 1 AS n FROM audit a INDEXED BY audit_trader JOIN audit_data d ON d.tenant_id = a.tenant_id AND d.seq = a.seq
  WHERE a.tenant_id = ?1 AND a.trader_id = ?2 AND a.actor_id = ?3 AND (a.action IN ('trader.invite', 'mail.read')
    OR (a.action = 'trader.update' AND json_extract(d.before, '$.email') IS NOT json_extract(d.after, '$.email'))) LIMIT 1`

/** Whether somebody could have signed in as this client: they sent or read a link to the account, or changed the address that links go to. */
const couldBeClient = (db: Reader, userId: string, traderId: string): boolean =>
  db.query(ENTERED_BY, [traderId, userId]).length > 0

/** Why a person may not approve a withdrawal now, or null: the one place that knows the four-eyes rules. */
export function whyNotApprove(db: Reader, ctx: Ctx, row: WithdrawalRow, now: number): Problem | null {
  const userId = staffIdOf(ctx.principal)
  const role = roleOf(ctx.principal)
  if (userId === null || role === null || !atLeast(role, 'manager'))
    return new Problem(403, 'forbidden', 'This needs the role manager or higher.')
  if (row.status !== 'requested') return wrongState('withdrawal', row.status)
  if (row.requestedBy === userId) return withdrawalErrors.own_request()
  if (db.get(payoutDestinations, row.destinationId).createdBy === userId) return withdrawalErrors.own_destination()
  if (row.requestedBy === null && couldBeClient(db, userId, row.traderId)) return withdrawalErrors.own_client()
  const approvals = liveApprovals(db, row.id, now)
  if (approvals.some((approval) => approval.userId === userId)) return withdrawalErrors.already_decided()
  const need = needOf(db, ctx, row)
  const last = approvals.length + 1 >= need.approvals
  if (last && !isSatisfied(need, [...approvals, { userId, role, createdAt: now }]))
    return withdrawalErrors.needs_admin()
  return null
}

/** One approval by policy: the withdrawal is approved when it is the last one needed. Never by the requester or who entered the destination; nobody twice. */
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
  const refusal = whyNotApprove(tx, ctx, row, tx.now)
  if (refusal) throw refusal
  refuseBlocked(tx, tx.get(traders, row.traderId, { withDeleted: true }))
  const userId = staffIdOf(ctx.principal)
  const role = roleOf(ctx.principal)
  if (userId === null || role === null) throw withdrawalErrors.own_request()
  voidLapsed(tx, id)
  tx.insert(withdrawalDecisions, { withdrawalId: id, userId, role, decision: 'approve', note: note ?? null })
  const approvals = liveApprovals(tx, id, tx.now)
  if (!isSatisfied(needOf(tx, ctx, row), approvals)) {
    if (expect !== undefined && expect !== row.version) tx.update(withdrawals, id, {}, { expect })
    tx.audit({
      action: 'withdrawal.approve_first',
      entity: 'withdrawal',
      entityId: id,
      traderId: row.traderId,
      after: { approvals: approvals.length },
    })
    return toWithdrawal(row)
  }
  const approved = tx.transition(withdrawals, id, withdrawalStates, 'approved', { approvedAt: tx.now }, { expect })
  tx.emit('withdrawal.approved', withdrawalPayload(approved))
  return toWithdrawal(approved)
}

/** Lapsed approvals make room: the same person may approve again. */
function voidLapsed(tx: Tx, withdrawalId: string): void {
  for (const decision of tx.list(withdrawalDecisions, { withdrawalId, void: false })) {
    if (decision.decision === 'approve' && tx.now - decision.createdAt >= APPROVAL_LIFE)
      tx.update(withdrawalDecisions, decision.id, { void: true })
  }
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

/** Denies a withdrawal that is not paid; the hold is released. `detail` is what the client is told, in `payload.detail`. Interface §6. */
export function rejectWithdrawal(
  ctx: Ctx,
  id: string,
  { detail, note }: Static<typeof RejectIn>,
  expect: number | undefined,
): Promise<Withdrawal> {
  return ctx.write('withdrawal.reject', (tx) => {
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
      for (const own of tx.list(withdrawalDecisions, { withdrawalId: id, userId, void: false }))
        tx.update(withdrawalDecisions, own.id, { void: true })
      tx.insert(withdrawalDecisions, { withdrawalId: id, userId, role, decision: 'reject', note: note ?? null })
    }
    move(tx, row, 'withdrawal_release', 'client_held', 'client_available', 'Withdrawal rejected')
    tx.emit('withdrawal.rejected', { ...withdrawalPayload(row), detail })
    return toWithdrawal(row)
  })
}

/** Takes a request back before it is approved; the hold is released. */
export function cancelWithdrawal(ctx: Ctx, id: string, expect: number | undefined): Promise<Withdrawal> {
  return ctx.write('withdrawal.cancel', (tx) => {
    const row = tx.transition(withdrawals, id, withdrawalStates, 'cancelled', {}, { expect })
    move(tx, row, 'withdrawal_release', 'client_held', 'client_available', 'Withdrawal cancelled')
    return seenBy(ctx.principal, toWithdrawal, toOwnWithdrawal)(row)
  })
}

/** The funds were dispatched: the held amount leaves the books. Blocks are checked once more; a payment reference is used once. */
export function payWithdrawal(
  ctx: Ctx,
  id: string,
  paymentReference: string,
  expect: number | undefined,
): Promise<Withdrawal> {
  return ctx.write('withdrawal.pay', (tx) => {
    const before = tx.get(withdrawals, id)
    if (before.status === 'approved') refuseBlocked(tx, tx.get(traders, before.traderId, { withDeleted: true }))
    if (tx.find(withdrawals, { paymentReference })) {
      throw withdrawalErrors.payment_reference_used({
        errors: [{ path: 'paymentReference', code: 'duplicate', message: 'is taken' }],
      })
    }
    const row = tx.transition(
      withdrawals,
      id,
      withdrawalStates,
      'paid',
      { paidAt: tx.now, paymentReference },
      { expect },
    )
    move(tx, row, 'withdrawal_pay', 'client_held', 'payout_clearing', 'Withdrawal paid')
    tx.emit('withdrawal.paid', withdrawalPayload(row))
    return toWithdrawal(row)
  })
}
