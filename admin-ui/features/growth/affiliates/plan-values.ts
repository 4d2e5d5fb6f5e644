import type { Body } from '../../../api.ts'
import { amountRule } from '../../../lib/text/amount-text.ts'
import { isMoneyRate, toPercent, toShare } from './affiliate-words.tsx'
import type { Plan, PlanVersion, Rule } from './affiliates.api.ts'
import { say } from './words.ts'

/** The form holds a rule like this: shares are in per cent, and a value that is not given is empty. */
export type RuleValues = {
  /** Identifies the rule in the form, since a rule has no id. */
  key: string
  model: Rule['model']
  symbols: string[]
  rate: string
  minDeposit: string
  minLots: string
  from: string
}
export type PlanValues = {
  name: string
  currency: string
  rules: RuleValues[]
  override: PlanVersion['override']
  splits: string[]
  maxLevels: number
  cap: string
}

export const OVERRIDE_LABELS: Record<PlanVersion['override'], string> = {
  difference: say('affiliates.plan.difference'),
  split: say('affiliates.plan.split'),
}

let serial = 0
const nextKey = (): string => {
  serial += 1
  return say('affiliates.rule', { serial })
}

export const emptyRule = (): RuleValues => ({
  key: nextKey(),
  model: 'lot',
  symbols: ['*'],
  rate: '',
  minDeposit: '',
  minLots: '',
  from: '',
})

/** Returns the form values of a plan's newest version, or those with which a new plan starts. */
export function planValues(plan: Plan | undefined): PlanValues {
  const newest = plan?.versions[0]
  if (!plan || !newest)
    return {
      name: plan?.name ?? '',
      currency: 'EUR',
      rules: [emptyRule()],
      override: 'difference',
      splits: [],
      maxLevels: 3,
      cap: '80',
    }
  return {
    name: plan.name,
    currency: newest.currency,
    rules: newest.rules.map(({ model, symbols, rate, minDeposit = '', minLots = '', from = '' }) => ({
      key: nextKey(),
      model,
      symbols: [...symbols],
      minDeposit,
      minLots,
      from,
      rate: isMoneyRate(model) ? rate : toPercent(rate),
    })),
    override: newest.override,
    splits: newest.splits.map(toPercent),
    maxLevels: newest.maxLevels,
    cap: toPercent(newest.cap),
  }
}

/** Returns the terms in the form as the API takes them. */
export const planTerms = (values: PlanValues): Omit<Body<'commissionPlans.create'>, 'name' | 'validFrom'> => ({
  currency: values.currency,
  override: values.override,
  splits: values.override === 'split' ? values.splits.map(toShare) : [],
  maxLevels: Number(values.maxLevels),
  cap: toShare(values.cap),
  rules: values.rules.map(({ model, symbols, rate, minDeposit, minLots, from }) => ({
    model,
    symbols,
    rate: isMoneyRate(model) ? rate : toShare(rate),
    ...(model === 'cpa' && minDeposit !== '' && { minDeposit }),
    ...(model === 'cpa' && minLots !== '' && { minLots }),
    ...(from !== '' && { from }),
  })),
})

const isShare = (rate: string): boolean => /^\d{1,9}([.,]\d{1,8})?\s*%?$/.test(rate.trim())

/** Checks the amounts of a rule: a rate is an amount of money or a share in per cent, depending on the model. */
export const RULE_CHECKS = {
  rate: (rate: string, { rules }: PlanValues, path: string): string | null => {
    const rule = rules[Number(path.split('.')[1])]
    if (rule && isMoneyRate(rule.model)) return amountRule(say('affiliates.plan.rate_rule'))(rate)
    return isShare(rate) ? null : say('affiliates.plan.rate_rule')
  },
  minDeposit: (held: string): string | null => (held === '' ? null : amountRule()(held)),
  minLots: (held: string): string | null => (held === '' ? null : amountRule()(held)),
}
