import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { requireFresh } from '../../../platform/access/fresh.ts'
import { HOUR } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { formatAmount, MoneyError, parseAmount, scaleOf } from '../../../platform/money.ts'
import { APPROVAL_HOURS, SUM_HOURS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { defineSetting, readSetting, writeSetting } from '../../base/settings/settings.service.ts'
import { findQuote } from '../fx/fx.lookup.ts'
import { handsOn } from '../fx/fx.price-authors.ts'
import { applyQuote, type Quote } from '../fx/fx.quotes.ts'
import { ApprovalPolicy } from './approval-policy.model.ts'

/** A vote counts for this long while another one is awaited. Fixed by RULES “Approvals”. */
export const APPROVAL_LIFE = APPROVAL_HOURS * HOUR
/** Sums of what one person did are over this time. Fixed by RULES “Approvals”. */
export const SUM_OVER = SUM_HOURS * HOUR

type Policy = Static<typeof ApprovalPolicy>

const stored = defineSetting('approval_policy', ApprovalPolicy, { currency: '', threshold: '', minKycLevel: 1 })

/** The firm's policy; until one is set, 10,000 of the firm's currency. `version` is 0 for the default. */
export function readPolicy(db: Reader): { value: Policy; version: number } {
  const setting = readSetting(db, stored)
  if (setting.value.currency !== '') return setting
  const { currency } = readFirmSettings(db)
  const threshold = formatAmount(10_000n * 10n ** BigInt(scaleOf(currency)), currency)
  return { value: { ...setting.value, currency, threshold }, version: 0 }
}

/** Sets the policy; `expect` is the version of the caller's `If-Match`. */
export const writePolicy = (tx: Tx, policy: Policy, expect: number | undefined): { value: Policy; version: number } =>
  writeSetting(tx, stored, policy, expect)

/** Makes the default policy the firm's own, so that it stays what it is when the firm's currency changes. */
export function keepPolicy(tx: Tx): void {
  const { value, version } = readPolicy(tx)
  if (version === 0) writePolicy(tx, value, undefined)
}

/**
 * What one withdrawal needs. `reason` says why in words; `compared` is
 * the amount in the policy's currency, null when no rate leads there.
 */
export type Requirement = {
  approvals: number
  adminNeeded: boolean
  reason: string
  compared: bigint | null
  policy: Policy
}

/** A way to compare amounts with what the firm's policy sets, at the rates of now. */
export type Measure = {
  policy: Policy
  /** From which amount on two people decide, in minor units of the policy's currency. */
  threshold: bigint
  /**
   * An amount in the policy's currency; null where no rate leads there, or one that is the word of somebody whom
   * `avoid` names: they entered it, or it holds since they removed another one.
   */
  compare(amount: bigint, currency: string, avoid?: (userId: string) => boolean): bigint | null
  /** The sum of several; null as soon as one has no comparison, which counts as above any threshold. */
  sum(amounts: readonly { amount: bigint; currency: string }[], avoid?: (userId: string) => boolean): bigint | null
}

/** Reads the firm's policy and measures amounts by it at a moment. `db` must see all of the firm. */
export function measureOf(db: Reader, now: number): Measure {
  const { value: policy } = readPolicy(db)
  const into = policy.currency
  const compare: Measure['compare'] = (amount, currency, avoid) => {
    const quote = findQuote(db, currency, into)
    if (!quote) return null
    if (avoid && handsOn(db, { base: currency, quote: into, rates: quote.rates, now }).some(avoid)) return null
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

/** The amount in the policy's currency; null when it is beyond what we count with, as if there were no rate. */
function comparable(amount: bigint, currency: string, into: string, quote: Quote): bigint | null {
  try {
    return applyQuote(amount, currency, into, quote)
  } catch (error) {
    if (error instanceof MoneyError) return null
    throw error
  }
}

/** Whether a sum reaches the threshold; one that cannot be compared does. */
export const reaches = ({ threshold }: Pick<Measure, 'threshold'>, sum: bigint | null): boolean =>
  sum === null || sum >= threshold

/**
 * Asks whoever decides about an amount from the threshold on for a fresh sign-in: for routes that say `fresh: 'if the
 * amount reaches the threshold'`. `db` must see all of the firm. RULES “Fresh sign-in”.
 */
export function requireFreshFromThreshold(
  db: Reader,
  ctx: Ctx,
  { amount, currency }: { amount: bigint; currency: string },
): void {
  const measure = measureOf(db, ctx.now())
  if (reaches(measure, measure.compare(amount, currency))) requireFresh(ctx)
}

/**
 * Who must approve an amount, whoever they are: below the threshold one manager, from there on two different people of
 * whom one is an admin. So it is without a rate to compare, and where it was so as the money was asked for.
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
