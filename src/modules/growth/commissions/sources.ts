import { SECOND } from '../../../platform/clock.ts'
import { formatAmount, roundAmount } from '../../../platform/money.ts'
import { formatLots, LOT } from '../../books/positions/lots.ts'
import type { Model } from '../affiliates/plans.table.ts'
import type { Trade } from './closed-trades.ts'
import type { LineDetail } from './commissions.table.ts'
import { type Convert, findTradeRule, type Member, type Share, type Step, shareOut, type Terms } from './compute.ts'
import {
  converted,
  type Fraction,
  formatFraction,
  isZero,
  minus,
  plus,
  takePart,
  toUnits,
  whole,
  ZERO,
} from './fraction.ts'

/** Lots that were open for less time earn nothing. RULES “Commissions”. */
const LEAST_HELD = 180 * SECOND

/** A line that a source should have for one affiliate, without run and revision. */
export type Wanted = {
  source: string
  affiliateId: string
  traderId: string | null
  level: number
  model: Model
  sourceType: 'trade' | 'deposit' | 'revenue' | 'override'
  symbol: string | null
  lots: bigint
  occurredAt: number
  planVersionId: string
  currency: string
  amount: bigint
  detail: LineDetail
}
/** Why a source earns no commission. */
export type Skipped =
  | 'demo'
  | 'assumed_closed'
  | 'void'
  | 'too_short'
  | 'nobody'
  | 'no_plan'
  | 'no_rule'
  | 'monthly'
  | 'no_rate'
  | 'too_large'

const inCurrency = (minor: bigint, from: string, to: string, convert: Convert): Fraction =>
  converted(whole(minor), from, to, convert(from, to))

/** Returns the revenue of a trade, which is the client's cost: spread and commission, less the swap paid to them. */
export const calculateRevenue = ({ spread, commission, swap }: Trade): bigint =>
  (spread ?? 0n) + (commission < 0n ? -commission : commission) - swap

/** Returns why a trade earns nothing under any plan; null if it may earn. */
export function whyNot(trade: Omit<Trade, 'id' | 'lots' | 'spread' | 'commission' | 'swap'>): Skipped | null {
  const { isDemo, liveSince, assumed, openedAt, closedAt, currency, traderId } = trade
  if (trade.void === 1) return 'void'
  if (isDemo !== 0 || currency === null || traderId === null) return isDemo === 1 ? 'demo' : 'nobody'
  // a trade of a demo account stays one after the account becomes live
  if (liveSince !== null && openedAt < liveSince) return 'demo'
  if (assumed === 1) return 'assumed_closed'
  return closedAt - openedAt < LEAST_HELD ? 'too_short' : null
}

const buildLines = (
  shares: readonly Share[],
  terms: Terms,
  common: Omit<Wanted, 'affiliateId' | 'level' | 'sourceType' | 'planVersionId' | 'currency' | 'amount' | 'detail'>,
  type: Wanted['sourceType'],
  detail: Partial<LineDetail>,
): Wanted[] =>
  shares.map(({ affiliateId, level, rate, amount, cut }) => ({
    ...common,
    affiliateId,
    level,
    amount,
    planVersionId: terms.id,
    currency: terms.currency,
    sourceType: level === 1 ? type : 'override',
    detail: { rate, ...(cut && { cut }), ...detail },
  }))

/**
 * Returns what a trade earns the affiliates above its client, or why nothing. Throws `MissingRate`. `tell` gets every
 * step. RULES “Commissions”.
 */
export function buildTradeLines(
  trade: Trade,
  chain: readonly Member[],
  convert: Convert,
  tell?: (step: Step) => void,
): Wanted[] | Skipped {
  const why = whyNot(trade)
  if (why !== null) return why
  const terms = chain[0]?.terms
  if (chain.length === 0) return 'nobody'
  if (!terms) return 'no_plan'
  const rule = findTradeRule(terms, trade.symbol, trade.closedAt)
  if (!rule) return 'no_rule'
  if (rule.model === 'revenue' || rule.model === 'cpa') return 'monthly'
  const { currency } = terms
  const own = trade.currency ?? currency
  const revenue = inCurrency(calculateRevenue(trade), own, currency, convert)
  const noSpread = rule.model === 'spread' && trade.spread === null
  // a negative spread, a price better than asked, is not shared
  const spread = trade.spread !== null && trade.spread > 0n ? trade.spread : 0n
  const charged = trade.commission < 0n ? -trade.commission : trade.commission
  const base: Fraction =
    rule.model === 'lot'
      ? { n: trade.lots, d: LOT }
      : noSpread
        ? ZERO
        : inCurrency(rule.model === 'spread' ? spread : charged, own, currency, convert)
  tell?.({
    key: `affiliates.step.base.${rule.model}`,
    values: {
      lots: formatLots(trade.lots),
      symbol: trade.symbol,
      currency,
      pattern: rule.symbols.join(', '),
      amount: formatFraction(toUnits(base, currency)),
    },
  })
  if (noSpread) tell?.({ key: 'affiliates.step.no_spread', values: {} })
  const shares = shareOut({
    chain,
    model: rule.model,
    base,
    revenue,
    convert,
    findRule: (other) => findTradeRule(other, trade.symbol, trade.closedAt),
    ...(tell && { tell: (key, values) => tell({ key, values }) }),
  })
  const { id, traderId, symbol, lots, closedAt } = trade
  const common = { source: `trade:${id}`, traderId, model: rule.model, symbol, lots, occurredAt: closedAt }
  return buildLines(shares, terms, common, 'trade', noSpread ? { noSpread: true } : {})
}

/** The revenue from the time of one chain above the clients, in minor units of the month's currency. */
export type Stretch = { chain: readonly Member[]; revenue: Fraction }
/** A month of one affiliate: its terms, its revenue, and the loss carried into it. */
type Month = {
  affiliateId: string
  month: string
  endsAt: number
  terms: Terms
  /** Whether the affiliate has a plan now; without one, only a loss is carried over. */
  hasPlan: boolean
  stretches: readonly Stretch[]
  carried: Fraction
}

/**
 * Returns what a month's revenue earns an affiliate and those above. If the month with its carried loss is below zero,
 * it earns nothing and is carried over. A loss reduces the revenue of each chain in proportion.
 */
export function buildMonthLines(
  { affiliateId, month, endsAt, terms, hasPlan, stretches, carried }: Month,
  convert: Convert,
  tell?: (step: Step) => void,
): Wanted[] {
  const findRule = (other: Terms) =>
    other.rules.find((rule) => rule.model === 'revenue' && (rule.from === undefined || Date.parse(rule.from) <= endsAt))
  const add = (sum: Fraction, stretch: Stretch): Fraction => plus(sum, stretch.revenue)
  const revenue = stretches.reduce(add, ZERO)
  const sum = plus(revenue, carried)
  const base = sum.n > 0n ? sum : ZERO
  // under a plan of another model no revenue is shared, but a loss is kept
  if (sum.n >= 0n && !(hasPlan && findRule(terms))) return []
  const text = (minor: Fraction): string => formatFraction(toUnits(minor, terms.currency))
  tell?.({
    key: 'affiliates.step.base.revenue',
    values: { month, revenue: text(revenue), carried: text(carried), amount: text(base), currency: terms.currency },
  })
  const gains = stretches.filter((stretch) => stretch.revenue.n > 0n)
  const gained = gains.reduce(add, ZERO)
  const alone: Stretch[] = [{ chain: [{ affiliateId, terms, earns: false }], revenue: ZERO }]
  const shares = shareOut(
    ...(isZero(base) ? alone : gains).map(({ chain, revenue: own }) => {
      const part = isZero(base) ? ZERO : takePart(base, own, gained)
      const teller = tell && { tell: (key: Step['key'], values: Step['values']) => tell({ key, values }) }
      return { chain, model: 'revenue' as const, base: part, revenue: part, convert, findRule, ...teller }
    }),
  )
  const common = {
    source: `revenue:${affiliateId}:${month}`,
    traderId: null,
    symbol: null,
    lots: 0n,
    occurredAt: endsAt,
  }
  return buildLines(shares, terms, { ...common, model: 'revenue' }, 'revenue', {
    revenue: text(revenue),
    carried: text(minus(sum, base)),
  })
}

/** A deposit that qualifies its client as acquired. */
export type Acquisition = {
  traderId: string
  depositId: string
  amount: bigint
  currency: string
  settledAt: number
  qualifiedAt: number
}

/** The amount that one acquisition counts as at most, in the firm's currency. */
export type MaxAcquisition = { amount: string; currency: string }

/**
 * Returns what a client's qualifying deposit earns those who brought the client. A deposit has no revenue, so the
 * plan's cap applies to the most that the firm lets one client earn.
 */
export function buildDepositLines(
  { traderId, amount, currency, qualifiedAt }: Acquisition,
  chain: readonly Member[],
  convert: Convert,
  findRule: (terms: Terms) => Terms['rules'][number] | undefined,
  most: MaxAcquisition,
  tell?: (step: Step) => void,
): Wanted[] {
  const terms = chain[0]?.terms
  if (!terms) return []
  const revenue = inCurrency(roundAmount(most.amount, most.currency), most.currency, terms.currency, convert)
  tell?.({ key: 'affiliates.step.base.cpa', values: { amount: formatAmount(amount, currency), currency } })
  const shares = shareOut({
    chain,
    model: 'cpa',
    base: whole(1n),
    revenue,
    convert,
    findRule,
    ...(tell && { tell: (key, values) => tell({ key, values }) }),
  })
  const common = {
    source: `cpa:${traderId}`,
    traderId,
    model: 'cpa',
    symbol: null,
    lots: 0n,
    occurredAt: qualifiedAt,
  } as const
  return buildLines(shares, terms, common, 'deposit', {})
}
