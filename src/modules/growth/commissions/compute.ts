import type { Word } from '../../../words/say.ts'
import type { Quote } from '../../books/fx/fx.quotes.ts'
import type { Model, PlanVersionRow, Rule } from '../affiliates/plans.table.ts'
import {
  converted,
  cutDown,
  decimalOf,
  type Fraction,
  fractionOf,
  isLess,
  isZero,
  larger,
  minorOf,
  minus,
  plus,
  rounded,
  times,
  unitsOf,
  ZERO,
} from './fraction.ts'

/** The terms of a plan at a moment. */
export type Terms = Pick<
  PlanVersionRow,
  'id' | 'planId' | 'number' | 'currency' | 'rules' | 'override' | 'splits' | 'maxLevels' | 'cap'
>
/** One affiliate of a chain. Where they earn nothing, their rate is still taken off what those above get. */
export type Member = { affiliateId: string; terms: Terms | null; earns: boolean }
/** The rate of the day of the source. Throws `MissingRate` where there is none. */
export type Convert = (from: string, to: string) => Quote

/** What one affiliate of the chain gets, in minor units of the governing plan's currency. */
export type Share = {
  affiliateId: string
  level: number
  rate: string
  amount: bigint
  cut: boolean
}
/** A step of the calculation, for `explain`: a sentence and its values. */
export type Step = { word: Word; values: Record<string, string | number> }
type Tell = (word: Word, values: Record<string, string | number>) => void

/** A rate was not there: nothing is made of the source until it is. */
export class MissingRate extends Error {
  override name = 'MissingRate'
  constructor(
    readonly currency: string,
    readonly day: string,
  ) {
    super(`no rate for ${currency} on ${day}`)
  }
}

/** Whether a symbol fits a pattern such as `EUR*`; a star stands for anything, upper and lower case are the same. */
export function fits(pattern: string, symbol: string): boolean {
  const parts = pattern.toUpperCase().split('*')
  const text = symbol.toUpperCase()
  const [first = '', ...rest] = parts
  if (!text.startsWith(first)) return false
  if (rest.length === 0) return text === first
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

const holds = ({ from }: Rule, at: number): boolean => from === undefined || Date.parse(from) <= at

/** The rule that a trade falls under: the first one of those for trades whose symbols fit. */
export const ruleOfTrade = ({ rules }: Pick<Terms, 'rules'>, symbol: string, at: number): Rule | undefined =>
  rules.find((rule) => rule.model !== 'cpa' && holds(rule, at) && rule.symbols.some((pattern) => fits(pattern, symbol)))

/** The rules for acquisitions that hold at a moment, in their order. */
export const rulesOfDeposit = ({ rules }: Pick<Terms, 'rules'>, at: number): Rule[] =>
  rules.filter((rule) => rule.model === 'cpa' && holds(rule, at))

/** Whether a rate is an amount of the plan's currency, and not a share. */
const isAmount = (model: Model): boolean => model === 'lot' || model === 'cpa'

type Chained = {
  chain: readonly Member[]
  model: Model
  /** What a rate is multiplied by: lots, minor units, or 1. */
  base: Fraction
  /** The rule under which this source falls by the terms of a member, of whatever model. */
  ruleOf: (terms: Terms) => Rule | undefined
  /** Minor units of the governing currency that the source brought, or counts as. */
  revenue: Fraction
  convert: Convert
  tell?: Tell
}

/** A member's rate in minor units of the governing plan's currency, or as a share. */
function rateOf(member: Member, { model, ruleOf, convert }: Chained, currency: string): Fraction {
  const rule = member.terms && ruleOf(member.terms)
  if (!member.terms || rule?.model !== model) return ZERO
  if (!isAmount(model)) return fractionOf(rule.rate)
  const own = minorOf(rule.rate, member.terms.currency)
  if (member.terms.currency === currency) return own
  return converted(own, member.terms.currency, currency, convert(member.terms.currency, currency))
}

type Part = { affiliateId: string; level: number; earns: boolean; rate: string; amount: Fraction; cut: boolean }

/** What a source brings each of a chain, not rounded, and how much it may be together. */
function partsOf(source: Chained): { parts: Part[]; limit: Fraction } {
  const { chain, model, base, revenue, tell } = source
  const [lowest] = chain
  if (!lowest?.terms) return { parts: [], limit: ZERO }
  const { currency, override, splits, maxLevels, cap } = lowest.terms
  const money = (minor: Fraction): string => decimalOf(unitsOf(minor, currency))
  const unit = isAmount(model) ? money : decimalOf
  let below = ZERO
  const first = rateOf(lowest, source, currency)
  const parts = chain.slice(0, maxLevels).map((member, index): Part => {
    // fixed shares are shares of the lowest rate: what the plans above say does not matter then
    const own = index === 0 || override === 'split' ? first : rateOf(member, source, currency)
    const gained = larger(ZERO, minus(own, below))
    const share = override === 'split' ? times(first, fractionOf(splits[index] ?? '0')) : gained
    below = larger(below, own)
    const { affiliateId, earns } = member
    const amount = earns ? times(base, share) : ZERO
    const values = { level: index + 1, rate: unit(own), share: unit(share), amount: money(amount) }
    tell?.(earns ? 'affiliates.step.level' : 'affiliates.step.no_earner', values)
    return { affiliateId, earns, level: index + 1, rate: unit(share), amount, cut: false }
  })
  const limit = times(larger(ZERO, revenue), fractionOf(cap))
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

/** The parts that somebody has of several chains at one level become one. */
function together(lists: readonly Part[][]): Part[] {
  const merged = new Map<string, Part>()
  for (const part of lists.flat()) {
    const key = `${part.level} ${part.affiliateId}`
    const known = merged.get(key)
    const { amount, cut, earns } = part
    const sum = { amount: plus(known?.amount ?? ZERO, amount), cut: cut || known?.cut === true }
    // the rate shown is one by which something was earned
    const rate = known?.earns && !earns ? known.rate : part.rate
    merged.set(key, { ...part, ...sum, rate, earns: earns || known?.earns === true })
  }
  return [...merged.values()].sort((a, b) => a.level - b.level)
}

/**
 * What each affiliate of a chain gets of one source, by the plan of the lowest: its own rate, above that what each
 * level's rate exceeds the rates below (or a fixed split), together at most the plan's cap of the revenue, the highest
 * level cut first; rounded once, half to even. Of several chains, as a month has them, all are added up before.
 * Throws `MissingRate`. RULES “Commissions”.
 */
export function shareOut(...sources: Chained[]): Share[] {
  const found = sources.map(partsOf)
  const shares = together(found.map(({ parts }) => parts)).map((part) => ({ ...part, amount: rounded(part.amount) }))
  // rounding up at several levels must not exceed the cap by a few minor units
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
      // what a month carries on stands on the line of its first level, whether that one earns or not
      .filter(({ level, amount, earns, cut }) => (level === 1 ? earns || isRevenue : earns && (amount !== 0n || cut)))
      .map(({ earns: _, ...share }) => share)
  )
}
