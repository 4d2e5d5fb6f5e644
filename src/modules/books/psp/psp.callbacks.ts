import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { toIso } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { MoneyError, parseMachineAmount } from '../../../platform/money.ts'
import { invalid, type Problem } from '../../../platform/problem.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { whyNotVote } from '../../firm/independence/independence.service.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { hasLeft } from '../../firm/users/users.former.ts'
import { reaches, readMeasure, SUM_OVER } from '../approval-policy/approval-policy.ts'
import { toReferenceKey } from '../deposits/deposits.service.ts'
import { type DepositRow, deposits } from '../deposits/deposits.table.ts'
import { applyGatewayResult } from '../deposits/gateway-results.ts'
import { creditedWith } from '../deposits/settlement.ts'
import { pspErrors } from './psp.errors.ts'
import type { CallbackIn, CallbackOut } from './psp.model.ts'
import { type PspExceptionRow, pspExceptions } from './psp.table.ts'

type Callback = Static<typeof CallbackIn>
type Answer = Static<typeof CallbackOut>
type Source = { id: string; secretBy: string | null }
type Reason = PspExceptionRow['reason']

const PROBLEMS: Record<Reason, () => Problem> = {
  amount: pspErrors.amount_mismatch,
  currency: pspErrors.amount_mismatch,
  after_partial: pspErrors.after_partial,
  contradiction: pspErrors.contradiction,
  unannounced: pspErrors.unknown_deposit,
  reference_used: pspErrors.reference_used,
  secret_left: pspErrors.secret_left,
}

/**
 * Applies a verified callback in the gateway's transaction. Returns the answer, or the problem to send once its
 * exception is stored.
 */
export function applyCallback(tx: Tx, source: Source, callback: Callback): Answer | Problem {
  const deposit = findDeposit(tx, source.id, callback)
  const left = hasLeft(tx, source.secretBy)
  if (callback.status === 'processing') {
    if (left) return pspErrors.secret_left()
    return deposit ? answer('noted', deposit) : pspErrors.unknown_deposit()
  }
  if (left) return keepException(tx, source, callback, deposit ?? null, 'secret_left')
  if (!deposit) return keepException(tx, source, callback, null, 'unannounced')
  const claim = callback.status === 'success' ? findClaimConflict(tx, source, callback, deposit) : null
  if (claim !== null) {
    reopen(tx, source, callback)
    return keepException(tx, source, callback, null, claim)
  }
  if (callback.status === 'success') {
    // the announced amount may be wrong; only the gateway knows what was paid
    const missing = (['amount', 'currency'] as const).find((field) => callback[field] === undefined)
    if (missing !== undefined) {
      keepException(tx, source, callback, deposit, missing)
      return invalid(missing, 'required', say('gateways.field.success_incomplete'))
    }
  }
  const contradiction = findContradiction(tx, deposit, callback)
  if (contradiction !== null) return keepException(tx, source, callback, deposit, contradiction)
  freeReference(tx, deposit, callback)
  if (isRepeat(deposit, callback)) return answer('repeated', takeReference(tx, deposit, callback))
  const closed = deposit.status === 'failed' || deposit.status === 'cancelled'
  if (closed && callback.status === 'failed') return answer('noted', noteCallback(tx, deposit, callback))
  const result = {
    status: callback.status,
    reference: callback.reference,
    reason: callback.reason ?? '',
    late: deposit.status !== 'pending',
    secretBy: source.secretBy,
  }
  return answer('applied', applyGatewayResult(tx, deposit, result))
}

/**
 * Returns why an unannounced payment does not settle a deposit that staff entered afterwards with its reference, which
 * proves only that they know the reference. From the threshold on, another person must first close the exception with
 * that deposit. A payment that was booked as another deposit stays with that one.
 */
function findClaimConflict(
  tx: Tx,
  { id: connectionId }: Source,
  callback: Callback,
  deposit: DepositRow,
): Reason | null {
  const { announcedBy } = deposit
  if (callback.depositId !== undefined || announcedBy === null || isCredited(deposit)) return null
  const heard = tx.list(pspExceptions, { connectionId, reference: callback.reference, reason: 'unannounced' })
  if (heard.some((one) => one.bookedByDepositId !== null && one.bookedByDepositId !== deposit.id))
    return 'reference_used'
  if (heard.length === 0) return null
  const people = readPeople(tx, tx.now)
  const measure = readMeasure(tx, tx.now)
  const isTheirs = (userId: string): boolean => people.samePerson(userId, announcedBy)
  if (!reaches(measure, measure.sum(listClaims(tx, deposit, isTheirs), isTheirs))) return null
  const isAgreed = ({ closedBy, bookedByDepositId }: PspExceptionRow): boolean =>
    closedBy !== null &&
    bookedByDepositId === deposit.id &&
    !people.samePerson(closedBy, announcedBy) &&
    whyNotVote(tx, people, closedBy, deposit.traderId, tx.now) === null
  return heard.every(isAgreed) ? null : 'unannounced'
}

const CLAIMS = statement(
  sql`SELECT ${listed({
    announcedBy: deposits.announcedBy,
    currency: deposits.currency,
    total: sumAsText(deposits.amount),
  })} FROM ${deposits}
  WHERE ${deposits.tenantId} = ?1 AND ${deposits.id} <> ?3 AND ${deposits.announcedBy} IS NOT NULL
    AND (${deposits.status} = 'pending' OR ${deposits.settledAt} > ?2)
    AND (${deposits.pspConnectionId}, ${deposits.providerReference}) IN (
      SELECT ${pspExceptions.connectionId}, ${pspExceptions.reference} FROM ${pspExceptions}
      WHERE ${pspExceptions.tenantId} = ?1 AND ${pspExceptions.reason} = 'unannounced')
  GROUP BY 1, 2`,
)

/**
 * Returns the amounts that one person announced for unannounced payments, pending or credited in 24 hours, this one
 * included.
 */
function listClaims(tx: Tx, { id, amount, currency }: DepositRow, isTheirs: (userId: string) => boolean) {
  const rows = tx.query<{ announcedBy: string; currency: string; total: string }>(CLAIMS, [tx.now - SUM_OVER, id])
  const others = rows.filter(({ announcedBy }) => isTheirs(announcedBy))
  return [...others.map(({ total, currency }) => ({ currency, amount: readSum(total) })), { amount, currency }]
}

/** Opens again an exception that was closed without a booking, since who closed it did not agree to this claim. */
function reopen(tx: Tx, { id: connectionId }: Source, { reference }: Callback): void {
  const closed = { connectionId, reference, reason: 'unannounced', state: 'closed', bookedByDepositId: null } as const
  for (const { id } of tx.list(pspExceptions, closed))
    tx.update(pspExceptions, id, { state: 'open', closedBy: null, closedAt: null, closeReason: null })
}

const answer = (outcome: Answer['outcome'], row: DepositRow): Answer => ({
  outcome,
  depositId: row.id,
  status: row.status,
})

const findDeposit = (tx: Tx, pspConnectionId: string, { depositId, reference }: Callback): DepositRow | undefined =>
  tx.find(
    deposits,
    depositId === undefined ? { pspConnectionId, providerReference: reference } : { pspConnectionId, id: depositId },
  )

/** Returns whether a payment may belong to the deposit; a deposit that staff settled may have no reference. */
const isSamePayment = (deposit: DepositRow, { reference }: Callback): boolean =>
  deposit.referenceKey === null || deposit.referenceKey === toReferenceKey(reference)

function parseMinor(amount: string, currency: string): bigint | null {
  try {
    return parseMachineAmount(amount, currency)
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** Returns how a verified callback contradicts our books, or null. */
function findContradiction(tx: Tx, deposit: DepositRow, callback: Callback): Reason | null {
  const { status } = deposit
  const credited = isCredited(deposit)
  if (callback.status === 'failed')
    return credited ? 'contradiction' : isTaken(tx, deposit, callback) ? 'reference_used' : null
  if (callback.currency?.toUpperCase() !== deposit.currency) return 'currency'
  const amount = parseMinor(callback.amount ?? '', deposit.currency)
  if (credited && !isSamePayment(deposit, callback)) return 'contradiction'
  if (amount !== (credited ? deposit.settledAmount : deposit.amount))
    return status === 'partially_settled' ? 'after_partial' : 'amount'
  const payment = { id: deposit.id, method: deposit.method, referenceKey: toReferenceKey(callback.reference) }
  if (creditedWith(tx, payment) !== undefined || isTaken(tx, deposit, callback)) return 'reference_used'
  // after the client was erased, the money could not be paid back to them
  if (!credited && tx.find(traders, { id: deposit.traderId }, { withDeleted: true })?.erasedAt) return 'contradiction'
  return null
}

/** Finds another deposit of the connection with this payment's reference. */
function otherWith(tx: Tx, { id, pspConnectionId }: DepositRow, { reference }: Callback): DepositRow | undefined {
  const other = tx.find(deposits, { pspConnectionId, providerReference: reference })
  return other?.id === id ? undefined : other
}

const isCredited = ({ status }: DepositRow): boolean => status === 'settled' || status === 'partially_settled'

/** Returns whether another deposit of the connection was credited with this payment. */
function isTaken(tx: Tx, deposit: DepositRow, callback: Callback): boolean {
  const other = otherWith(tx, deposit, callback)
  return other !== undefined && isCredited(other)
}

/** Removes a payment's reference from an uncredited deposit: its author only typed it, but the gateway knows it. */
function freeReference(tx: Tx, deposit: DepositRow, callback: Callback): void {
  const other = otherWith(tx, deposit, callback)
  if (other && !isCredited(other)) tx.update(deposits, other.id, { providerReference: null, referenceKey: null })
}

/** Returns whether the callback repeats the deposit's state and payment; the amount was compared before. */
function isRepeat(deposit: DepositRow, callback: Callback): boolean {
  const said = callback.status === 'failed' ? ['failed'] : ['settled', 'partially_settled']
  return said.includes(deposit.status) && isSamePayment(deposit, callback)
}

/**
 * Stores the reference of the first repeated callback on a deposit that staff settled; from then on another reference
 * is another payment.
 */
function takeReference(tx: Tx, deposit: DepositRow, { reference }: Callback): DepositRow {
  if (deposit.referenceKey !== null) return deposit
  return tx.update(deposits, deposit.id, { providerReference: reference, referenceKey: toReferenceKey(reference) })
}

/** Stores a callback beside the deposit without applying it. */
function noteCallback(tx: Tx, deposit: DepositRow, { status, reference, reason }: Callback): DepositRow {
  const words = deposit.providerPayload.callbacks ?? []
  // otherwise a gateway that repeats a callback for days would let the row grow for ever
  if (words.length >= 50) return deposit
  const heard = { status, at: toIso(tx.now), reference, ...(reason ? { reason } : {}) }
  return tx.update(deposits, deposit.id, {
    providerPayload: { ...deposit.providerPayload, callbacks: [...words, heard] },
  })
}

/** Stores a contradicting callback as an exception for staff; repetitions are only counted. */
function keepException(
  tx: Tx,
  { id }: Source,
  callback: Callback,
  deposit: DepositRow | null,
  reason: Reason,
): Problem {
  const { reference, amount = null, currency = null } = callback
  const status = callback.status === 'failed' ? 'failed' : 'success'
  const word = {
    connectionId: id,
    depositId: deposit?.id ?? null,
    reference,
    status,
    amount,
    currency,
    reason,
  } as const
  const known = tx.find(pspExceptions, word)
  if (known) tx.update(pspExceptions, known.id, { repeats: known.repeats + 1 })
  else {
    tx.insert(pspExceptions, { ...word, traderId: deposit?.traderId ?? null })
    if (deposit)
      noteCallback(tx, deposit, { ...callback, reason: sayForAll('gateways.ledger.not_followed', { reason }) })
  }
  return PROBLEMS[reason]()
}
