import { type Static, Type } from '@sinclair/typebox'
import { atLeast, type Role } from '../../platform/access/catalogue.ts'
import { HOUR } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { Amount, Currency, Strict } from '../../platform/http/fields.ts'
import { MoneyError, parseAmount } from '../../platform/money.ts'
import { applyQuote, findQuote, type Quote } from '../fx/fx.lookup.ts'
import { defineSetting, readSetting } from '../settings/settings.service.ts'

/** An approval counts for this long. Fixed by rules.md. */
export const APPROVAL_LIFE = 72 * HOUR

/** What a firm may set; that two people decide large amounts is fixed. */
export const ApprovalPolicy = Strict({
  currency: Currency,
  threshold: Amount,
  minKycLevel: Type.Integer({ minimum: 0, maximum: 3, description: 'money goes out from this level on' }),
})
export type Policy = Static<typeof ApprovalPolicy>

export const approvalPolicy = defineSetting('approval_policy', ApprovalPolicy, {
  currency: 'EUR',
  threshold: '10000.00',
  minKycLevel: 1,
})

/** What one withdrawal needs. `reason` says why in words; `compared` is the amount in the policy's currency, null when no rate leads there. */
export type Requirement = {
  approvals: 1 | 2
  adminNeeded: boolean
  reason: string
  compared: bigint | null
  policy: Policy
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

/**
 * Who must approve an amount: below the threshold one manager, from it on two people with one admin. The stricter also without a rate to compare, when it
 * held as the money was asked for, and where `decider` set the rate that makes the amount small: nobody approves by a rate of their own.
 */
export function requirementFor(
  db: Reader,
  amount: bigint,
  currency: string,
  { askedLarge = false, decider = null }: { askedLarge?: boolean; decider?: string | null } = {},
): Requirement {
  const { value: policy } = readSetting(db, approvalPolicy)
  const quote = findQuote(db, currency, policy.currency)
  const compared = quote ? comparable(amount, currency, policy.currency, quote) : null
  const { currency: into, threshold } = policy
  const strict = (reason: string): Requirement => ({ approvals: 2, adminNeeded: true, reason, compared, policy })
  if (compared === null) return strict(`no comparison of ${currency} with ${into}, so the stricter rule holds`)
  if (compared >= parseAmount(threshold, into)) return strict(`from ${threshold} ${into}`)
  if (askedLarge) return strict('large by the rule when it was asked for')
  if (decider !== null && quote?.rates.some(({ createdBy }) => createdBy === decider))
    return strict(`below ${threshold} ${into} by a rate that you set yourself`)
  return { approvals: 1, adminNeeded: false, reason: `below ${threshold} ${into}`, compared, policy }
}

/** An approval that counts. */
export type Approval = { userId: string; role: Role; createdAt: number }

/** Whether these approvals are enough. */
export const isSatisfied = (need: Requirement, approvals: readonly Approval[]): boolean =>
  approvals.length >= need.approvals && (!need.adminNeeded || approvals.some(({ role }) => atLeast(role, 'admin')))
