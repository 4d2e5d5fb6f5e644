import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Ctx } from '../../platform/access/ctx.ts'
import { affiliateIdOf, staffIdOf } from '../../platform/access/principal.ts'
import { HOUR } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { bare, statement } from '../../platform/db/statement.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type PageOf, type Query, readPage } from '../../platform/http/page.ts'
import { formatAmount, roundAmount } from '../../platform/money.ts'
import { defineErrors, invalid, notFound, type Problem } from '../../platform/problem.ts'
import { knownCurrency, positiveAmountOf } from '../../platform/wire/fields.ts'
import { say } from '../../words/say.ts'
import { EMPTY_PAGE, hasNoOwn, isMasked } from '../affiliates/affiliates.reader.ts'
import {
  type AffiliateRow,
  affiliates,
  traderAffiliations as moves,
  affiliateTerms as terms,
} from '../affiliates/affiliates.table.ts'
import { affiliateBalances, type BalanceRow } from '../affiliates/balances.table.ts'
import { commissionPlanVersions as versions } from '../affiliates/plans.table.ts'
import { requireFreshFromThreshold } from '../approval-policy/approval-policy.ts'
import { readFirmSettings } from '../firm-settings/firm-settings.ts'
import { findQuote } from '../fx/fx.lookup.ts'
import { applyQuote } from '../fx/fx.quotes.ts'
import { fxPastRates as pastRates, fxRates as rates } from '../fx/fx.table.ts'
import { noteClientAct, refuseGivenPassword, whyNotVote } from '../independence/independence.service.ts'
import { clientActs as acts } from '../independence/independence.table.ts'
import { peopleOf } from '../independence/people.ts'
import { refuseCreditTo } from '../sanctions/sanctions.queries.ts'
import { mergedErrors } from '../traders/merged.errors.ts'
import { mergedLately } from '../traders/merged.queries.ts'
import { traderMerges as merges } from '../traders/merged.table.ts'
import { traders } from '../traders/traders.table.ts'
import { users } from '../users/users.table.ts'
import { post, walletFor } from '../wallets/ledger.service.ts'
import { type Payout, type PayoutIn, payoutList, toPayout } from './payouts.model.ts'
import { payoutStates } from './payouts.states.ts'
import { affiliatePayouts } from './payouts.table.ts'

/** Who set what an affiliate earns by does not pay it for so long. RULES “Payouts”. */
const TERMS_COUNT = 72 * HOUR

const earlier = alias(rates, 'earlier')

const payoutErrors = defineErrors('payouts', {
  not_active: [409, say('affiliates.error.not_active')],
  not_earned: [409, say('affiliates.error.not_earned')],
  below_minimum: [422, say('affiliates.error.below_minimum')],
  open_request: [409, say('affiliates.error.open_request')],
  own_request: [403, say('affiliates.error.own_request')],
  own_affiliate: [403, say('affiliates.error.own_affiliate')],
  own_plan: [403, say('affiliates.error.own_plan')],
  owes: [409, say('affiliates.error.owes')],
  no_client: [409, say('affiliates.error.no_client')],
})

/**
 * Who set, since a moment (?3), what an affiliate (?2) earns by. That is a plan or a parent of anybody who stands, or
 * ever stood, above or below them (an override is what those below do not get), the terms of a plan that any of these
 * has or had, and which clients and trades are theirs: clients who were entered for them, moved to them or merged into
 * theirs, and trading accounts that were linked to such clients; or what a currency was worth: its first rate, one that
 * was removed, or one for days that are over. What was set back meanwhile counts as well.
 */
const SETTERS = statement(sql`
  WITH RECURSIVE below (id) AS (
    SELECT ?2 UNION SELECT ${bare(terms.affiliateId)} FROM below CROSS JOIN ${terms}
      ON ${terms.tenantId} = ?1 AND ${terms.parentId} = below.id),
  above (id) AS (
    SELECT ?2 UNION SELECT ${bare(terms.parentId)} FROM above CROSS JOIN ${terms}
      ON ${terms.tenantId} = ?1 AND ${terms.affiliateId} = above.id AND ${terms.parentId} IS NOT NULL),
  line (id) AS (SELECT id FROM below UNION SELECT id FROM above)
  SELECT ${bare(terms.setBy)} AS setBy FROM ${terms}
    WHERE ${terms.tenantId} = ?1 AND ${terms.affiliateId} IN (SELECT id FROM line) AND ${terms.validFrom} > ?3
      AND ${terms.setBy} IS NOT NULL
  UNION SELECT ${bare(versions.createdBy)} FROM ${versions}
    WHERE ${versions.tenantId} = ?1 AND max(${versions.createdAt}, ${versions.validFrom}) > ?3
      AND ${versions.createdBy} IS NOT NULL
      AND ${versions.planId} IN (SELECT ${terms.planId} FROM ${terms}
        WHERE ${terms.tenantId} = ?1 AND ${terms.affiliateId} IN (SELECT id FROM line))
  UNION SELECT ${bare(moves.setBy)} FROM ${moves}
    WHERE ${moves.tenantId} = ?1 AND ${moves.affiliateId} IN (SELECT id FROM line) AND ${moves.validFrom} > ?3
      AND ${moves.setBy} IS NOT NULL
  UNION SELECT person.value FROM ${pastRates}, json_each(json_array(${pastRates.createdBy}, ${pastRates.removedBy})) AS person
    WHERE ${pastRates.tenantId} = ?1 AND max(${pastRates.createdAt}, coalesce(${pastRates.removedAt}, 0)) > ?3
      AND person.value IS NOT NULL
  UNION SELECT person.value FROM ${rates}, json_each(json_array(${rates.createdBy}, ${rates.endedBy})) AS person
    WHERE ${rates.tenantId} = ?1 AND ${rates.endedBy} IS NOT NULL AND ${rates.endedAt} > ?3 AND person.value IS NOT NULL
  UNION SELECT ${bare(rates.createdBy)} FROM ${rates} INDEXED BY fx_rates_current
    WHERE ${rates.tenantId} = ?1 AND ${rates.current} = 1 AND ${rates.createdBy} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${rates} ${earlier} WHERE ${earlier.tenantId} = ?1 AND ${earlier.base} = ${rates.base}
        AND ${earlier.quote} = ${rates.quote} AND ${earlier.unconfirmed} = 0 AND ${earlier.createdAt} <= ?3)
  UNION SELECT ${bare(merges.mergedBy)} FROM ${merges} CROSS JOIN ${traders}
      ON ${traders.tenantId} = ?1 AND ${traders.id} = ${merges.primaryId}
    WHERE ${merges.tenantId} = ?1 AND ${merges.createdAt} > ?3 AND ${traders.affiliateId} IN (SELECT id FROM line)
  UNION SELECT ${bare(acts.userId)} FROM ${users} CROSS JOIN ${acts}
      ON ${acts.tenantId} = ?1 AND ${acts.userId} = ${users.id} AND ${acts.createdAt} > ?3
    CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${acts.traderId}
    WHERE ${users.tenantId} = ?1 AND ${acts.act} = 'linked_account' AND ${traders.affiliateId} IN (SELECT id FROM line)`)

const available = ({ earned, asked, paid }: BalanceRow): bigint => earned - asked - paid

/** Refuses less than the firm pays at once, by what it is worth in the firm's currency today. */
function refuseSmall(db: Reader, amount: bigint, currency: string): void {
  const { payoutMinimum, currency: home } = readFirmSettings(db)
  // the firm's currency may have changed to one with fewer decimals
  const least = roundAmount(payoutMinimum, home)
  const quote = findQuote(db, currency, home)
  if (!quote) throw invalid('currency', 'fx_rate_missing', say('affiliates.field.no_rate', { currency, home }))
  if (applyQuote(amount, currency, home, quote) >= least) return
  throw payoutErrors.below_minimum({
    errors: [
      { path: 'amount', code: 'range', message: say('affiliates.field.minimum', { minimum: payoutMinimum, home }) },
    ],
  })
}

/**
 * Throws the 409 where commission was taken back after it was paid, in any currency: that is earned again first. A debt
 * stays the client's when the affiliate who made it is closed and they become one anew.
 */
function refuseDebt(tx: Tx, traderId: string): void {
  const balances = tx.unowned
    .list(affiliates, { traderId })
    .flatMap(({ id: affiliateId }) => tx.unowned.list(affiliateBalances, { affiliateId }))
  if (balances.some(({ earned, paid }) => earned < paid)) throw payoutErrors.owes()
}

/** The affiliate that a request is for: an introducing broker's own, else the one that staff name. */
function askedFor(ctx: Ctx, tx: Tx, affiliateId: string | undefined): AffiliateRow {
  const own = affiliateIdOf(ctx.principal)
  const id = own ?? affiliateId
  if (id === undefined) throw invalid('affiliateId', 'required', say('affiliates.field.required'))
  if (own !== null && affiliateId !== undefined && affiliateId !== own) throw notFound()
  const affiliate = tx.unowned.find(affiliates, { id })
  if (!affiliate) throw invalid('affiliateId', 'unknown', say('affiliates.field.affiliate_unknown'))
  return affiliate
}

/**
 * Asks for a payout of what is earned in closed runs and neither paid nor asked for; one request of an affiliate at a
 * time. RULES “Payouts”.
 */
export function requestPayout(ctx: Ctx, input: Static<typeof PayoutIn>): Promise<Payout> {
  const currency = knownCurrency('currency', input.currency)
  const amount = positiveAmountOf('amount', input.amount, currency)
  return ctx.write('affiliate_payout.request', (tx) => {
    refuseGivenPassword(tx, ctx)
    const affiliate = askedFor(ctx, tx, input.affiliateId)
    if (affiliate.status !== 'active') throw payoutErrors.not_active()
    const { id: affiliateId, traderId } = affiliate
    if (tx.find(affiliatePayouts, { affiliateId, status: 'requested' })) throw payoutErrors.open_request()
    refuseSmall(tx.unowned, amount, currency)
    refuseDebt(tx, traderId)
    const balance = tx.find(affiliateBalances, { affiliateId, currency })
    const free = balance ? available(balance) : 0n
    if (!balance || free < amount)
      throw payoutErrors.not_earned({
        errors: [
          {
            path: 'amount',
            code: 'range',
            message: say('affiliates.field.available', {
              amount: formatAmount(free > 0n ? free : 0n, currency),
              currency,
            }),
          },
        ],
      })
    tx.update(affiliateBalances, balance.id, { asked: balance.asked + amount })
    const requestedBy = staffIdOf(ctx.principal)
    const row = tx.insert(affiliatePayouts, { affiliateId, traderId, currency, amount, requestedBy })
    return toPayout(row, isMasked(ctx))
  })
}

const deciderOf = (ctx: Ctx): string => {
  const userId = staffIdOf(ctx.principal)
  if (userId === null) throw notFound()
  return userId
}

/** Why somebody does not approve the payouts of an affiliate; null when they may. RULES “Payouts”. */
function whyNotApprove(tx: Tx, userId: string, affiliate: AffiliateRow, requestedBy: string | null): Problem | null {
  const people = peopleOf(tx, tx.now)
  const isSame = (other: string | null): boolean => other !== null && people.samePerson(other, userId)
  if (isSame(requestedBy)) return payoutErrors.own_request()
  if (isSame(affiliate.createdBy)) return payoutErrors.own_affiliate()
  const setters = tx.query<{ setBy: string }>(SETTERS, [affiliate.id, tx.now - TERMS_COUNT])
  if (setters.some(({ setBy }) => isSame(setBy))) return payoutErrors.own_plan()
  if (mergedLately(tx, people, userId, affiliate.traderId, tx.now)) return mergedErrors.lately()
  return whyNotVote(tx, people, userId, affiliate.traderId, tx.now)
}

/**
 * Approves a payout: the books pay it into the wallet of the client who the affiliate is, once. Whoever approves, or
 * asked, brought money to that client by hand.
 */
export function approvePayout(ctx: Ctx, id: string, expect: number | undefined): Promise<Payout> {
  const decidedBy = deciderOf(ctx)
  return ctx.write('affiliate_payout.approve', (tx) => {
    const before = tx.get(affiliatePayouts, id)
    const { affiliateId, traderId, currency, amount, requestedBy } = before
    requireFreshFromThreshold(tx.unowned, ctx, before)
    const affiliate = tx.get(affiliates, affiliateId)
    const refusal = whyNotApprove(tx, decidedBy, affiliate, requestedBy)
    if (refusal) throw refusal
    if (affiliate.status !== 'active') throw payoutErrors.not_active()
    refuseDebt(tx, traderId)
    if (!tx.find(traders, { id: traderId })) throw payoutErrors.no_client()
    refuseCreditTo(tx, traderId)
    const row = tx.transition(
      affiliatePayouts,
      id,
      payoutStates,
      'approved',
      { decidedBy, decidedAt: tx.now },
      { expect },
    )
    const balance = tx.find(affiliateBalances, { affiliateId, currency })
    if (!balance || balance.earned - balance.paid < amount) throw payoutErrors.not_earned()
    tx.update(affiliateBalances, balance.id, { asked: balance.asked - amount, paid: balance.paid + amount })
    post(tx, {
      kind: 'commission',
      reference: id,
      description: say('affiliates.posting'),
      legs: [
        { account: 'affiliate_commissions', currency, amount: -amount },
        { account: 'client_available', wallet: walletFor(tx, traderId, currency), currency, amount },
      ],
    })
    noteClientAct(tx, requestedBy, traderId, 'credit')
    noteClientAct(tx, decidedBy, traderId, 'credit')
    return toPayout(row)
  })
}

/** Turns a payout down with a reason, which the affiliate reads; what was asked for is free again. */
export function rejectPayout(ctx: Ctx, id: string, reason: string, expect: number | undefined): Promise<Payout> {
  const decidedBy = deciderOf(ctx)
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

/** Requests of the firm, or the caller's own. */
export function listPayouts(ctx: Ctx, { self, ...query }: Query & { self?: string | undefined }): PageOf<Payout> {
  if (hasNoOwn(ctx, self)) return EMPTY_PAGE
  if (isMasked(ctx) && query.q !== undefined) {
    throw invalid('query.q', 'not_allowed', say('affiliates.field.staff_only'))
  }
  return readPage(ctx, payoutList, query, (row) => toPayout(row, isMasked(ctx)))
}
