import { sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { traderAffiliations } from '../affiliates/affiliates.table.ts'
import { deposits } from '../deposits/deposits.table.ts'
import { LOT } from '../positions/lots.ts'
import { positions } from '../positions/positions.table.ts'
import { traders } from '../traders/traders.table.ts'
import { commissionLines, type RunResult } from './commissions.table.ts'
import { fits, MissingRate, rulesOfDeposit, type Terms } from './compute.ts'
import { differences, type NewLine, OF_FAILED } from './differences.ts'
import { converted, fractionOf, isLess, minorOf, plus, whole, ZERO } from './fraction.ts'
import { beginOf, monthOf, nextMonth, periodOf, revenueOfMonth, wantedOfAffiliate } from './months.ts'
import type { Rule } from './plans.table.ts'
import {
  type Acquisition,
  changedTrades,
  type DayRates,
  firstChanged,
  ratesOfDay,
  type Skipped,
  type Trade,
  tradesFrom,
  type Wanted,
  wantedOfDeposit,
  wantedOfTrade,
  whyNot,
} from './sources.ts'
import { storableLines } from './storable.ts'
import { broughtTrades, type TermsBook, termsOf } from './terms.ts'

/** Phases of a run in their order. */
export const PHASES = ['trades', 'late', 'deposits', 'months'] as const
export type Phase = (typeof PHASES)[number]

/** What a batch is asked: days as instants; `since` and `covered` tell what earlier runs have seen. */
export type Order = {
  phase: Phase
  cursor: string
  fromAt: number
  toAt: number
  timeZone: string
  since: number | null
  covered: readonly (readonly [from: number, to: number])[]
  size: number
  /** What the run found before this batch. */
  totals: RunResult['totals']
}
/** What a batch found, and where the next one begins; `phase` is null when there is none. */
export type Batch = {
  phase: Phase | null
  cursor: string
  sources: number
  lines: NewLine[]
  skipped: Partial<Record<Skipped, number>>
  missing: { currency: string; day: string }[]
}

type Work = { db: Reader; order: Order; book: TermsBook; rates: DayRates; batch: Batch }

const isCovered = ({ covered }: Order, at: number): boolean => covered.some(([from, to]) => at >= from && at < to)
const isDue = (order: Order, at: number): boolean => (at >= order.fromAt && at < order.toAt) || isCovered(order, at)

const skip = ({ batch }: Work, why: Skipped): void => {
  batch.skipped[why] = (batch.skipped[why] ?? 0) + 1
}

/** Runs a calculation; a rate that is missing is noted, and nothing is made of the source. */
function unlessMissing<T>(work: Work, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof MissingRate)) throw error
    skip(work, 'no_rate')
    const { currency, day } = error
    const { missing } = work.batch
    const known = missing.some((one) => one.currency === currency && one.day === day)
    if (!known && missing.length < 100) missing.push({ currency, day })
    return undefined
  }
}

function takeTrades(work: Work, trades: readonly Trade[]): void {
  const { db, book, rates, batch } = work
  const traderIds = [...new Set(trades.flatMap(({ traderId }) => traderId ?? []))]
  const brought = broughtTrades(book, trades)
  const isSame = book.sameAs(traderIds)
  const wanted: Wanted[] = []
  const sources: string[] = []
  for (const trade of trades) {
    const { traderId, closedAt } = trade
    const affiliateId = brought(trade)
    const chain =
      affiliateId === null || traderId === null ? [] : book.chainAt(affiliateId, closedAt, (id) => isSame(traderId, id))
    const found = unlessMissing(work, () => wantedOfTrade(trade, chain, rates.at(closedAt)))
    if (found === undefined) continue
    sources.push(`trade:${trade.id}`)
    if (typeof found === 'string') skip(work, found)
    else wanted.push(...found)
  }
  batch.sources += trades.length
  batch.lines.push(...differences(db, sources, wanted))
}

/** Where a cursor points: a time and an id. */
function placeOf(cursor: string, start: number): [number, string] {
  const [at = '', id = ''] = cursor.split(' ')
  return cursor === '' ? [start, ''] : [Number(at), id]
}

function tradesOfPeriod(work: Work): void {
  const { db, order, batch } = work
  const trades = tradesFrom(db, placeOf(order.cursor, order.fromAt), order.toAt, order.size)
  takeTrades(work, trades)
  const last = trades.at(-1)
  batch.cursor = trades.length < order.size || !last ? '' : `${last.closedAt} ${last.id}`
}

function tradesThatChanged(work: Work): void {
  const { db, order, batch } = work
  if (order.since === null) return
  const trades = changedTrades(db, placeOf(order.cursor, order.since), order.size)
  takeTrades(
    work,
    trades.filter(({ closedAt }) => isCovered(order, closedAt)),
  )
  const last = trades.at(-1)
  batch.cursor = trades.length < order.size || !last ? '' : `${last.changedAt} ${last.id}`
}

const BROUGHT = statement(
  sql`SELECT DISTINCT ${traderAffiliations.traderId} AS id FROM ${traderAffiliations} WHERE ${traderAffiliations.tenantId} = ?1
  AND ${traderAffiliations.traderId} > ?2 AND NOT EXISTS (SELECT 1 FROM ${commissionLines}
    WHERE ${commissionLines.tenantId} = ?1 AND ${commissionLines.source} = 'cpa:' || ${traderAffiliations.traderId}
      AND NOT ${OF_FAILED})
  AND NOT EXISTS (SELECT 1 FROM ${traders} JOIN ${commissionLines} ON ${commissionLines.tenantId} = ?1
    AND ${commissionLines.source} = 'cpa:' || ${traders.id} AND NOT ${OF_FAILED}
    WHERE ${traders.tenantId} = ?1 AND ${traders.mergedInto} = ${traderAffiliations.traderId})
  ORDER BY ${traderAffiliations.traderId} LIMIT ?3`,
)
const DEPOSITED = statement(
  sql`SELECT ${listed({
    depositId: deposits.id,
    traderId: deposits.traderId,
    currency: deposits.currency,
    amount: deposits.settledAmount,
    settledAt: deposits.settledAt,
  })} FROM ${deposits} INDEXED BY deposits_trader_settled
  WHERE ${deposits.tenantId} = ?1 AND ${deposits.traderId} IN (SELECT value FROM json_each(?2))
  AND ${deposits.settledAt} < ?3 ORDER BY ${deposits.settledAt}, ${deposits.id}`,
)
const TRADED = statement(
  sql`SELECT ${listed({
    symbol: positions.symbol,
    lots: positions.openedVolume,
    openedAt: positions.openedAt,
    closedAt: positions.closedAt,
    currency: positions.currency,
    traderId: positions.traderId,
    isDemo: accounts.isDemo,
    liveSince: accounts.liveSince,
    assumedClosed: positions.assumedClosed,
  })} FROM ${positions} JOIN ${accounts} ON ${accounts.tenantId} = ?1 AND ${accounts.id} = ${positions.accountId}
  WHERE ${positions.tenantId} = ?1 AND ${positions.traderId} = ?2 AND ${positions.status} = 'closed'
    AND ${positions.closedAt} >= ?3 ORDER BY ${positions.closedAt}, ${positions.id}`,
)

type Deposited = { depositId: string; traderId: string; currency: string; amount: number; settledAt: number }
type Traded = Omit<Trade, 'lots' | 'id' | 'owner' | 'spread' | 'commission' | 'swap'> & { lots: number }

/** When a client had traded so many lots after a moment; undefined while they have not. */
function tradedAt(db: Reader, traderId: string, rule: Rule, since: number): number | undefined {
  if (rule.minLots === undefined) return since
  const least = fractionOf(rule.minLots)
  let sum = ZERO
  for (const row of db.query<Traded>(TRADED, [traderId, since])) {
    const trade = { ...row, id: '', owner: null, lots: BigInt(row.lots), spread: null, commission: 0n, swap: 0n }
    if (whyNot(trade) !== null || !rule.symbols.some((pattern) => fits(pattern, row.symbol))) continue
    sum = plus(sum, { n: trade.lots, d: LOT })
    if (!isLess(sum, least)) return row.closedAt
  }
  return undefined
}

/** The rule of a plan that a deposit meets: the first one whose least amount it reaches. */
export const ruleMet = (deposit: Pick<Deposited, 'currency' | 'settledAt'> & { amount: bigint }, rates: DayRates) => {
  const { currency, amount, settledAt } = deposit
  return (terms: Terms): Rule | undefined =>
    rulesOfDeposit(terms, settledAt).find(({ minDeposit }) => {
      if (minDeposit === undefined) return true
      const quote = rates.at(settledAt)(currency, terms.currency)
      return !isLess(converted(whole(amount), currency, terms.currency, quote), minorOf(minDeposit, terms.currency))
    })
}

/** The first deposit of a client that a plan pays for, once they have traded enough; undefined where there is none. */
export function acquisitionOf(
  db: Reader,
  book: TermsBook,
  rates: DayRates,
  list: readonly Deposited[],
  affiliateAt: (at: number) => string | null,
): Acquisition | undefined {
  for (const { amount, ...deposit } of list) {
    const { traderId, settledAt } = deposit
    const affiliateId = affiliateAt(settledAt)
    const terms = affiliateId === null ? null : book.chainAt(affiliateId, settledAt, () => false)[0]?.terms
    const rule = terms && ruleMet({ ...deposit, amount: BigInt(amount) }, rates)(terms)
    if (!rule) continue
    const qualifiedAt = tradedAt(db, traderId, rule, settledAt)
    return qualifiedAt === undefined ? undefined : { ...deposit, amount: BigInt(amount), qualifiedAt }
  }
  return undefined
}

/** Deposits of one client that were credited before a moment, first to last. */
export const depositsOf = (db: Reader, traderIds: readonly string[], until: number): Deposited[] =>
  db.query<Deposited>(DEPOSITED, [JSON.stringify(traderIds), until])

function firstDeposits(work: Work): void {
  const { db, order, book, rates, batch } = work
  if (!book.knows('cpa')) return
  const ids = db.query<{ id: string }>(BROUGHT, [order.cursor, order.size]).map(({ id }) => id)
  const brought = book.broughtBy(ids)
  const isSame = book.sameAs(ids)
  const byTrader = Map.groupBy(depositsOf(db, ids, order.toAt), ({ traderId }) => traderId)
  const wanted: Wanted[] = []
  for (const [traderId, list] of byTrader) {
    const found = unlessMissing(work, () => {
      const acquired = acquisitionOf(db, book, rates, list, (at) => brought(traderId, at))
      const affiliateId = acquired ? brought(traderId, acquired.settledAt) : null
      if (!acquired || affiliateId === null || !isDue(order, acquired.qualifiedAt)) return []
      const chain = book.chainAt(affiliateId, acquired.settledAt, (id) => isSame(traderId, id))
      return wantedOfDeposit(acquired, chain, rates.at(acquired.settledAt), ruleMet(acquired, rates))
    })
    wanted.push(...(found ?? []))
  }
  batch.sources += byTrader.size
  batch.lines.push(
    ...differences(
      db,
      wanted.map(({ source }) => source),
      wanted,
    ),
  )
  batch.cursor = ids.length < order.size ? '' : (ids.at(-1) ?? '')
}

/** Months of which the last day is in the run or in an earlier one, from the first that may have changed on. */
function monthsDue({ db, order }: Work): string[] {
  const { fromAt, toAt, timeZone, since, covered } = order
  const changed = since === null ? null : firstChanged(db, since, covered)
  const first = Math.min(fromAt, changed ?? fromAt)
  const end = Math.max(toAt, ...covered.map(([, to]) => to))
  const months: string[] = []
  for (let month = monthOf(first, timeZone); beginOf(nextMonth(month), timeZone) <= end; month = nextMonth(month))
    if (isDue(order, beginOf(nextMonth(month), timeZone) - 1)) months.push(month)
  return months
}

function months(work: Work): void {
  const { db, order, book, rates, batch } = work
  if (!book.knows('revenue')) return
  const month = monthsDue(work).find((one) => one > order.cursor)
  if (month === undefined) return
  const period = periodOf(db, book, month, order.timeZone)
  const complete = new Set(book.ids)
  const revenue = revenueOfMonth(db, book, rates, period, null, (affiliateId, run) => {
    const added = unlessMissing(work, () => {
      run()
      return true
    })
    if (!added) complete.delete(affiliateId)
  })
  const wanted: Wanted[] = []
  const sources: string[] = []
  // of an affiliate's month that lacks a rate nothing is made: a part of it could be more than the whole
  for (const affiliateId of complete) {
    const found = unlessMissing(work, () => wantedOfAffiliate(db, book, rates, period, affiliateId, revenue))
    if (found === undefined) continue
    sources.push(`revenue:${affiliateId}:${month}`)
    wanted.push(...found)
  }
  batch.sources += revenue.size
  batch.lines.push(...differences(db, sources, wanted))
  batch.cursor = month
}

const RUN: Readonly<Record<Phase, (work: Work) => void>> = {
  trades: tradesOfPeriod,
  late: tradesThatChanged,
  deposits: firstDeposits,
  months,
}

/** One batch of a run, computed and not written. rules.md “Commissions”. */
export function runBatch(db: Reader, order: Order): Batch {
  const batch: Batch = { phase: order.phase, cursor: order.cursor, sources: 0, lines: [], skipped: {}, missing: [] }
  const [book, rates] = [termsOf(db), ratesOfDay(db, order.timeZone)]
  // a phase reads what the one before wrote: the next begins here only where there is nothing to be written
  while (batch.phase !== null && batch.lines.length === 0) {
    const { phase, cursor } = batch
    batch.cursor = ''
    const work = { db, order: { ...order, phase, cursor }, book, rates, batch }
    RUN[phase](work)
    const { lines, tooLarge } = storableLines(db, order.totals, batch.lines)
    batch.lines = lines
    for (let n = 0; n < tooLarge; n += 1) skip(work, 'too_large')
    if (batch.cursor === '') batch.phase = PHASES[PHASES.indexOf(phase) + 1] ?? null
  }
  return batch
}
