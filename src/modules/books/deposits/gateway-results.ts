import { toIso } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import { noteClientAct } from '../../firm/independence/independence.service.ts'
import { depositPayload } from './deposits.model.ts'
import { credit, toReferenceKey } from './deposits.service.ts'
import { gatewayStates } from './deposits.states.ts'
import { type DepositRow, deposits, type ProviderPayload } from './deposits.table.ts'

/** A gateway's verified report about a deposit. `secretBy` is the person who entered the secret that signed it. */
type GatewayResult = {
  status: 'success' | 'failed'
  reference: string
  reason: string
  late: boolean
  secretBy: string | null
}

/**
 * Applies a gateway's result in the caller's transaction: settles or fails the deposit and stores the report. A success
 * after a failure or a cancellation is audited as late. RULES “Deposits”.
 */
export function applyGatewayResult(tx: Tx, before: DepositRow, result: GatewayResult): DepositRow {
  const heard = { status: result.status, at: toIso(tx.now), ...(result.reason === '' ? {} : { reason: result.reason }) }
  const providerPayload: ProviderPayload = {
    ...before.providerPayload,
    callbacks: [...(before.providerPayload.callbacks ?? []), heard],
  }
  const { reference } = result
  const common = { providerPayload, providerReference: reference, referenceKey: toReferenceKey(reference) }
  if (result.status === 'failed') {
    const reason = result.reason || say('deposits.failure.refused')
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
  noteClientAct(tx, result.secretBy, deposit.traderId, 'gateway_secret')
  return credit(tx, deposit, false)
}
