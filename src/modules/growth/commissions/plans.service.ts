import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { parseTime } from '../../../platform/http/lists/list-filters.ts'
import { type PageOf, type Query, readPage } from '../../../platform/http/lists/page.ts'
import { invalid } from '../../../platform/problem.ts'
import { knownCurrency, parseAmountField, parsePositiveAmountField } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { personBehind, refuseGivenPassword } from '../../firm/independence/independence.service.ts'
import { commissionPlans, commissionPlanVersions, type PlanVersionRow, type Rule } from '../affiliates/plans.table.ts'
import { isLess, parseFraction, plus, whole, ZERO } from './fraction.ts'
import { type Plan, type PlanIn, type PlanPatch, planList, type Terms, toPlan } from './plans.model.ts'

/** Checks what the schema of terms cannot and returns the rules to store; throws the 422 that names the field. */
export function checkTerms({
  currency,
  rules,
  override,
  splits = [],
  maxLevels,
}: Omit<Terms, 'name' | 'validFrom'>): Rule[] {
  knownCurrency('currency', currency)
  if (override === 'split' && splits.length === 0) throw invalid('splits', 'required', say('affiliates.field.splits'))
  if (splits.length > maxLevels) throw invalid('splits', 'too_many', say('affiliates.field.more_than_levels'))
  const sum = splits.reduce((total, share) => plus(total, parseFraction(share)), ZERO)
  if (isLess(whole(1n), sum)) throw invalid('splits', 'range', say('affiliates.field.splits_sum'))
  return rules.map((rule, index) => {
    const at = (field: string): string => `rules.${index}.${field}`
    const { model, rate, minDeposit, minLots, from } = rule
    if (model === 'lot' || model === 'cpa') parseAmountField(at('rate'), rate, currency)
    else if (isLess(whole(1n), parseFraction(rate))) throw invalid(at('rate'), 'range', say('affiliates.field.share'))
    if (model !== 'cpa' && (minDeposit !== undefined || minLots !== undefined))
      throw invalid(
        at(minDeposit === undefined ? 'minLots' : 'minDeposit'),
        'not_allowed',
        say('affiliates.field.cpa_only'),
      )
    if (minDeposit !== undefined) parsePositiveAmountField(at('minDeposit'), minDeposit, currency)
    if (from !== undefined) parseTime(at('from'), from)
    return {
      model,
      symbols: rule.symbols,
      rate,
      ...(minDeposit === undefined ? {} : { minDeposit }),
      ...(minLots === undefined ? {} : { minLots }),
      ...(from === undefined ? {} : { from }),
    }
  })
}

function addVersion(tx: Tx, ctx: Ctx, planId: string, number: number, input: Omit<Terms, 'name'>): PlanVersionRow {
  const rules = checkTerms(input)
  const { currency, override, splits = [], maxLevels, cap } = input
  const validFrom = input.validFrom === undefined ? tx.now : parseTime('validFrom', input.validFrom)
  if (validFrom < tx.now) throw invalid('validFrom', 'past', say('affiliates.field.valid_from'))
  return tx.insert(commissionPlanVersions, {
    planId,
    number,
    currency,
    rules,
    override,
    splits,
    maxLevels,
    cap,
    validFrom,
    createdBy: personBehind(ctx),
  })
}

/** Creates a plan with its first version. RULES “Commissions”. */
export function createPlan(ctx: Ctx, input: Static<typeof PlanIn>): Promise<Plan> {
  return ctx.write('commission_plan.create', (tx) => {
    refuseGivenPassword(tx, ctx)
    const plan = tx.insert(commissionPlans, { name: input.name.trim(), createdBy: personBehind(ctx) })
    return toPlan(plan, [addVersion(tx, ctx, plan.id, 1, input)])
  })
}

/** Changes a plan by adding a version; lines keep theirs. A new name alone adds no version. */
export function updatePlan(
  ctx: Ctx,
  id: string,
  { name, ...patch }: Static<typeof PlanPatch>,
  expect: number | undefined,
): Promise<Plan> {
  return ctx.write('commission_plan.update', (tx) => {
    refuseGivenPassword(tx, ctx)
    const before = tx.get(commissionPlans, id)
    const versions = tx.list(commissionPlanVersions, { planId: id }, { orderBy: 'number' })
    const last = versions.at(-1)
    const changes = { ...(name === undefined ? {} : { name: name.trim() }) }
    if (Object.keys(patch).length === 0) return toPlan(tx.update(commissionPlans, id, changes, { expect }), versions)
    if (!last) throw new Error(`the plan ${id} has no version`)
    const { currency, rules, override, splits, maxLevels, cap } = last
    const merged = { currency, rules, override, splits, maxLevels, cap, ...patch }
    // the plan's own version rises with each change, so that a change based on an older one is refused
    const plan = tx.update(
      commissionPlans,
      id,
      { ...changes, updatedAt: Math.max(tx.now, before.updatedAt + 1) },
      { expect },
    )
    return toPlan(plan, [...versions, addVersion(tx, ctx, id, last.number + 1, merged)])
  })
}

/** Lists plans with their versions. */
export function listPlans(ctx: Ctx, query: Query): PageOf<Plan> {
  const page = readPage(ctx, planList, query, (row) => row)
  const versions = ctx.db.list(commissionPlanVersions, { planId: page.data.map(({ id }) => id) })
  const byPlan = Map.groupBy(versions, ({ planId }) => planId)
  return { ...page, data: page.data.map((row) => toPlan(row, byPlan.get(row.id) ?? [])) }
}
