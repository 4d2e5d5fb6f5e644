import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId, getTraderId, seenBy } from '../../../platform/access/principal.ts'
import { toIso } from '../../../platform/clock.ts'
import { mayBecome } from '../../../platform/db/states.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid, wrongState } from '../../../platform/problem.ts'
import { knownCurrency, parsePositiveAmountField } from '../../../platform/wire/fields.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { noteClientAct, personBehind, requireDecider } from '../../firm/independence/independence.service.ts'
import { post, walletFor } from '../wallets/ledger.service.ts'
import { depositErrors } from './deposits.errors.ts'
import {
  type Deposit,
  type DepositIn,
  depositPayload,
  type FailIn,
  type PartialSettleIn,
  toDeposit,
  toOwnDeposit,
} from './deposits.model.ts'
import { depositStates } from './deposits.states.ts'
import { type DepositRow, deposits } from './deposits.table.ts'
import { pspConnections } from './gateways.table.ts'
import { creditedWith, refuseUsedReference, weighApproval } from './settlement.ts'

/** A client may have this many pending announcements: a wire may take a week, and few send more than two a day. */
const MOST_PENDING = 20

/** Throws the 409 if a client has too many pending announcements; announcements by staff do not count. */
function refuseManyPending(tx: Tx, traderId: string): void {
  const pending = tx.unowned.count(deposits, { traderId, status: 'pending', byTrader: true })
  if (pending >= MOST_PENDING) throw depositErrors.too_many_open()
}

/** Announces money on its way: a pending deposit for an active client. Clients announce their own. RULES “Deposits”. */
export function createDeposit(ctx: Ctx, input: Static<typeof DepositIn>): Promise<Deposit> {
  const traderId = getTraderId(ctx.principal, input.traderId)
  const currency = knownCurrency('currency', input.currency)
  const amount = parsePositiveAmountField('amount', input.amount, currency)
  // only the gateway or staff give a payment's reference, since a client could give another client's
  if (ctx.principal.kind === 'trader' && input.providerReference !== undefined)
    throw invalid('providerReference', 'staff_only', say('deposits.field.reference_staff_only'))
  if (input.repeatOf !== undefined) {
    if (ctx.principal.kind === 'trader') throw invalid('repeatOf', 'staff_only', say('problems.field.staff_only'))
    if (input.note === undefined)
      throw independenceErrors.note_required({
        errors: [{ path: 'note', code: 'note_required', message: say('deposits.field.note_required') }],
      })
  }
  return ctx.write('deposit.create', (tx) => {
    const trader = tx.find(traders, { id: traderId })
    if (!trader) throw invalid('traderId', 'unknown', say('problems.field.client_unknown'))
    if (trader.status !== 'active') throw depositErrors.trader_not_active()
    if (input.pspConnectionId !== undefined) {
      const gateway = tx.unowned.find(pspConnections, { id: input.pspConnectionId })
      if (!gateway) throw invalid('pspConnectionId', 'unknown', say('deposits.field.gateway_unknown'))
      if (gateway.status !== 'active') throw depositErrors.gateway_not_active()
    }
    const announced = {
      method: input.method,
      referenceKey: toReferenceKey(input.providerReference ?? null),
      repeatOf: input.repeatOf ?? null,
    }
    if (announced.repeatOf !== null && creditedWith(tx, announced)?.id !== announced.repeatOf)
      throw invalid('repeatOf', 'unknown', say('deposits.field.repeat_unknown'))
    refuseUsedReference(tx, announced)
    if (ctx.principal.kind === 'trader') refuseManyPending(tx, traderId)
    const byTrader = personBehind(ctx) === null && ctx.principal.kind === 'trader'
    const deposit = tx.insert(deposits, {
      ...announced,
      traderId,
      currency,
      amount,
      pspConnectionId: input.pspConnectionId ?? null,
      providerReference: input.providerReference ?? null,
      note: input.note ?? null,
      announcedBy: personBehind(ctx),
      byTrader,
    })
    tx.emit('deposit.created', depositPayload(deposit))
    return seenBy(ctx.principal, toDeposit, toOwnDeposit)(deposit)
  })
}

/** How staff settle a deposit. `accepted` is called if this is the first of two approvals. */
type Settling = { expect: number | undefined; accepted: () => void }

/**
 * Settles a deposit that arrived in full: credits the wallet, or stores the first of two approvals. 409 unless pending.
 * RULES “Deposits”.
 */
export function settleDeposit(ctx: Ctx, id: string, settling: Settling): Promise<Deposit> {
  return ctx.write('deposit.settle', (tx) => settle(tx, ctx, tx.get(deposits, id), 'settled', {}, settling))
}

/** Settles a deposit for less than announced (a short wire); the note goes into `providerPayload`. RULES “Deposits”. */
export function partialSettleDeposit(
  ctx: Ctx,
  id: string,
  { settledAmount, notes }: Static<typeof PartialSettleIn>,
  settling: Settling,
): Promise<Deposit> {
  return ctx.write('deposit.partial_settle', (tx) => {
    const deposit = tx.get(deposits, id)
    const { amount, currency, providerPayload } = deposit
    const settled = parsePositiveAmountField('settledAmount', settledAmount, currency)
    if (settled >= amount) {
      throw depositErrors.not_smaller({
        errors: [
          {
            path: 'settledAmount',
            code: 'not_smaller',
            message: say('deposits.field.amount_not_smaller', { amount: formatAmount(amount, currency) }),
          },
        ],
      })
    }
    const partialSettlement = {
      settledAmount: formatAmount(settled, currency),
      notes: notes ?? '',
      by: findStaffId(ctx.principal) ?? ctx.principal.kind,
      at: toIso(tx.now),
    }
    const changes = { settledAmount: settled, providerPayload: { ...providerPayload, partialSettlement } }
    return settle(tx, ctx, deposit, 'partially_settled', changes, settling)
  })
}

/** Takes one approval of a pending deposit: credits it if that is enough, else stores it as the first of two. */
function settle(
  tx: Tx,
  ctx: Ctx,
  deposit: DepositRow,
  to: 'settled' | 'partially_settled',
  changes: Partial<DepositRow>,
  { expect, accepted }: Settling,
): Deposit {
  const settledAmount = changes.settledAmount ?? deposit.amount
  if (!mayBecome(depositStates, deposit.status, to)) throw wrongState('deposit', deposit.status)
  const by = findStaffId(ctx.principal)
  const effect = weighApproval(tx, ctx, deposit, settledAmount)
  if (effect === 'first') {
    accepted()
    const first = { firstWordBy: by, firstWordAt: tx.now, firstWordAmount: settledAmount }
    return toDeposit(tx.update(deposits, deposit.id, first, { expect, action: 'deposit.first_word' }))
  }
  // a first approval that was not needed is removed; otherwise it would hide that one person settled the deposit alone
  const unneeded = { firstWordBy: null, firstWordAt: null, firstWordAmount: null }
  const said = effect === 'alone' && deposit.firstWordBy !== null ? unneeded : {}
  const settled = { ...changes, ...said, settledAmount, settledAt: tx.now, settledBy: by }
  const row = tx.transition(deposits, deposit.id, depositStates, to, settled, { expect })
  return toDeposit(credit(tx, row, to === 'partially_settled'))
}

/** Cancels a pending announcement, by its author or by staff. Fires no event. RULES “Deposits”. */
export function cancelDeposit(ctx: Ctx, id: string, expect: number | undefined): Promise<Deposit> {
  return ctx.write('deposit.cancel', (tx) => {
    if (ctx.principal.kind === 'trader' && !tx.get(deposits, id).byTrader) throw depositErrors.not_announced()
    const deposit = tx.transition(deposits, id, depositStates, 'cancelled', {}, { expect })
    return seenBy(ctx.principal, toDeposit, toOwnDeposit)(deposit)
  })
}

/** Marks a deposit whose money will not arrive. 409 unless pending. */
export function failDeposit(
  ctx: Ctx,
  id: string,
  { reason }: Static<typeof FailIn>,
  expect: number | undefined,
): Promise<Deposit> {
  return ctx.write('deposit.fail', (tx) => {
    requireDecider(tx, ctx, tx.get(deposits, id).traderId)
    const deposit = tx.transition(deposits, id, depositStates, 'failed', { failureReason: reason }, { expect })
    tx.emit('deposit.failed', { ...depositPayload(deposit), reason })
    return toDeposit(deposit)
  })
}

/** Returns a payment reference for comparison: people and gateways write it with different blanks and case. */
export const toReferenceKey = (reference: string | null): string | null => reference?.trim().toLowerCase() || null

/** Moves the settled amount from the gateway's clearing account into the client's wallet, once per deposit. */
export function credit(tx: Tx, deposit: DepositRow, partial: boolean): DepositRow {
  const { id, traderId, currency, settledAmount } = deposit
  if (settledAmount === null) throw new Error('a settled deposit has no settled amount')
  const wallet = walletFor(tx, traderId, currency)
  post(tx, {
    kind: 'deposit',
    reference: id,
    description: partial ? sayForAll('deposits.ledger.partially_settled') : sayForAll('deposits.ledger.settled'),
    legs: [
      { account: 'gateway_clearing', currency, amount: -settledAmount },
      { account: 'client_available', wallet, currency, amount: settledAmount },
    ],
  })
  for (const userId of new Set([deposit.announcedBy, deposit.settledBy, deposit.firstWordBy]))
    noteClientAct(tx, userId, traderId, 'deposit')
  tx.emit('deposit.settled', { ...depositPayload(deposit), partial })
  return deposit
}
