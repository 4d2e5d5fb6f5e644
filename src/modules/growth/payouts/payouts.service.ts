import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findAffiliateId, findStaffId } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { type PageOf, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { formatAmount, roundAmount } from '../../../platform/money.ts'
import { invalid, notFound } from '../../../platform/problem.ts'
import { knownCurrency, parsePositiveAmountField } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { findQuote } from '../../books/fx/fx.lookup.ts'
import { applyQuote } from '../../books/fx/fx.quotes.ts'
import { refuseGivenPassword } from '../../firm/independence/independence.service.ts'
import { EMPTY_PAGE, hasNoOwn, isMasked } from '../affiliates/affiliates.reader.ts'
import { type AffiliateRow, affiliates } from '../affiliates/affiliates.table.ts'
import { affiliateBalances, type BalanceRow } from '../affiliates/balances.table.ts'
import { payoutErrors } from './payouts.errors.ts'
import { type Payout, type PayoutIn, payoutList, toPayout } from './payouts.model.ts'
import { affiliatePayouts } from './payouts.table.ts'

const available = ({ earned, asked, paid }: BalanceRow): bigint => earned - asked - paid

/** Refuses an amount whose value today, in the firm's currency, is less than the firm's minimum. */
function refuseSmall(db: Reader, amount: bigint, currency: string): void {
  const { payoutMinimum, currency: home } = readFirmSettings(db)
  // the minimum may have more decimals than the firm's present currency
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
 * Throws the 409 if commission that was already paid to a client was taken back, in any currency: it must be earned
 * again first. If the affiliate is closed and the client becomes a new one, the debt stays.
 */
export function refuseDebt(tx: Tx, traderId: string): void {
  const balances = tx.unowned
    .list(affiliates, { traderId })
    .flatMap(({ id: affiliateId }) => tx.unowned.list(affiliateBalances, { affiliateId }))
  if (balances.some(({ earned, paid }) => earned < paid)) throw payoutErrors.owes()
}

/** Returns the affiliate of a request: an introducing broker's own, or the one that staff name. */
function getWantedAffiliate(ctx: Ctx, tx: Tx, affiliateId: string | undefined): AffiliateRow {
  const own = findAffiliateId(ctx.principal)
  const id = own ?? affiliateId
  if (id === undefined) throw invalid('affiliateId', 'required', say('affiliates.field.required'))
  if (own !== null && affiliateId !== undefined && affiliateId !== own) throw notFound()
  const affiliate = tx.unowned.find(affiliates, { id })
  if (!affiliate) throw invalid('affiliateId', 'unknown', say('affiliates.field.affiliate_unknown'))
  return affiliate
}

/**
 * Requests a payout of commission from closed runs that is neither paid nor requested. An affiliate has one open
 * request at a time. RULES “Payouts”.
 */
export function requestPayout(ctx: Ctx, input: Static<typeof PayoutIn>): Promise<Payout> {
  const currency = knownCurrency('currency', input.currency)
  const amount = parsePositiveAmountField('amount', input.amount, currency)
  return ctx.write('affiliate_payout.request', (tx) => {
    refuseGivenPassword(tx, ctx)
    const affiliate = getWantedAffiliate(ctx, tx, input.affiliateId)
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
              amount: formatAmount(free, currency),
              currency,
            }),
          },
        ],
      })
    tx.update(affiliateBalances, balance.id, { asked: balance.asked + amount })
    const requestedBy = findStaffId(ctx.principal)
    const row = tx.insert(affiliatePayouts, { affiliateId, traderId, currency, amount, requestedBy })
    return toPayout(row, isMasked(ctx))
  })
}

/** Lists payout requests of the firm, or the caller's own. */
export function listPayouts(ctx: Ctx, { self, ...query }: Query & { self?: string | undefined }): PageOf<Payout> {
  if (hasNoOwn(ctx, self)) return EMPTY_PAGE
  if (isMasked(ctx) && query.q !== undefined) {
    throw invalid('query.q', 'not_allowed', say('affiliates.field.staff_only'))
  }
  return readPage(ctx, payoutList, query, (row) => toPayout(row, isMasked(ctx)))
}
