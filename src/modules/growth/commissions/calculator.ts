import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import { formatAmount } from '../../../platform/money.ts'
import { invalid } from '../../../platform/problem.ts'
import { parseAmountField } from '../../../platform/wire/fields.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { parseLots } from '../../books/positions/lots.ts'
import { commissionPlanVersions } from '../affiliates/plans.table.ts'
import type { Trade } from './closed-trades.ts'
import { type Member, MissingRate, type Terms } from './compute.ts'
import { createDayRates } from './day-rates.ts'
import type { CalculateIn, CalculateOut } from './plans.model.ts'
import { checkTerms } from './plans.service.ts'
import { buildTradeLines } from './sources.ts'

/** Returns the present terms of a plan; 422 if it is unknown. */
function termsNow(ctx: Ctx, planId: string, index: number): Terms {
  const versions = ctx.db.list(commissionPlanVersions, { planId }, { orderBy: 'validFrom' })
  const held = versions.findLast(({ validFrom }) => validFrom <= ctx.now()) ?? versions[0]
  if (!held) throw invalid(`above.${index}`, 'unknown', say('affiliates.field.plan_unknown'))
  return held
}

/**
 * Calculates, for the author of a plan, what a trade would earn each level under unsaved terms, at today's rates, with
 * all steps. It changes nothing.
 */
export function calculatePlan(ctx: Ctx, input: Static<typeof CalculateIn>): Static<typeof CalculateOut> {
  const { trade, above = [], ...given } = input
  const rules = checkTerms(given)
  const { currency, override, splits = [], maxLevels, cap } = given
  const own: Terms = { id: '', planId: '', number: 0, currency, rules, override, splits, maxLevels, cap }
  const chain = [own, ...above.map((planId, index) => termsNow(ctx, planId, index))].map(
    (terms, index): Member => ({ affiliateId: String(index), terms, earns: true }),
  )
  const account = trade.currency ?? currency
  const minor = (name: 'spread' | 'commission' | 'swap'): bigint | null =>
    trade[name] === undefined ? null : parseAmountField(`trade.${name}`, trade[name], account)
  const now = ctx.now()
  const sample: Trade = {
    id: '',
    traderId: '',
    owner: null,
    symbol: trade.symbol,
    lots: parseLots(trade.lots),
    currency: account,
    isDemo: 0,
    liveSince: null,
    spread: minor('spread'),
    commission: minor('commission') ?? 0n,
    swap: minor('swap') ?? 0n,
    openedAt: now - HOUR,
    closedAt: now,
    assumed: 0,
    void: 0,
  }
  const steps: string[] = []
  try {
    const found = buildTradeLines(
      sample,
      chain,
      createDayRates(ctx.db, readFirmSettings(ctx.db).timeZone).at(now),
      ({ key, values }) => steps.push(say(key, values)),
    )
    if (typeof found === 'string') return { levels: [], currency, steps: [say(`affiliates.nothing.${found}`)] }
    return {
      levels: found.map(({ level, amount, detail }) => ({
        level,
        rate: detail.rate,
        cut: detail.cut === true,
        amount: formatAmount(amount, currency),
      })),
      currency,
      steps,
    }
  } catch (error) {
    if (!(error instanceof MissingRate)) throw error
    const field = error.currency === account ? 'trade.currency' : 'above'
    throw invalid(
      field,
      'fx_rate_missing',
      say('affiliates.field.no_rate', { currency: error.currency, home: currency }),
    )
  }
}
