import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../platform/access/ctx.ts'
import { staffIdOf, traderIdOf } from '../../platform/access/principal.ts'
import { toIso } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { knownCurrency, positiveAmountOf } from '../../platform/http/fields.ts'
import { invalid } from '../../platform/http/problem.ts'
import { formatAmount } from '../../platform/money.ts'
import { pspConnections } from '../psp/psp.table.ts'
import { traders } from '../traders/traders.table.ts'
import { post, walletFor } from '../wallets/ledger.service.ts'
import { depositErrors } from './deposits.errors.ts'
import {
  type Deposit,
  type DepositIn,
  depositPayload,
  type FailIn,
  type PartialSettleIn,
  toDeposit,
} from './deposits.model.ts'
import { depositStates, gatewayStates } from './deposits.states.ts'
import { type DepositRow, deposits, type ProviderPayload } from './deposits.table.ts'

/** Announces money that is on its way: a pending deposit for an active trader. Traders announce their own. rules.md “Deposits”. */
export function createDeposit(ctx: Ctx, input: Static<typeof DepositIn>): Promise<Deposit> {
  const traderId = traderIdOf(ctx.principal, input.traderId)
  const currency = knownCurrency('currency', input.currency)
  const amount = positiveAmountOf('amount', input.amount, currency)
  // what a gateway calls a payment is told by the gateway or by staff: a client could name somebody else's
  if (ctx.principal.kind === 'trader' && input.providerReference !== undefined)
    throw invalid('providerReference', 'staff_only', 'is set by staff or the gateway')
  return ctx.write('deposit.create', (tx) => {
    const trader = tx.find(traders, { id: traderId })
    if (!trader) throw invalid('traderId', 'unknown', 'is not a trader of this firm')
    if (trader.status !== 'active') throw depositErrors.trader_not_active()
    if (input.pspConnectionId !== undefined) {
      const gateway = tx.unowned.find(pspConnections, { id: input.pspConnectionId })
      if (!gateway) throw invalid('pspConnectionId', 'unknown', 'is not a payment gateway of this firm')
      if (gateway.status !== 'active') throw depositErrors.gateway_not_active()
    }
    const deposit = tx.insert(deposits, {
      traderId,
      currency,
      amount,
      method: input.method,
      pspConnectionId: input.pspConnectionId ?? null,
      providerReference: input.providerReference ?? null,
      note: input.note ?? null,
    })
    tx.emit('deposit.created', depositPayload(deposit))
    return toDeposit(deposit)
  })
}

/** The money arrived in full: credits the wallet. 409 unless pending. */
export function settleDeposit(ctx: Ctx, id: string, expect: number | undefined): Promise<Deposit> {
  return ctx.write('deposit.settle', (tx) => {
    const { amount } = tx.get(deposits, id)
    const deposit = tx.transition(
      deposits,
      id,
      depositStates,
      'settled',
      { settledAmount: amount, settledAt: tx.now },
      { expect },
    )
    return toDeposit(credit(tx, deposit, false))
  })
}

/** Settles a deposit for less than announced (short bank wire); the note goes into its `providerPayload`. Interface §2, §4. */
export function partialSettleDeposit(
  ctx: Ctx,
  id: string,
  { settledAmount, notes }: Static<typeof PartialSettleIn>,
  expect: number | undefined,
): Promise<Deposit> {
  return ctx.write('deposit.partial_settle', (tx) => {
    const { amount, currency, providerPayload } = tx.get(deposits, id)
    const settled = positiveAmountOf('settledAmount', settledAmount, currency)
    if (settled >= amount) {
      throw depositErrors.not_smaller({
        errors: [
          {
            path: 'settledAmount',
            code: 'not_smaller',
            message: `must be less than ${formatAmount(amount, currency)}`,
          },
        ],
      })
    }
    const partialSettlement = {
      settledAmount: formatAmount(settled, currency),
      notes: notes ?? '',
      by: staffIdOf(ctx.principal) ?? ctx.principal.kind,
      at: toIso(tx.now),
    }
    const changes = {
      settledAmount: settled,
      settledAt: tx.now,
      providerPayload: { ...providerPayload, partialSettlement },
    }
    const deposit = tx.transition(deposits, id, depositStates, 'partially_settled', changes, { expect })
    return toDeposit(credit(tx, deposit, true))
  })
}

/** The money will not come. 409 unless pending. */
export function failDeposit(
  ctx: Ctx,
  id: string,
  { reason }: Static<typeof FailIn>,
  expect: number | undefined,
): Promise<Deposit> {
  return ctx.write('deposit.fail', (tx) => {
    const deposit = tx.transition(deposits, id, depositStates, 'failed', { failureReason: reason }, { expect })
    tx.emit('deposit.failed', { ...depositPayload(deposit), reason })
    return toDeposit(deposit)
  })
}

/** What a gateway reports about a deposit, already verified. Inside the caller's transaction. */
export type GatewayResult = { status: 'success' | 'failed'; reference: string; reason: string; late: boolean }

/** Takes a gateway's verdict: settles or fails, and keeps what was said. A success after a failure is audited as late. rules.md “Deposits”. */
export function applyGatewayResult(tx: Tx, before: DepositRow, result: GatewayResult): DepositRow {
  const heard = { status: result.status, at: toIso(tx.now), ...(result.reason === '' ? {} : { reason: result.reason }) }
  const providerPayload: ProviderPayload = {
    ...before.providerPayload,
    callbacks: [...(before.providerPayload.callbacks ?? []), heard],
  }
  const common = { providerPayload, providerReference: result.reference }
  if (result.status === 'failed') {
    const reason = result.reason || 'refused by the gateway'
    const deposit = tx.transition(
      deposits,
      before.id,
      gatewayStates,
      'failed',
      { ...common, failureReason: reason },
      { action: 'deposit.gateway_failed' },
    )
    tx.emit('deposit.failed', { ...depositPayload(deposit), reason })
    return deposit
  }
  const deposit = tx.transition(
    deposits,
    before.id,
    gatewayStates,
    'settled',
    { ...common, settledAmount: before.amount, settledAt: tx.now },
    { action: result.late ? 'deposit.gateway_settled_late' : 'deposit.gateway_settled' },
  )
  return credit(tx, deposit, false)
}

/** Moves the settled amount from the gateway's clearing account into the trader's wallet: once per deposit, ever. */
function credit(tx: Tx, deposit: DepositRow, partial: boolean): DepositRow {
  const { id, traderId, currency, settledAmount } = deposit
  if (settledAmount === null) throw new Error('a settled deposit has no settled amount')
  const wallet = walletFor(tx, traderId, currency)
  post(tx, {
    kind: 'deposit',
    reference: id,
    description: partial ? 'Deposit, partially settled' : 'Deposit',
    legs: [
      { account: 'gateway_clearing', currency, amount: -settledAmount },
      { account: 'client_available', wallet, currency, amount: settledAmount },
    ],
  })
  tx.emit('deposit.settled', { ...depositPayload(deposit), partial })
  return deposit
}
