import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { defineErrors, invalid, notFound } from '../../../platform/problem.ts'
import { knownCurrency, parsePositiveAmountField } from '../../../platform/wire/fields.ts'
import { say, sayForAll } from '../../../words/say.ts'
import { refuseCreditTo } from '../../clients/sanctions/sanctions.queries.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { noteClientAct, refuseGivenPassword, whyNotVote } from '../../firm/independence/independence.service.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { requireFreshFromThreshold } from '../approval-policy/approval-policy.ts'
import { post, walletFor } from '../wallets/ledger.service.ts'
import { wallets } from '../wallets/wallets.table.ts'
import type { AdjustmentIn, AdjustmentOut } from './adjustments.model.ts'
import { toAdjustment } from './adjustments.model.ts'
import { adjustmentStates } from './adjustments.states.ts'
import { adjustments } from './adjustments.table.ts'

const adjustmentErrors = defineErrors('adjustments', () => ({
  own_request: [403, say('adjustments.error.own_request')],
}))
type Adjustment = Static<typeof AdjustmentOut>

const getDecider = (ctx: Ctx): string => {
  const userId = findStaffId(ctx.principal)
  if (userId === null) throw notFound()
  return userId
}

/** Requests a manual credit or debit of a wallet; nothing moves until a second person approves. RULES “Adjustments”. */
export function requestAdjustment(ctx: Ctx, input: Static<typeof AdjustmentIn>): Promise<Adjustment> {
  const requestedBy = getDecider(ctx)
  const currency = knownCurrency('currency', input.currency)
  const amount = parsePositiveAmountField('amount', input.amount, currency)
  return ctx.write('adjustment.request', (tx) => {
    refuseGivenPassword(tx, ctx)
    if (!tx.find(traders, { id: input.traderId }))
      throw invalid('traderId', 'unknown', say('problems.field.client_unknown'))
    if (input.direction === 'credit') refuseCreditTo(tx, input.traderId)
    const wallet = walletFor(tx, input.traderId, currency)
    const { traderId, direction, reason } = input
    return toAdjustment(
      tx.insert(adjustments, { traderId, walletId: wallet.id, direction, currency, amount, reason, requestedBy }),
    )
  })
}

/** Approves another person's adjustment and posts it. 409 if a debit is more than the wallet has. */
export function approveAdjustment(
  ctx: Ctx,
  id: string,
  note: string | undefined,
  expect: number | undefined,
): Promise<Adjustment> {
  const decidedBy = getDecider(ctx)
  return ctx.write('adjustment.approve', (tx) => {
    const before = tx.get(adjustments, id)
    requireFreshFromThreshold(tx.unowned, ctx, before)
    const people = readPeople(tx, tx.now)
    if (people.samePerson(before.requestedBy, decidedBy)) throw adjustmentErrors.own_request()
    const refusal = whyNotVote(tx, people, decidedBy, before.traderId, tx.now)
    if (refusal) throw refusal
    if (before.direction === 'credit') refuseCreditTo(tx, before.traderId)
    const row = tx.transition(
      adjustments,
      id,
      adjustmentStates,
      'approved',
      { decidedBy, decidedAt: tx.now, decisionNote: note ?? null },
      { expect },
    )
    const wallet = tx.get(wallets, row.walletId)
    const amount = row.direction === 'credit' ? row.amount : -row.amount
    post(tx, {
      kind: 'adjustment',
      reference: id,
      // the reason is not copied: the ledger cannot be erased, and people write names
      description: sayForAll('adjustments.ledger.posted'),
      legs: [
        { account: 'adjustments', currency: row.currency, amount: -amount },
        { account: 'client_available', wallet, currency: row.currency, amount },
      ],
    })
    if (row.direction === 'credit') noteClientAct(tx, row.requestedBy, row.traderId, 'credit')
    return toAdjustment(row)
  })
}

/** Rejects another person's adjustment, with a reason. */
export function rejectAdjustment(
  ctx: Ctx,
  id: string,
  reason: string,
  expect: number | undefined,
): Promise<Adjustment> {
  const decidedBy = getDecider(ctx)
  return ctx.write('adjustment.reject', (tx) => {
    refuseGivenPassword(tx, ctx)
    if (tx.get(adjustments, id).requestedBy === decidedBy) throw adjustmentErrors.own_request()
    return toAdjustment(
      tx.transition(
        adjustments,
        id,
        adjustmentStates,
        'rejected',
        { decidedBy, decidedAt: tx.now, decisionNote: reason },
        { expect },
      ),
    )
  })
}
