import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { HOUR } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { formatAmount, getScale, MoneyError, parseAmount } from '../../../platform/money.ts'
import { APPROVAL_HOURS, DEFAULT_KYC_LEVEL, DEFAULT_THRESHOLD, SUM_HOURS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { defineSetting, readSetting, writeSetting } from '../../base/settings/settings.service.ts'
import { findQuote } from '../fx/fx.lookup.ts'
import { listPriceAuthors } from '../fx/fx.price-authors.ts'
import { applyQuote, type Quote } from '../fx/fx.quotes.ts'
import { ApprovalPolicy } from './approval-policy.model.ts'

/** A vote counts this long while the second one is awaited. RULES “Approvals”. */
export const APPROVAL_LIFE = APPROVAL_HOURS * HOUR
/** One person's decisions are summed over this time. RULES “Approvals”. */
export const SUM_OVER = SUM_HOURS * HOUR

type Policy = Static<typeof ApprovalPolicy>

const stored = defineSetting('approval_policy', ApprovalPolicy, {
  currency: '',
  threshold: '',
  minKycLevel: DEFAULT_KYC_LEVEL,
})

/** Returns the firm's policy; the default has `version` 0. */
export function readPolicy(db: Reader): { value: Policy; version: number } {
  const setting = readSetting(db, stored)
  if (setting.value.currency !== '') return setting
  const { currency } = readFirmSettings(db)
  const threshold = formatAmount(BigInt(DEFAULT_THRESHOLD) * 10n ** BigInt(getScale(currency)), currency)
  return { value: { ...setting.value, currency, threshold }, version: 0 }
}

/** Sets the policy; `expect` is the version from the caller's `If-Match`. */
export const writePolicy = (tx: Tx, policy: Policy, expect: number | undefined): { value: Policy; version: number } =>
  writeSetting(tx, stored, policy, expect)

/** Stores the default policy as the firm's own, so that a later change of the firm's currency does not alter it. */
export function keepPolicy(tx: Tx): void {
  const { value, version } = readPolicy(tx)
  if (version === 0) writePolicy(tx, value, undefined)
}

/** What a withdrawal needs. `reason` is a sentence; `compared` is the amount in the policy's currency, or null. */
export type Requirement = {
  approvals: number
  adminNeeded: boolean
  reason: string
  compared: bigint | null
  policy: Policy
}

/** Compares amounts with the firm's policy, at present rates. */
export type Measure = {
  policy: Policy
  /** Two people decide from this amount on, in minor units of the policy's currency. */
  threshold: bigint
  /**
   * Returns an amount in the policy's currency. Null without a rate, or if `avoid` names an author of the price: who
   * entered the rate, or removed the one before it.
   */
  compare(amount: bigint, currency: string, avoid?: (userId: string) => boolean): bigint | null
  /** Returns the sum of several amounts; null if one cannot be compared. Null counts as above any threshold. */
  sum(amounts: readonly { amount: bigint; currency: string }[], avoid?: (userId: string) => boolean): bigint | null
}

/**
 * Returns the limit up to which one person approves alone, in 24 hours, for clients to whom they brought money: a tenth
 * of the threshold. RULES “Approvals”.
 */
export const getOwnMoneyLimit = ({ threshold, currency }: Policy): string =>
  formatAmount(parseAmount(threshold, currency) / 10n, currency)

/** Reads the firm's policy and compares amounts with it at a moment. `db` must see the whole firm. */
export function readMeasure(db: Reader, now: number): Measure {
  const { value: policy } = readPolicy(db)
  const into = policy.currency
  const compare: Measure['compare'] = (amount, currency, avoid) => {
    const quote = findQuote(db, currency, into)
    if (!quote) return null
    if (avoid && listPriceAuthors(db, { base: currency, quote: into, rates: quote.rates, now }).some(avoid)) return null
    return comparable(amount, currency, into, quote)
  }
  return {
    policy,
    threshold: parseAmount(policy.threshold, into),
    compare,
    sum: (amounts, avoid) =>
      amounts.reduce<bigint | null>((total, { amount, currency }) => {
        const compared = total === null ? null : compare(amount, currency, avoid)
        return total === null || compared === null ? null : total + compared
      }, 0n),
  }
}

/** Returns the amount in the policy's currency; null, as without a rate, if it is too large to store. */
function comparable(amount: bigint, currency: string, into: string, quote: Quote): bigint | null {
  try {
    return applyQuote(amount, currency, into, quote)
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** Returns whether a sum reaches the threshold; a sum that cannot be compared does. */
export const reaches = ({ threshold }: Pick<Measure, 'threshold'>, sum: bigint | null): boolean =>
  sum === null || sum >= threshold

/**
 * Requires a fresh sign-in to decide about an amount that reaches the threshold, for routes with `fresh: 'if the amount
 * reaches the threshold'`. `db` must see the whole firm. RULES “Fresh sign-in”.
 */
export function requireFreshFromThreshold(
  db: Reader,
  ctx: Ctx,
  { amount, currency }: { amount: bigint; currency: string },
): void {
  const measure = readMeasure(db, ctx.now())
  if (reaches(measure, measure.compare(amount, currency))) requireFresh(ctx)
}

/**
 * Returns who must approve an amount: one manager below the threshold; otherwise two people, one of them an admin. Two
 * people decide also without a rate to compare, and if the amount was large when it was requested.
 */
export function requirementFor(measure: Measure, amount: bigint, currency: string, askedLarge = false): Requirement {
  const { policy } = measure
  const { currency: into, threshold } = policy
  const compared = measure.compare(amount, currency)
  const two = (reason: string): Requirement => ({ approvals: 2, adminNeeded: true, reason, compared, policy })
  if (compared === null) return two(say('withdrawals.need.rate_missing', { currency, into }))
  if (reaches(measure, compared)) return two(say('withdrawals.need.from', { threshold, currency: into }))
  if (askedLarge) return two(say('withdrawals.need.asked_large'))
  const reason = say('withdrawals.need.below', { threshold, currency: into })
  return { approvals: 1, adminNeeded: false, reason, compared, policy }
}
