import { sql } from 'drizzle-orm'
import type { Reader } from '../../../platform/db/reader.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Quote } from '../../books/fx/fx.quotes.ts'
import { tradesFrom } from './closed-trades.ts'
import { commissionLines, type MonthsDone, commissionRuns as runs } from './commissions.table.ts'
import { findTradeRule, type Member, MissingRate, type Terms } from './compute.ts'
import type { DayRates } from './day-rates.ts'
import { OF_FAILED } from './differences.ts'
import { converted, type Fraction, formatFraction, isZero, plus, toMinor, toUnits, whole, ZERO } from './fraction.ts'
import { type Borders, createMonthBorders, type Period, previousMonth } from './month-borders.ts'
import { buildMonthLines, calculateRevenue, type Stretch, type Wanted, whyNot } from './sources.ts'
import { broughtTrades, type TermsBook } from './terms.ts'

/** The revenue of a month for one affiliate, by the chain that was above the client when a trade closed. */
type Stretches = Map<string, { members: Omit<Member, 'terms'>[]; revenue: Fraction }>
/** The revenue of each affiliate's clients in a month, and the rates that each one lacks. */
type Revenue = { revenue: Map<string, Stretches>; missing: Map<string, Map<string, MissingRate>> }
type Month = Period & Revenue

const sumRevenue = (stretches: Stretches): Fraction =>
  [...stretches.values()].reduce((sum, { revenue }) => plus(sum, revenue), ZERO)

const termsAt = (book: TermsBook, affiliateId: string, at: number): Terms | null =>
  book.chainAt(affiliateId, at, () => false)[0]?.terms ?? null

/** Returns a rate, or the error if it is missing. */
function quoteOr(find: () => Quote): Quote | MissingRate {
  try {
    return find()
  } catch (error) {
    if (error instanceof MissingRate) return error
    throw error
  }
}

/** At most this many trades are in memory at once. */
const TRADES_AT_ONCE = 5000

/**
 * Returns the revenue of a month by affiliate, in the currency of the affiliate's plan at its end. An affiliate who is
 * moved, suspended or activated during the month has a part in the trades that closed while they were in the chain and
 * active. Nobody has a part in trades of their own.
 */
function sumMonthRevenue(db: Reader, book: TermsBook, rates: DayRates, period: Period, only: string | null): Revenue {
  const found: Map<string, Stretches> = new Map()
  const missing: Revenue['missing'] = new Map()
  for (let place: [number, string] = [period.from, '']; ; ) {
    const trades = tradesFrom(db, place, period.to, TRADES_AT_ONCE)
    const traderIds = [...new Set(trades.flatMap(({ traderId }) => traderId ?? []))]
    const brought = broughtTrades(book, trades)
    const isSame = book.sameAs(traderIds)
    for (const trade of trades) {
      const { traderId, closedAt, symbol, currency } = trade
      const affiliateId = brought(trade)
      if (affiliateId === null || traderId === null || currency === null || whyNot(trade) !== null) continue
      // nobody gains from trades of their own; whether an affiliate is the client is judged today, which must not hide
      // a loss
      if (isSame(traderId, affiliateId) && calculateRevenue(trade) >= 0n) continue
      if (only !== null && affiliateId !== only) continue
      const chain = book.chainAt(affiliateId, closedAt, (id) => isSame(traderId, id))
      const then = chain[0]?.terms
      if (!then || findTradeRule(then, symbol, closedAt)?.model !== 'revenue') continue
      const into = book.lastTermsAt(affiliateId, period.to - 1)?.currency ?? then.currency
      const quote = quoteOr(() => rates.at(closedAt)(currency, into))
      if (quote instanceof MissingRate) {
        const known = missing.get(affiliateId) ?? new Map()
        missing.set(affiliateId, known.set(quote.message, quote))
        continue
      }
      const minor = converted(whole(calculateRevenue(trade)), currency, into, quote)
      const members = chain.map(({ affiliateId: id, earns }) => ({ affiliateId: id, earns }))
      const stretches: Stretches = found.get(affiliateId) ?? new Map()
      const key = members.map(({ affiliateId: id, earns }) => `${id} ${earns}`).join()
      stretches.set(key, { members, revenue: plus(stretches.get(key)?.revenue ?? ZERO, minor) })
      found.set(affiliateId, stretches)
    }
    const last = trades.at(-1)
    if (trades.length < TRADES_AT_ONCE || !last) return { revenue: found, missing }
    place = [last.closedAt, last.id]
  }
}

const CARRIED = statement(
  sql`SELECT ${commissionLines.detail} ->> 'carried' AS carried, ${commissionLines.contra} AS contra,
    ${commissionLines.currency} AS currency FROM ${commissionLines}
  WHERE ${commissionLines.tenantId} = ?1 AND ${commissionLines.source} = ?2 AND ${commissionLines.level} = 1
    AND NOT ${OF_FAILED}
  ORDER BY ${commissionLines.revision} DESC, ${commissionLines.contra} DESC LIMIT 1`,
)

const DONE = statement(
  sql`SELECT ${runs.months} AS months FROM ${runs} WHERE ${runs.tenantId} = ?1 AND ${runs.dryRun} = 0
    AND ${runs.status} IN ('computing', 'closed') AND ${runs.months} <> '{}' ORDER BY ${runs.createdAt}, ${runs.id}`,
)
/** Returns the months that runs have computed, each as the last run computed it. */
const monthsDone = (db: Reader): MonthsDone =>
  Object.assign({}, ...db.query<{ months: string }>(DONE).map(({ months }): MonthsDone => JSON.parse(months)))

/** A loss that a month left, in minor units of a currency. */
type Left = { minor: Fraction; currency: string }

type Sources = { db: Reader; book: TermsBook; rates: DayRates; timeZone: string }
type Tell = Parameters<typeof buildMonthLines>[2]

/** What the months of a firm are computed from: sources, what runs found, and the borders. */
type Months = Omit<Sources, 'timeZone'> & {
  known: (name: string) => MonthsDone[string] | undefined
  borders: Borders
  monthAt: (name: string) => Month
}

/**
 * Returns the months of a firm's affiliates, computed from its trades; the trades of a month are read once. `only`
 * selects one affiliate; `done` has the months that this batch computed and may not have written yet.
 */
export function createMonths(
  { db, book, rates, timeZone }: Sources,
  { only = null, done = {} }: { only?: string | null; done?: MonthsDone } = {},
) {
  const before = monthsDone(db)
  const known = (name: string): MonthsDone[string] | undefined => done[name] ?? before[name]
  const borders = createMonthBorders(timeZone, known)
  const read = new Map<string, Month>()

  function monthAt(name: string): Month {
    const found = read.get(name)
    if (found) return found
    const { from, to } = borders.getPeriod(name)
    const month = { from, to, ...sumMonthRevenue(db, book, rates, { from, to }, only) }
    read.set(name, month)
    return month
  }
  const months: Months = { db, book, rates, known, borders, monthAt }

  return {
    getPeriod: borders.getPeriod,
    /** Returns the first month that waits for a rate since an earlier run; undefined if none does. */
    firstWaiting: (): string | undefined =>
      Object.entries({ ...before, ...done })
        .filter(([, { waiting }]) => waiting.length > 0)
        .map(([name]) => name)
        .sort()[0],
    isDone: (name: string): boolean => known(name) !== undefined,
    /** Returns how many affiliates' clients had revenue in a month. */
    earnersIn: (name: string): number => monthAt(name).revenue.size,
    /** Returns the rates that a month lacks, each once for an affiliate. */
    missingIn: (name: string): MissingRate[] =>
      [...monthAt(name).missing.values()].flatMap((rates) => [...rates.values()]),
    /** Returns what a month earns an affiliate and those above. Throws `MissingRate`. */
    wanted: (affiliateId: string, name: string, tell?: Tell): Wanted[] => wantedIn(months, affiliateId, name, tell),
  }
}

/**
 * Returns the revenue of an affiliate's clients in a month, by chain. Throws `MissingRate` if a rate is missing for any
 * part of it.
 */
function stretchesIn({ monthAt }: Months, name: string, affiliateId: string): Stretches {
  const { revenue, missing } = monthAt(name)
  // a month that lacks a rate gets no line, since a part of it may be larger than the whole
  for (const lacks of missing.get(affiliateId)?.values() ?? []) throw lacks
  return revenue.get(affiliateId) ?? new Map()
}

function bookedAfter(db: Reader, affiliateId: string, name: string): Left | undefined {
  type Row = { carried: string | null; contra: number; currency: string }
  const [row] = db.query<Row>(CARRIED, [`revenue:${affiliateId}:${name}`])
  if (row?.contra !== 0 || row.carried === null) return undefined
  return { minor: toMinor(row.carried, row.currency), currency: row.currency }
}

/** Returns the loss that an affiliate carries into a month, in the currency of their plan at its end. */
function carriedInto(months: Months, affiliateId: string, name: string, currency: string, endsAt: number): Fraction {
  const left = leftAfter(months, affiliateId, previousMonth(name))
  if (!left || isZero(left.minor)) return ZERO
  if (left.currency === currency) return left.minor
  return converted(left.minor, left.currency, currency, months.rates.at(endsAt)(left.currency, currency))
}

/**
 * Returns the loss that a month left: as booked, or computed from its trades if it had no run or waits for a rate.
 * Throws `MissingRate`.
 */
function leftAfter(months: Months, affiliateId: string, name: string): Left | undefined {
  const { db, book, known, borders } = months
  const isWaiting = known(name)?.waiting.includes(affiliateId)
  const booked = isWaiting ? undefined : bookedAfter(db, affiliateId, name)
  if (booked || isWaiting === false) return booked
  const since = book.findFirstTerms(affiliateId)
  if (since === undefined || borders.endOfMonth(name) <= since) return undefined
  const endsAt = borders.endOfMonth(name) - 1
  const terms = book.lastTermsAt(affiliateId, endsAt)
  if (!terms) return undefined
  const { currency } = terms
  // earlier months come first: if one of them lacks a rate, the trades of this one need not be read
  const carried = carriedInto(months, affiliateId, name, currency, endsAt)
  const sum = plus(sumRevenue(stretchesIn(months, name, affiliateId)), carried)
  // it is rounded as on the month's line
  return sum.n < 0n ? { minor: toMinor(formatFraction(toUnits(sum, currency)), currency), currency } : undefined
}

function wantedIn(months: Months, affiliateId: string, name: string, tell?: Tell): Wanted[] {
  const { book, rates, borders } = months
  const endsAt = borders.endOfMonth(name) - 1
  const terms = book.lastTermsAt(affiliateId, endsAt)
  if (!terms) return []
  const stretches: Stretch[] = [...stretchesIn(months, name, affiliateId).values()].map(({ members, revenue }) => ({
    chain: members.map((member) => ({ ...member, terms: termsAt(book, member.affiliateId, endsAt) })),
    revenue,
  }))
  const carried = carriedInto(months, affiliateId, name, terms.currency, endsAt)
  if (stretches.every(({ revenue }) => isZero(revenue)) && isZero(carried)) return []
  const hasPlan = termsAt(book, affiliateId, endsAt) !== null
  const sources = { affiliateId, month: name, endsAt, terms, hasPlan, stretches, carried }
  return buildMonthLines(sources, rates.at(endsAt), tell)
}
