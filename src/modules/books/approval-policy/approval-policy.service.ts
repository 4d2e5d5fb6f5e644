import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid } from '../../../platform/problem.ts'
import { knownCurrency, parseAmountField, parsePositiveAmountField } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { mailGuardChange } from '../../firm/users/users.notices.ts'
import type { ApprovalPolicy, PolicyOut, PolicyQuery } from './approval-policy.model.ts'
import { getOwnMoneyLimit, readMeasure, readPolicy, requirementFor, writePolicy } from './approval-policy.ts'
import { findWhoApproves } from './who-approves.ts'

/** Answers the firm's policy; with `amount` and `currency` also who would have to approve that amount. */
export function showPolicy(ctx: Ctx, query: Static<typeof PolicyQuery>): Static<typeof PolicyOut> {
  const { value, version } = readPolicy(ctx.db)
  return { ...value, ownMoneyLimit: getOwnMoneyLimit(value), version, simulation: simulate(ctx, query) }
}

function simulate(
  ctx: Ctx,
  { amount, currency, kind = 'withdrawal', by }: Static<typeof PolicyQuery>,
): Static<typeof PolicyOut>['simulation'] {
  if (amount === undefined && currency === undefined) return null
  if (amount === undefined) throw invalid('query.amount', 'required', say('withdrawals.field.amount_required'))
  if (currency === undefined) throw invalid('query.currency', 'required', say('withdrawals.field.currency_required'))
  const minor = parseAmountField('query.amount', amount, knownCurrency('query.currency', currency))
  const need = requirementFor(readMeasure(ctx.db, ctx.now()), minor, currency)
  return {
    amount,
    currency,
    kind,
    comparedAmount: need.compared === null ? null : formatAmount(need.compared, need.policy.currency),
    ...findWhoApproves(ctx.db, ctx.now(), { kind, need, by: by ?? null }),
  }
}

/** Sets the firm's policy; it cannot change the fixed rules of RULES “Approvals”. */
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
    return { ...value, ownMoneyLimit: getOwnMoneyLimit(value), version, simulation: null }
  })
}
