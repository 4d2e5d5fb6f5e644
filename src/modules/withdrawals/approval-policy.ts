import { type Static, Type } from '@sinclair/typebox'
import { atLeast, type Role } from '../../platform/access/catalogue.ts'
import { HOUR } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { Amount, Currency, Strict } from '../../platform/http/fields.ts'
import { formatAmount, MoneyError, parseAmount, scaleOf } from '../../platform/money.ts'
import { applyQuote, findQuote, type Quote } from '../fx/fx.lookup.ts'
import { defineSetting, readSetting, writeSetting } from '../settings/settings.service.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'

/** An approval counts for this long. Fixed by rules.md. */
export const APPROVAL_LIFE = 72 * HOUR

/** What a firm may set; that two people decide large amounts is fixed. */
export const ApprovalPolicy = Strict({
  currency: Currency,
  threshold: Amount,
  minKycLevel: Type.Integer({ minimum: 0, maximum: 3, description: 'money goes out from this level on' }),
})
export type Policy = Static<typeof ApprovalPolicy>

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
  const { value: policy } = readPolicy(db)
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
