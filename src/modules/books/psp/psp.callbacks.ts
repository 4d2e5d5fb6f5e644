import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { withoutCardNumbers } from '../../../platform/card-numbers.ts'
import { toIso } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumOf } from '../../../platform/db/sums.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { MoneyError, parseAmount } from '../../../platform/money.ts'
import { invalid, type Problem } from '../../../platform/problem.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { whyNotVote } from '../../firm/independence/independence.service.ts'
import { peopleOf } from '../../firm/independence/people.ts'
import { hasLeft } from '../../firm/users/users.former.ts'
import { measureOf, reaches, SUM_OVER } from '../approval-policy/approval-policy.ts'
import { referenceKeyOf } from '../deposits/deposits.service.ts'
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
 * What a believed word does: an answer, or the problem to tell
 * once the exception is kept. Inside the gateway's transaction.
 */
export function hear(tx: Tx, source: Source, said: Callback): Answer | Problem {
  // the reference is the payment's name, which later words repeat; the reason is a text
  const callback = said.reason === undefined ? said : { ...said, reason: withoutCardNumbers(said.reason) }
  const deposit = findDeposit(tx, source.id, callback)
  const left = hasLeft(tx, source.secretBy)
  if (callback.status === 'processing') {
    if (left) return pspErrors.secret_left()
    return deposit ? answer('noted', deposit) : pspErrors.unknown_deposit()
  }
  if (left) return keep(tx, source, callback, deposit ?? null, 'secret_left')
  if (!deposit) return keep(tx, source, callback, null, 'unannounced')
  const claim = callback.status === 'success' ? claimOf(tx, source, callback, deposit) : null
  if (claim !== null) {
    reopen(tx, source, callback)
    return keep(tx, source, callback, null, claim)
  }
  if (callback.status === 'success') {
    // What was announced may be anything: only the gateway knows what was paid.
    if (callback.amount === undefined) throw invalid('amount', 'required', say('gateways.field.success_incomplete'))
    if (callback.currency === undefined) throw invalid('currency', 'required', say('gateways.field.success_incomplete'))
  }
  const contradiction = contradictionOf(tx, deposit, callback)
  if (contradiction !== null) return keep(tx, source, callback, deposit, contradiction)
  freeReference(tx, deposit, callback)
  if (isRepeat(deposit, callback)) return answer('repeated', takeReference(tx, deposit, callback))
  const closed = deposit.status === 'failed' || deposit.status === 'cancelled'
  if (closed && callback.status === 'failed') return answer('noted', noteWord(tx, deposit, callback))
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
 * What keeps a payment that nobody had announced from a deposit that staff entered with its reference afterwards: that
 * says no more than that they know it. Somebody else closes the exception first, naming that deposit; and a payment
 * that was booked by hand as another deposit is that one's for ever.
 */
function claimOf(tx: Tx, { id: connectionId }: Source, callback: Callback, deposit: DepositRow): Reason | null {
  const { announcedBy } = deposit
  if (callback.depositId !== undefined || announcedBy === null || isCredited(deposit)) return null
  const heard = tx.list(pspExceptions, { connectionId, reference: callback.reference, reason: 'unannounced' })
  if (heard.some((one) => one.bookedByDepositId !== null && one.bookedByDepositId !== deposit.id))
    return 'reference_used'
  if (heard.length === 0) return null
  const people = peopleOf(tx, tx.now)
  const measure = measureOf(tx, tx.now)
  const isTheirs = (userId: string): boolean => people.samePerson(userId, announcedBy)
  if (!reaches(measure, measure.sum(claimsOf(tx, deposit, isTheirs), isTheirs))) return null
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
    total: sumOf(deposits.amount),
  })} FROM ${deposits}
  WHERE ${deposits.tenantId} = ?1 AND ${deposits.id} <> ?3 AND ${deposits.announcedBy} IS NOT NULL
    AND (${deposits.status} = 'pending' OR ${deposits.settledAt} > ?2)
    AND (${deposits.pspConnectionId}, ${deposits.providerReference}) IN (
      SELECT ${pspExceptions.connectionId}, ${pspExceptions.reference} FROM ${pspExceptions}
      WHERE ${pspExceptions.tenantId} = ?1 AND ${pspExceptions.reason} = 'unannounced')
  GROUP BY 1, 2`,
)

/** What one person announced that the gateway tells of, and that waits or was credited in 24 hours, with this. */
function claimsOf(tx: Tx, { id, amount, currency }: DepositRow, isTheirs: (userId: string) => boolean) {
  const rows = tx.query<{ announcedBy: string; currency: string; total: string }>(CLAIMS, [tx.now - SUM_OVER, id])
  const others = rows.filter(({ announcedBy }) => isTheirs(announcedBy))
  return [...others.map(({ total, currency }) => ({ currency, amount: readSum(total) })), { amount, currency }]
}

/** Makes work again of what was closed without a booking: whoever closed it could not agree to this claim. */
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

/** Whether a payment is the one that the deposit stands for; settled by hand it may have no reference yet. */
const isSamePayment = (deposit: DepositRow, { reference }: Callback): boolean =>
  deposit.referenceKey === null || deposit.referenceKey === referenceKeyOf(reference)

function minorOf(amount: string, currency: string): bigint | null {
  try {
    return parseAmount(amount, currency)
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** In what a believed word contradicts our books, or null. */
function contradictionOf(tx: Tx, deposit: DepositRow, callback: Callback): Reason | null {
  const { status } = deposit
  const credited = isCredited(deposit)
  if (callback.status === 'failed')
    return credited ? 'contradiction' : isTaken(tx, deposit, callback) ? 'reference_used' : null
  if (callback.currency !== deposit.currency) return 'currency'
  const amount = minorOf(callback.amount ?? '', deposit.currency)
  if (credited && !isSamePayment(deposit, callback)) return 'contradiction'
  if (amount !== (credited ? deposit.settledAmount : deposit.amount))
    return status === 'partially_settled' ? 'after_partial' : 'amount'
  const payment = { id: deposit.id, method: deposit.method, referenceKey: referenceKeyOf(callback.reference) }
  if (creditedWith(tx, payment) !== undefined || isTaken(tx, deposit, callback)) return 'reference_used'
  // nobody could bring the money back to them
  if (!credited && tx.find(traders, { id: deposit.traderId }, { withDeleted: true })?.erasedAt) return 'contradiction'
  return null
}

/** Another deposit of the connection with this payment's reference. */
function otherWith(tx: Tx, { id, pspConnectionId }: DepositRow, { reference }: Callback): DepositRow | undefined {
  const other = tx.find(deposits, { pspConnectionId, providerReference: reference })
  return other?.id === id ? undefined : other
}

const isCredited = ({ status }: DepositRow): boolean => status === 'settled' || status === 'partially_settled'

/** Whether another deposit of the connection stands for this payment: one that was credited with it. */
function isTaken(tx: Tx, deposit: DepositRow, callback: Callback): boolean {
  const other = otherWith(tx, deposit, callback)
  return other !== undefined && isCredited(other)
}

/** Takes a payment's reference from a deposit that nothing came of: who announced it typed it, the gateway knows. */
function freeReference(tx: Tx, deposit: DepositRow, callback: Callback): void {
  const other = otherWith(tx, deposit, callback)
  if (other && !isCredited(other)) tx.update(deposits, other.id, { providerReference: null, referenceKey: null })
}

/** The same state, the same amount (compared already) and the same payment. */
function isRepeat(deposit: DepositRow, callback: Callback): boolean {
  const said = callback.status === 'failed' ? ['failed'] : ['settled', 'partially_settled']
  return said.includes(deposit.status) && isSamePayment(deposit, callback)
}

/**
 * A deposit settled by hand learns its payment from the first
 * true repeat: another reference is another payment from then on.
 */
function takeReference(tx: Tx, deposit: DepositRow, { reference }: Callback): DepositRow {
  if (deposit.referenceKey !== null) return deposit
  return tx.update(deposits, deposit.id, { providerReference: reference, referenceKey: referenceKeyOf(reference) })
}

/** Keeps a word beside the deposit without doing anything. */
function noteWord(tx: Tx, deposit: DepositRow, { status, reference, reason }: Callback): DepositRow {
  const words = deposit.providerPayload.callbacks ?? []
  // A gateway that repeats itself for days must not grow the row for ever.
  if (words.length >= 50) return deposit
  const heard = { status, at: toIso(tx.now), reference, ...(reason ? { reason } : {}) }
  return tx.update(deposits, deposit.id, {
    providerPayload: { ...deposit.providerPayload, callbacks: [...words, heard] },
  })
}

/** Keeps a contradicting word as work for staff: once, however often the gateway repeats it. */
function keep(tx: Tx, { id }: Source, callback: Callback, deposit: DepositRow | null, reason: Reason): Problem {
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
    if (deposit) noteWord(tx, deposit, { ...callback, reason: sayForAll('gateways.ledger.not_followed', { reason }) })
  }
  return PROBLEMS[reason]()
}
