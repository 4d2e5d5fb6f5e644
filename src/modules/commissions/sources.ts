import { sql } from 'drizzle-orm'
import { SECOND } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { formatAmount } from '../../platform/money.ts'
import { addDays, dayOf, startOfDay } from '../../platform/zone.ts'
import { accounts } from '../accounts/accounts.table.ts'
import type { Model } from '../affiliates/plans.table.ts'
import { quoteAt } from '../fx/fx.at.ts'
import { type Quote, SAME_CURRENCY } from '../fx/fx.quotes.ts'
import { formatLots, LOT } from '../positions/lots.ts'
import { positions } from '../positions/positions.table.ts'
import type { LineDetail } from './commissions.table.ts'
import {
  type Convert,
  type Member,
  MissingRate,
  ruleOfTrade,
  type Share,
  type Step,
  shareOut,
  type Terms,
} from './compute.ts'
import { converted, decimalOf, type Fraction, isZero, minus, partOf, plus, unitsOf, whole, ZERO } from './fraction.ts'

/** A position held for less earns nothing. Fixed by RULES “Commissions”. */
const LEAST_HELD = 180 * SECOND

/** A closed position as commissions see it; amounts are minor units of `currency`, lots units of 0.00000001 lot. */
export type Trade = {
  id: string
  traderId: string | null
  /** Whose the account was before clients were merged. */
  owner: string | null
  symbol: string
  lots: bigint
  currency: string | null
  spread: bigint | null
  commission: bigint
  swap: bigint
  openedAt: number
  closedAt: number
  isDemo: number | null
  liveSince: number | null
  assumedClosed: number
}

/** What a source should bring one affiliate: a line without its run and revision. */
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
/** Why a source brings nobody anything. */
export type Skipped =
  | 'demo'
  | 'assumed_closed'
  | 'too_short'
  | 'nobody'
  | 'no_plan'
  | 'no_rule'
  | 'monthly'
  | 'no_rate'
  | 'too_large'

type TradeRow = Omit<Trade, 'lots' | 'spread' | 'commission' | 'swap'> & {
  lots: number
  spread: number | null
  commission: number
  swap: number
}
/** Whose a trade is, before clients were merged: of the account it is on. */
export const OWNER = sql`coalesce(${accounts.firstTraderId}, ${positions.traderId})`
const FIELDS = listed({
  id: positions.id,
  traderId: positions.traderId,
  owner: OWNER,
  symbol: positions.symbol,
  lots: positions.openedVolume,
  currency: positions.currency,
  spread: positions.spread,
  commission: positions.commission,
  swap: positions.swap,
  openedAt: positions.openedAt,
  closedAt: positions.closedAt,
  isDemo: accounts.isDemo,
  liveSince: accounts.liveSince,
  assumedClosed: positions.assumedClosed,
})
const WITH_ACCOUNT = sql`${positions} LEFT JOIN ${accounts} ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${positions.accountId}`
const CLOSED = sql`${positions.tenantId} = ?1 AND ${positions.status} = 'closed'`
const IN_PERIOD = statement(
  sql`SELECT ${FIELDS} FROM ${WITH_ACCOUNT} WHERE ${CLOSED} AND ${positions.closedAt} < ?4
  AND (${positions.closedAt}, ${positions.id}) > (?2, ?3) ORDER BY ${positions.closedAt}, ${positions.id} LIMIT ?5`,
)
const CHANGED = statement(
  sql`SELECT ${FIELDS}, ${positions.updatedAt} AS changedAt FROM ${WITH_ACCOUNT} WHERE ${CLOSED}
  AND (${positions.updatedAt}, ${positions.id}) > (?2, ?3) ORDER BY ${positions.updatedAt}, ${positions.id} LIMIT ?4`,
)
const FIRST_CHANGED = statement(
  sql`SELECT min(${positions.closedAt}) AS first FROM ${positions} WHERE ${CLOSED} AND ${positions.updatedAt} >= ?2
  AND ${positions.closedAt} < ?3`,
)
const ONE = statement(sql`SELECT ${FIELDS} FROM ${WITH_ACCOUNT} WHERE ${CLOSED} AND ${positions.id} = ?2`)

const toTrade = (row: TradeRow): Trade => ({
  ...row,
  lots: BigInt(row.lots),
  spread: row.spread === null ? null : BigInt(row.spread),
  commission: BigInt(row.commission),
  swap: BigInt(row.swap),
})

/** Positions closed before `until`, from a place (`closedAt`, `id`) on. */
export const tradesFrom = (db: Reader, after: [number, string], until: number, limit: number): Trade[] =>
  db.query<TradeRow>(IN_PERIOD, [...after, until, limit]).map(toTrade)
/** Closed positions that changed after a moment, from a place (`updatedAt`, `id`) on. */
export const changedTrades = (db: Reader, after: [number, string], limit: number): (Trade & { changedAt: number })[] =>
  db
    .query<TradeRow & { changedAt: number }>(CHANGED, [...after, limit])
    .map((row) => ({ ...toTrade(row), changedAt: row.changedAt }))
/** When the first of the positions was closed that changed since a moment and were closed before another one. */
export const firstChanged = (db: Reader, since: number, before: number): number | null =>
  db.query<{ first: number | null }>(FIRST_CHANGED, [since, before])[0]?.first ?? null
/** One closed position. */
export const tradeOf = (db: Reader, id: string): Trade | undefined => db.query<TradeRow>(ONE, [id]).map(toTrade)[0]

/** Rates of the day of a moment, in the firm's zone: those that held at the day's end. */
export function ratesOfDay(db: Reader, timeZone: string) {
  const known = new Map<string, Quote | undefined>()
  const ends = new Map<string, number>()
  const endOf = (day: string): number => {
    const end = ends.get(day) ?? startOfDay(addDays(day, 1), timeZone) - 1
    ends.set(day, end)
    return end
  }
  let lastHour = Number.NaN
  let lastDay = ''
  const day = (at: number): string => {
    // a zone's calendar costs more than all the rest of a trade: within one hour the day changes at its end at most
    const hour = Math.floor(at / (900 * SECOND))
    if (hour === lastHour) return lastDay
    lastHour = hour
    lastDay = dayOf(at, timeZone)
    return lastDay
  }
  return {
    at: (moment: number): Convert => {
      const today = day(moment)
      return (from, to) => {
        if (from === to) return SAME_CURRENCY
        const key = `${today} ${from} ${to}`
        if (!known.has(key)) known.set(key, quoteAt(db, from, to, endOf(today)))
        const quote = known.get(key)
        if (!quote) throw new MissingRate(from, today)
        return quote
      }
    },
  }
}
export type DayRates = ReturnType<typeof ratesOfDay>

const inCurrency = (minor: bigint, from: string, to: string, convert: Convert): Fraction =>
  converted(whole(minor), from, to, convert(from, to))

/** What a trade cost the client and brought the firm: spread and commission, less the swap that was paid. */
export const revenueOf = ({ spread, commission, swap }: Trade): bigint =>
  (spread ?? 0n) + (commission < 0n ? -commission : commission) - swap

/** Why a trade earns nobody anything whatever the plan; null where it may. */
export function whyNot(trade: Omit<Trade, 'lots'>): Skipped | null {
  const { isDemo, liveSince, assumedClosed, openedAt, closedAt, currency, traderId } = trade
  if (isDemo !== 0 || currency === null || traderId === null) return isDemo === 1 ? 'demo' : 'nobody'
  // what was traded with nobody's money does not become a trade by what the account is called later
  if (liveSince !== null && openedAt < liveSince) return 'demo'
  if (assumedClosed === 1) return 'assumed_closed'
  return closedAt - openedAt < LEAST_HELD ? 'too_short' : null
}

const linesOf = (
  shares: readonly Share[],
  terms: Terms,
  common: Omit<Wanted, 'affiliateId' | 'level' | 'sourceType' | 'planVersionId' | 'currency' | 'amount' | 'detail'>,
  type: Wanted['sourceType'],
  detail: Partial<LineDetail>,
): Wanted[] =>
  shares.map(({ affiliateId, level, rate, amount, cut }) => ({
    ...common,
    ...{ affiliateId, level, amount, planVersionId: terms.id, currency: terms.currency },
    sourceType: level === 1 ? type : 'override',
    detail: { rate, ...(cut && { cut }), ...detail },
  }))

/**
 * What a trade brings the affiliates above its client, or why nothing. Throws `MissingRate`. `tell` hears every step.
 * RULES “Commissions”.
 */
export function wantedOfTrade(
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
  const rule = ruleOfTrade(terms, trade.symbol, trade.closedAt)
  if (!rule) return 'no_rule'
  if (rule.model === 'revenue' || rule.model === 'cpa') return 'monthly'
  const { currency } = terms
  const own = trade.currency ?? currency
  const revenue = inCurrency(revenueOf(trade), own, currency, convert)
  const noSpread = rule.model === 'spread' && trade.spread === null
  // a platform may report that a client was served better than asked: of that nobody takes a share
  const spread = trade.spread !== null && trade.spread > 0n ? trade.spread : 0n
  const charged = trade.commission < 0n ? -trade.commission : trade.commission
  const base: Fraction =
    rule.model === 'lot'
      ? { n: trade.lots, d: LOT }
      : noSpread
        ? ZERO
        : inCurrency(rule.model === 'spread' ? spread : charged, own, currency, convert)
  tell?.({
    word: `affiliates.step.base.${rule.model}`,
    values: {
      ...{ lots: formatLots(trade.lots), symbol: trade.symbol, currency, pattern: rule.symbols.join(', ') },
      amount: rule.model === 'lot' ? formatLots(trade.lots) : decimalOf(unitsOf(base, currency)),
    },
  })
  if (noSpread) tell?.({ word: 'affiliates.step.no_spread', values: {} })
  const shares = shareOut({
    ...{ chain, model: rule.model, base, revenue, convert },
    ruleOf: (other) => ruleOfTrade(other, trade.symbol, trade.closedAt),
    ...(tell && { tell: (word, values) => tell({ word, values }) }),
  })
  const { id, traderId, symbol, lots, closedAt } = trade
  const common = { source: `trade:${id}`, traderId, model: rule.model, symbol, lots, occurredAt: closedAt }
  return linesOf(shares, terms, common, 'trade', noSpread ? { noSpread: true } : {})
}

/** What clients brought while one chain stood above them, in minor units of the month's currency. */
export type Stretch = { chain: readonly Member[]; revenue: Fraction }
/** A month of one affiliate: by whose terms, what clients brought, and what was carried into it. */
type Month = {
  affiliateId: string
  month: string
  endsAt: number
  terms: Terms
  /** Whether these are terms that hold: of who has no plan now only a loss is carried on. */
  hasPlan: boolean
  stretches: readonly Stretch[]
  carried: Fraction
}

/**
 * What a month's revenue brings an affiliate and those above; a month below zero, with what was carried into it, brings
 * nothing and is carried on. What is to be made up for is taken from each stretch by its size.
 */
export function wantedOfMonth(
  { affiliateId, month, endsAt, terms, hasPlan, stretches, carried }: Month,
  convert: Convert,
  tell?: (step: Step) => void,
): Wanted[] {
  const ruleOf = (other: Terms) =>
    other.rules.find((rule) => rule.model === 'revenue' && (rule.from === undefined || Date.parse(rule.from) <= endsAt))
  const add = (sum: Fraction, stretch: Stretch): Fraction => plus(sum, stretch.revenue)
  const revenue = stretches.reduce(add, ZERO)
  const sum = plus(revenue, carried)
  const base = sum.n > 0n ? sum : ZERO
  // by another plan nothing is shared, yet what is below zero stays so
  if (sum.n >= 0n && !(hasPlan && ruleOf(terms))) return []
  const text = (minor: Fraction): string => decimalOf(unitsOf(minor, terms.currency))
  tell?.({
    word: 'affiliates.step.base.revenue',
    values: { month, revenue: text(revenue), carried: text(carried), amount: text(base), currency: terms.currency },
  })
  const gains = stretches.filter((stretch) => stretch.revenue.n > 0n)
  const gained = gains.reduce(add, ZERO)
  const alone: Stretch[] = [{ chain: [{ affiliateId, terms, earns: false }], revenue: ZERO }]
  const shares = shareOut(
    ...(isZero(base) ? alone : gains).map(({ chain, revenue: own }) => {
      const part = isZero(base) ? ZERO : partOf(base, own, gained)
      const told = tell && { tell: (word: Step['word'], values: Step['values']) => tell({ word, values }) }
      return { chain, model: 'revenue' as const, base: part, revenue: part, convert, ruleOf, ...told }
    }),
  )
  const common = {
    source: `revenue:${affiliateId}:${month}`,
    traderId: null,
    symbol: null,
    lots: 0n,
    occurredAt: endsAt,
  }
  return linesOf(shares, terms, { ...common, model: 'revenue' }, 'revenue', {
    revenue: text(revenue),
    carried: text(minus(sum, base)),
  })
}

/** A first deposit that qualifies. */
export type Acquisition = {
  traderId: string
  depositId: string
  amount: bigint
  currency: string
  settledAt: number
  qualifiedAt: number
}

/** What a client's qualifying deposit brings those who brought the client, once. */
export function wantedOfDeposit(
  { traderId, amount, currency, qualifiedAt }: Acquisition,
  chain: readonly Member[],
  convert: Convert,
  ruleOf: (terms: Terms) => Terms['rules'][number] | undefined,
  tell?: (step: Step) => void,
): Wanted[] {
  const terms = chain[0]?.terms
  if (!terms) return []
  tell?.({ word: 'affiliates.step.base.cpa', values: { amount: formatAmount(amount, currency), currency } })
  const shares = shareOut({
    ...{ chain, model: 'cpa', base: whole(1n), revenue: null, convert, ruleOf },
    ...(tell && { tell: (word, values) => tell({ word, values }) }),
  })
  const common = {
    source: `cpa:${traderId}`,
    traderId,
    model: 'cpa',
    symbol: null,
    lots: 0n,
    occurredAt: qualifiedAt,
  } as const
  return linesOf(shares, terms, common, 'deposit', {})
}
