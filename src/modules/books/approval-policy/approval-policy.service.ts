import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid } from '../../../platform/problem.ts'
import { knownCurrency, parseAmountField, parsePositiveAmountField } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { mailGuardChange } from '../../firm/users/users.notices.ts'
import type { ApprovalPolicy, PolicyOut, PolicyQuery } from './approval-policy.model.ts'
import { readMeasure, readPolicy, requirementFor, writePolicy } from './approval-policy.ts'

/** Answers the firm's policy; with `amount` and `currency` also who would have to approve that amount. */
export function showPolicy(ctx: Ctx, query: Static<typeof PolicyQuery>): Static<typeof PolicyOut> {
  const { value, version } = readPolicy(ctx.db)
  return { ...value, version, simulation: simulate(ctx, query) }
}

function simulate(ctx: Ctx, { amount, currency }: Static<typeof PolicyQuery>): Static<typeof PolicyOut>['simulation'] {
  if (amount === undefined && currency === undefined) return null
  if (amount === undefined) throw invalid('query.amount', 'required', say('withdrawals.field.amount_required'))
  if (currency === undefined) throw invalid('query.currency', 'required', say('withdrawals.field.currency_required'))
  const minor = parseAmountField('query.amount', amount, knownCurrency('query.currency', currency))
  const { approvals, adminNeeded, reason, compared, policy } = requirementFor(
    readMeasure(ctx.db, ctx.now()),
    minor,
    currency,
  )
  return {
    amount,
    currency,
    comparedAmount: compared === null ? null : formatAmount(compared, policy.currency),
    approvals,
    adminNeeded,
    reason,
  }
}

/** Sets the firm's policy; the fixed rules of RULES “Approvals” cannot be set. */
export function setPolicy(
  ctx: Ctx,
  policy: Static<typeof ApprovalPolicy>,
  expect: number | undefined,
): Promise<Static<typeof PolicyOut>> {
  const { currency } = policy
  knownCurrency('currency', currency)
  const threshold = formatAmount(parsePositiveAmountField('threshold', policy.threshold, currency), currency)
  return ctx.write('approval_policy.set', (tx) => {
    const { value, version } = writePolicy(tx, { ...policy, threshold }, expect)
    mailGuardChange(tx, ctx, ['approvalPolicy'])
    return { ...value, version, simulation: null }
  })
}
