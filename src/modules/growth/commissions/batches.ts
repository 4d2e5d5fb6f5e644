import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { traderAffiliations } from '../affiliates/affiliates.table.ts'
import { findAcquisition, listCreditedDeposits, readMaxAcquisition, ruleMet } from './acquisitions.ts'
import { changedTrades, firstChanged, type Trade, tradesFrom } from './closed-trades.ts'
import { commissionLines, type MonthsDone, type RunResult } from './commissions.table.ts'
import { MissingRate } from './compute.ts'
import { createDayRates, type DayRates } from './day-rates.ts'
import { differences, type NewLine, OF_FAILED } from './differences.ts'
import { nextMonth, previousMonth, toMonth } from './month-borders.ts'
import { createMonths } from './months.ts'
import { storableLines } from './overflow-check.ts'
import { buildDepositLines, buildTradeLines, type Skipped, type Wanted } from './sources.ts'
import { broughtTrades, readTermsBook, type TermsBook } from './terms.ts'

/** The phases of a run, in their order. */
export const PHASES = ['trades', 'late', 'deposits', 'months'] as const
type Phase = (typeof PHASES)[number]

/** What a batch is to compute. Days are instants; `since` and `covered` say what earlier runs have seen. */
type Order = {
  phase: Phase
  cursor: string
  fromAt: number
  toAt: number
  timeZone: string
  since: number | null
  covered: readonly (readonly [from: number, to: number])[]
  size: number
  /** The totals of the run before this batch. */
  totals: RunResult['totals']
}
/** The result of a batch, and where the next one begins; `phase` is null if there is none. */
export type Batch = {
  phase: Phase | null
  cursor: string
  sources: number
  lines: NewLine[]
  skipped: Partial<Record<Skipped, number>>
  missing: { currency: string; day: string }[]
  months: MonthsDone
}

type Work = {
  db: Reader
  order: Order
  book: TermsBook
  rates: DayRates
  months: ReturnType<typeof createMonths>
  batch: Batch
}

const isCovered = ({ covered }: Order, at: number): boolean => covered.some(([from, to]) => at >= from && at < to)
const isDue = (order: Order, at: number): boolean => (at >= order.fromAt && at < order.toAt) || isCovered(order, at)

const skip = ({ batch }: Work, why: Skipped): void => {
  batch.skipped[why] = (batch.skipped[why] ?? 0) + 1
}

/** Runs a calculation. If a rate is missing, that is noted, and the source gets no line. */
function unlessMissing<T>(work: Work, run: () => T): T | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof MissingRate)) throw error
    skip(work, 'no_rate')
    note(work, error)
    return undefined
  }
}

function note({ batch: { missing } }: Work, { currency, day }: MissingRate): void {
  const known = missing.some((one) => one.currency === currency && one.day === day)
  if (!known && missing.length < 100) missing.push({ currency, day })
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
    const found = unlessMissing(work, () => buildTradeLines(trade, chain, rates.at(closedAt)))
    if (found === undefined) continue
    sources.push(`trade:${trade.id}`)
    if (typeof found === 'string') skip(work, found)
    else wanted.push(...found)
  }
  batch.sources += trades.length
  batch.lines.push(...differences(db, sources, wanted))
}

function readCursor(cursor: string, start: number): [number, string] {
  const [at = '', id = ''] = cursor.split(' ')
  return cursor === '' ? [start, ''] : [Number(at), id]
}

function takePeriodTrades(work: Work): void {
  const { db, order, batch } = work
  const trades = tradesFrom(db, readCursor(order.cursor, order.fromAt), order.toAt, order.size)
  takeTrades(work, trades)
  const last = trades.at(-1)
  batch.cursor = trades.length < order.size || !last ? '' : `${last.closedAt} ${last.id}`
}

function tradesThatChanged(work: Work): void {
  const { db, order, batch } = work
  if (order.since === null) return
  const trades = changedTrades(db, readCursor(order.cursor, order.since), order.size)
  takeTrades(
    work,
    trades.filter(({ closedAt }) => isCovered(order, closedAt)),
  )
  const last = trades.at(-1)
  batch.cursor = trades.length < order.size || !last ? '' : `${last.changedAt} ${last.id}`
}

/** The client into whom a client was finally merged, else the client. */
const LAST = sql`coalesce(${traders.mergedInto}, ${traders.id})`
const family = alias(traders, 'family')
// a person is acquired once, whichever of the merged rows was brought
const BROUGHT = statement(
  sql`SELECT DISTINCT ${listed({ id: traders.id, person: LAST })} FROM ${traderAffiliations}
  CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${traderAffiliations.traderId}
  WHERE ${traderAffiliations.tenantId} = ?1 AND ${traderAffiliations.traderId} > ?2
    AND NOT EXISTS (SELECT 1 FROM ${commissionLines} WHERE ${commissionLines.tenantId} = ?1
      AND ${commissionLines.source} = 'cpa:' || ${LAST} AND NOT ${OF_FAILED})
    AND NOT EXISTS (SELECT 1 FROM ${traders} ${family} CROSS JOIN ${commissionLines} ON ${commissionLines.tenantId} = ?1
      AND ${commissionLines.source} = 'cpa:' || ${family.id} AND NOT ${OF_FAILED}
      WHERE ${family.tenantId} = ?1 AND ${family.mergedInto} = ${LAST})
  ORDER BY ${traders.id} LIMIT ?3`,
)

function firstDeposits(work: Work): void {
  const { db, order, book, rates, batch } = work
  if (!book.knows('cpa')) return
  const clients = db.query<{ id: string; person: string }>(BROUGHT, [order.cursor, order.size])
  const ids = clients.map(({ id }) => id)
  const personByClient = new Map(clients.map(({ id, person }) => [id, person]))
  const brought = book.broughtBy(ids)
  const isSame = book.sameAs(ids)
  const byTrader = Map.groupBy(listCreditedDeposits(db, ids, order.toAt), ({ traderId }) => traderId)
  const most = readMaxAcquisition(db)
  const wanted: Wanted[] = []
  const acquired = new Set<string | undefined>()
  for (const [traderId, list] of byTrader) {
    const found = unlessMissing(work, () => {
      const first = findAcquisition(db, book, rates, list, (at) => brought(traderId, at))
      const affiliateId = first ? brought(traderId, first.settledAt) : null
      if (!first || affiliateId === null || !isDue(order, first.qualifiedAt)) return []
      const chain = book.chainAt(affiliateId, first.settledAt, (id) => isSame(traderId, id))
      return buildDepositLines(first, chain, rates.at(first.settledAt), ruleMet(first, rates), most)
    })
    const person = personByClient.get(traderId)
    if (found === undefined || found.length === 0 || acquired.has(person)) continue
    acquired.add(person)
    wanted.push(...found)
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

/**
 * Returns the months that end within this run or an earlier one, beginning with the first that may have changed or
 * waits for a rate.
 */
function monthsDue({ db, order, months }: Work): string[] {
  const { fromAt, toAt, timeZone, since, covered } = order
  const end = Math.max(toAt, ...covered.map(([, to]) => to))
  // a change in a month without a run counts too, since the next month starts with what that month left
  const changed = since === null ? null : firstChanged(db, since, end)
  const first = Math.min(fromAt, changed ?? fromAt)
  const waiting = months.firstWaiting()
  const begin = toMonth(first, timeZone)
  const due: string[] = []
  // in the firm's time zone of that time, the first change may belong to the neighbouring month
  let month = previousMonth(waiting !== undefined && waiting < begin ? waiting : begin)
  for (; ; month = nextMonth(month)) {
    const { from, to } = months.getPeriod(month)
    if (from >= end) return due
    const isFirst = to > first || (waiting !== undefined && month >= waiting)
    if (isFirst && (months.isDone(month) || (to <= end && isDue(order, to - 1)))) due.push(month)
  }
}

function earnedInMonths(work: Work): void {
  const { db, order, book, batch, months } = work
  if (!book.knows('revenue')) return
  const month = monthsDue(work).find((one) => one > order.cursor)
  if (month === undefined) return
  for (const lacks of months.missingIn(month)) note(work, lacks)
  const wanted: Wanted[] = []
  const sources: string[] = []
  const waiting: string[] = []
  for (const affiliateId of book.ids) {
    const found = unlessMissing(work, () => months.wanted(affiliateId, month))
    if (found === undefined) {
      waiting.push(affiliateId)
      continue
    }
    sources.push(`revenue:${affiliateId}:${month}`)
    wanted.push(...found)
  }
  batch.sources += months.earnersIn(month)
  batch.lines.push(...differences(db, sources, wanted))
  batch.months[month] = { ...months.getPeriod(month), waiting }
  batch.cursor = month
}

const RUN: Readonly<Record<Phase, (work: Work) => void>> = {
  trades: takePeriodTrades,
  late: tradesThatChanged,
  deposits: firstDeposits,
  months: earnedInMonths,
}

/** Computes one batch of a run without writing it. RULES “Commissions”. */
export function runBatch(db: Reader, order: Order): Batch {
  const batch: Batch = {
    phase: order.phase,
    cursor: order.cursor,
    sources: 0,
    lines: [],
    skipped: {},
    missing: [],
    months: {},
  }
  const [book, rates] = [readTermsBook(db), createDayRates(db, order.timeZone)]
  const months = createMonths({ db, book, rates, timeZone: order.timeZone }, { done: batch.months })
  // the next phase reads what this one writes, so it follows in this batch only if there is nothing to write
  while (batch.phase !== null && batch.lines.length === 0) {
    const { phase, cursor } = batch
    batch.cursor = ''
    const work = { db, order: { ...order, phase, cursor }, book, rates, months, batch }
    RUN[phase](work)
    const { lines, tooLarge } = storableLines(db, order.totals, batch.lines)
    batch.lines = lines
    for (let n = 0; n < tooLarge; n += 1) skip(work, 'too_large')
    if (batch.cursor === '') batch.phase = PHASES[PHASES.indexOf(phase) + 1] ?? null
  }
  return batch
}
