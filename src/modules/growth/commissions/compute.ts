import { fitsWildcard } from '../../../platform/wildcard.ts'
import type { SentenceKey } from '../../../words/say.ts'
import type { Quote } from '../../books/fx/fx.quotes.ts'
import type { Model, PlanVersionRow, Rule } from '../affiliates/plans.table.ts'
import {
  converted,
  cutDown,
  type Fraction,
  formatFraction,
  isLess,
  isZero,
  larger,
  minus,
  parseFraction,
  plus,
  rounded,
  times,
  toMinor,
  toUnits,
  ZERO,
} from './fraction.ts'

/** The terms of a plan at a moment. */
export type Terms = Pick<
  PlanVersionRow,
  'id' | 'planId' | 'number' | 'currency' | 'rules' | 'override' | 'splits' | 'maxLevels' | 'cap'
>
/** One affiliate of a chain. Even one that earns nothing reduces, by its rate, what those above get. */
export type Member = { affiliateId: string; terms: Terms | null; earns: boolean }
/** Returns the rate of the source's day; throws `MissingRate` if there is none. */
export type Convert = (from: string, to: string) => Quote

/** What one affiliate gets, in minor units of the governing plan's currency. */
export type Share = {
  affiliateId: string
  level: number
  rate: string
  amount: bigint
  cut: boolean
}
/** A step of the calculation, for `explain`: a sentence and its values. */
export type Step = { key: SentenceKey; values: Record<string, string | number> }
type Tell = (key: SentenceKey, values: Record<string, string | number>) => void

/** Thrown if a rate is missing; the source then gets no line until the rate exists. */
export class MissingRate extends Error {
  override name = 'MissingRate'
  constructor(
    readonly currency: string,
    readonly day: string,
  ) {
    super(`no rate for ${currency} on ${day}`)
  }
}

const holds = ({ from }: Rule, at: number): boolean => from === undefined || Date.parse(from) <= at

/** Returns the rule for a trade: the first trade rule whose symbols match. */
export const findTradeRule = ({ rules }: Pick<Terms, 'rules'>, symbol: string, at: number): Rule | undefined =>
  rules.find(
    (rule) => rule.model !== 'cpa' && holds(rule, at) && rule.symbols.some((pattern) => fitsWildcard(pattern, symbol)),
  )

/** Returns the rules for acquisitions that apply at a moment, in the plan's order. */
export const listDepositRules = ({ rules }: Pick<Terms, 'rules'>, at: number): Rule[] =>
  rules.filter((rule) => rule.model === 'cpa' && holds(rule, at))

/** Returns whether a model's rate is an amount in the plan's currency; otherwise it is a share. */
const isAmount = (model: Model): boolean => model === 'lot' || model === 'cpa'

type Chained = {
  chain: readonly Member[]
  model: Model
  /** What the rate is multiplied by: lots, minor units, or 1. */
  base: Fraction
  /** Returns the rule for this source in a member's terms, of whatever model. */
  findRule: (terms: Terms) => Rule | undefined
  /** The source's revenue, or the amount that stands for it, in minor units of the governing currency. */
  revenue: Fraction
  convert: Convert
  tell?: Tell
}

/** Returns a member's rate in minor units of the governing plan's currency, or as a share. */
function getRate(member: Member, { model, findRule, convert }: Chained, currency: string): Fraction {
  const rule = member.terms && findRule(member.terms)
  if (!member.terms || rule?.model !== model) return ZERO
  if (!isAmount(model)) return parseFraction(rule.rate)
  const own = toMinor(rule.rate, member.terms.currency)
  if (member.terms.currency === currency) return own
  return converted(own, member.terms.currency, currency, convert(member.terms.currency, currency))
}

type Part = { affiliateId: string; level: number; earns: boolean; rate: string; amount: Fraction; cut: boolean }

/** Returns each member's part before rounding, and the limit of their sum. */
function calculateParts(source: Chained): { parts: Part[]; limit: Fraction } {
  const { chain, model, base, revenue, tell } = source
  const [lowest] = chain
  if (!lowest?.terms) return { parts: [], limit: ZERO }
  const { currency, override, splits, maxLevels, cap } = lowest.terms
  const money = (minor: Fraction): string => formatFraction(toUnits(minor, currency))
  const unit = isAmount(model) ? money : formatFraction
  let below = ZERO
  const first = getRate(lowest, source, currency)
  const parts = chain.slice(0, maxLevels).map((member, index): Part => {
    // fixed shares divide the rate of the lowest plan, so plans above do not matter
    const own = index === 0 || override === 'split' ? first : getRate(member, source, currency)
    const gained = larger(ZERO, minus(own, below))
    const share = override === 'split' ? times(first, parseFraction(splits[index] ?? '0')) : gained
    below = larger(below, own)
    const { affiliateId, earns } = member
    const amount = earns ? times(base, share) : ZERO
    const values = { level: index + 1, rate: unit(own), share: unit(share), amount: money(amount) }
    tell?.(earns ? 'affiliates.step.level' : 'affiliates.step.no_earner', values)
    return { affiliateId, earns, level: index + 1, rate: unit(share), amount, cut: false }
  })
  const limit = times(larger(ZERO, revenue), parseFraction(cap))
  let over = minus(
    parts.reduce((sum, { amount }) => plus(sum, amount), ZERO),
    limit,
  )
  if (isLess(ZERO, over)) tell?.('affiliates.step.cap', { cap, limit: money(limit), over: money(over) })
  for (const part of parts.toReversed()) {
    if (!isLess(ZERO, over)) break
    if (isZero(part.amount)) continue
    const off = isLess(part.amount, over) ? part.amount : over
    part.amount = minus(part.amount, off)
    part.cut = true
    over = minus(over, off)
  }
  return { parts, limit }
}

/** Adds up the parts that an affiliate has in several chains at the same level. */
function joinParts(lists: readonly Part[][]): Part[] {
  const merged = new Map<string, Part>()
  for (const part of lists.flat()) {
    const key = `${part.level} ${part.affiliateId}`
    const known = merged.get(key)
    const { amount, cut, earns } = part
    const sum = { amount: plus(known?.amount ?? ZERO, amount), cut: cut || known?.cut === true }
    // the line shows a rate that earned something, if there is one
    const rate = known?.earns && !earns ? known.rate : part.rate
    merged.set(key, { ...part, ...sum, rate, earns: earns || known?.earns === true })
  }
  return [...merged.values()].sort((a, b) => a.level - b.level)
}

/**
 * Returns each affiliate's share of one source by the plan of the lowest affiliate. That one gets its own rate, and
 * each level above gets the part of its rate above all rates below, or a fixed split. Together they get at most the
 * plan's cap of the revenue, with the highest level cut first. Several chains, as in a month, are added up before; then
 * each share is rounded once, half to even. Throws `MissingRate`. RULES “Commissions”.
 */
export function shareOut(...sources: Chained[]): Share[] {
  const found = sources.map(calculateParts)
  const shares = joinParts(found.map(({ parts }) => parts)).map((part) => ({ ...part, amount: rounded(part.amount) }))
  // if several levels were rounded up, their sum must not exceed the cap by a few minor units
  const limit = found.map((one) => one.limit).reduce(plus, ZERO)
  let over = shares.reduce((sum, { amount }) => sum + amount, 0n) - cutDown(limit)
  for (const share of shares.toReversed()) {
    if (over <= 0n) break
    const left = share.amount - over
    over = left < 0n ? -left : 0n
    share.amount = left < 0n ? 0n : left
  }
  const isRevenue = sources[0]?.model === 'revenue'
  return (
    shares
      // the loss that a month carries over is stored on the line of its first level, even if that level earns nothing
      .filter(({ level, amount, earns, cut }) => (level === 1 ? earns || isRevenue : earns && (amount !== 0n || cut)))
      .map(({ earns: _, ...share }) => share)
  )
}
