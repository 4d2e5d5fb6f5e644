import { type Static, Type } from '@sinclair/typebox'
import { atLeast, type Role } from '../../platform/access/catalogue.ts'
import { HOUR } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { Amount, Currency, Strict } from '../../platform/http/fields.ts'
import { parseAmount } from '../../platform/money.ts'
import { applyQuote, findQuote } from '../fx/fx.lookup.ts'
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

/** Who must approve an amount: below the threshold one manager, from it on two people with one admin; without a rate to compare, the stricter. */
export function requirementFor(db: Reader, amount: bigint, currency: string): Requirement {
  const { value: policy } = readSetting(db, approvalPolicy)
  const quote = findQuote(db, currency, policy.currency)
  const compared = quote ? applyQuote(amount, currency, policy.currency, quote) : null
  const large = compared === null || compared >= parseAmount(policy.threshold, policy.currency)
  const reason =
    compared === null
      ? `no rate from ${currency} to ${policy.currency}, so the stricter rule holds`
      : `${large ? 'from' : 'below'} ${policy.threshold} ${policy.currency}`
  return { approvals: large ? 2 : 1, adminNeeded: large, reason, compared, policy }
}

/** An approval that counts. */
export type Approval = { userId: string; role: Role; createdAt: number }

/** Whether these approvals are enough. */
export const isSatisfied = (need: Requirement, approvals: readonly Approval[]): boolean =>
  approvals.length >= need.approvals && (!need.adminNeeded || approvals.some(({ role }) => atLeast(role, 'admin')))
