import type { Ctx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import type { ConnectionRow } from '../connections/connections.table.ts'
import { MOVEMENT_KINDS } from '../findings/findings.table.ts'
import { findReport } from './day-end.ts'
import { type DayDeal, type DayLogin, readDeals, readFindings, readInFlight, readLogins } from './read-day.queries.ts'

/** A day, from its first moment to that of the next one. */
export type Stretch = { day: string; from: number; to: number }

/** What moved balances in a day. `unknowns` counts movements that nobody owns, whose amounts may sum to zero. */
type Movements = Record<'transfersIn' | 'transfersOut' | 'trading' | 'owned' | 'unknown', bigint> & {
  unknowns: number
}
/** What was found of the day, and the differences of balances that a person explained. */
type Found = { open: number; closed: number; explained: bigint }
type Reported = Record<'balance' | 'negative' | 'credit' | 'equity' | 'owed' | 'inFlight', bigint> & {
  accounts: number
  equityAt: number | null
}
/** What was measured of a day in one currency. */
export type Measured = Movements & Found & Reported
/** By day, and by currency. */
type ByDay = Map<string, Map<string, Measured>>

/** Returns a day on which nothing was and nothing happened. */
export const measureNothing = (): Measured => ({
  transfersIn: 0n,
  transfersOut: 0n,
  trading: 0n,
  owned: 0n,
  unknown: 0n,
  unknowns: 0,
  open: 0,
  closed: 0,
  explained: 0n,
  accounts: 0,
  balance: 0n,
  negative: 0n,
  credit: 0n,
  equity: 0n,
  equityAt: null,
  owed: 0n,
  inFlight: 0n,
})

/** Returns by how much all movements of a day changed balances. */
export const sumMovements = ({ transfersIn, transfersOut, trading, owned, unknown }: Omit<Movements, 'unknowns'>) =>
  transfersIn - transfersOut + trading + owned + unknown

/** A piece of logins is measured with its deals in about so many milliseconds, during which everybody else waits. */
const AT_ONCE = 10
const LARGEST_PIECE = 200

type Asked = {
  /** Days that follow one another. */
  days: readonly Stretch[]
  /** Whether the first of them is the first day of the connection, of which only its own deals are looked at. */
  isFirst: boolean
  /** Whether balances are measured too, for which all later deals are read. */
  balances: boolean
}

/** Adds what a deal moved to its day. */
function addMovement(sums: Measured, deal: DayDeal, closed: ReadonlySet<string>): void {
  const { kind, transferId, number, effect } = deal
  if (effect === 0n) return
  if (transferId !== null) {
    if (effect > 0n) sums.transfersIn += effect
    else sums.transfersOut -= effect
  } else if (kind === 'trade' || kind === 'cost' || kind === 'agent') sums.trading += effect
  else if (kind === 'compensation') sums.owned += effect
  else if (closed.has(number)) {
    sums.owned += effect
    sums.closed += 1
  } else {
    sums.unknown += effect
    sums.unknowns += 1
  }
}

/** Adds what a login had at the end of a day. */
function addReport(sums: Measured, login: DayLogin, balance: bigint, midnight: number): void {
  const { credit, equity, at } = findReport(login, midnight)
  sums.accounts += 1
  sums.balance += balance
  if (balance < 0n) sums.negative += balance
  sums.credit += BigInt(credit)
  sums.equity += BigInt(equity)
  sums.owed += BigInt(Math.max(0, equity - credit))
  sums.equityAt = Math.min(sums.equityAt ?? at, at)
}

/** What is known of a connection's findings. */
type Findings = ReturnType<typeof readFindings>

const isOfMovement = (kind: string): boolean => MOVEMENT_KINDS.some((one) => one === kind)

/** Returns the deals that nobody knew of and that a person explained since. */
function listExplained(findings: Findings): Set<string> {
  const movements = findings.filter(({ kind }) => isOfMovement(kind))
  const closed = new Set(movements.flatMap(({ state, healed, subject }) => (isClosed(state, healed) ? subject : [])))
  for (const { state, subject } of movements) if (state === 'open') closed.delete(subject)
  return closed
}
const isClosed = (state: string, healed: number): boolean => state === 'closed' && healed === 0

/** Returns what the balance of a login was at a moment beside its deals, without what a person explained later. */
const findBase = ({ base }: DayLogin, findings: Findings, at: number): bigint =>
  findings.reduce(
    (sum, { kind, state, healed, amount, createdAt }) =>
      kind === 'balance_differs' && isClosed(state, healed) && createdAt >= at ? sum - BigInt(amount ?? 0) : sum,
    BigInt(base),
  )

/** A report and the deals of a login may be of moments that are so far apart. */
const APART = 10 * MINUTE

/**
 * Returns what the balance of a login was at a midnight: what its deals make of it, and by how much the last report
 * before differs from what they make of it then. A report of a minute before lacks what was traded in that minute, and
 * one that was on its way while somebody traded has some of that or none: it differs only where it fits at no moment
 * near.
 */
function findBalance(login: DayLogin, deals: readonly DayDeal[], findings: Findings, midnight: number): bigint {
  const report = findReport(login, midnight)
  const effects = deals.toSorted((one, other) => one.at - other.at)
  const all = findBase(login, findings, midnight) + BigInt(login.explained)
  const sumSince = (at: number): bigint => effects.reduce((sum, one) => (one.at >= at ? sum + one.effect : sum), 0n)
  const balance = all - sumSince(midnight)
  if (report.at >= midnight) return balance
  const reported = BigInt(report.balance)
  let expected = all - sumSince(report.at - APART)
  let fits = expected === reported
  for (const { at, effect } of effects) {
    if (at < report.at - APART || at >= report.at + APART) continue
    expected += effect
    fits ||= expected === reported
  }
  return fits ? balance : balance + reported - (all - sumSince(report.at))
}

/** Adds a login with its deals and findings to the days. */
function addLogin(
  login: DayLogin,
  deals: readonly DayDeal[],
  findings: Findings,
  { days, isFirst, balances }: Asked,
  open: (day: string) => { sums: Measured; closed: ReadonlySet<string> },
): void {
  for (const deal of deals) {
    // what moved before a login was first seen counts when it is first counted
    const at = isFirst ? deal.at : Math.max(deal.at, login.createdAt)
    const day = days.find(({ from, to }) => at >= from && at < to && login.createdAt < to)
    if (day) {
      const { sums, closed } = open(day.day)
      addMovement(sums, deal, closed)
    }
  }
  for (const { day, from, to } of days) {
    if (login.createdAt >= to) continue
    const { sums } = open(day)
    if (balances) addReport(sums, login, findBalance(login, deals, findings, to), to)
    for (const { kind, state, healed, amount, createdAt } of findings) {
      if (isOfMovement(kind) || createdAt < from || createdAt >= to) continue
      if (state === 'open') sums.open += 1
      else if (isClosed(state, healed)) {
        sums.closed += 1
        if (kind === 'balance_differs') sums.explained += BigInt(amount ?? 0)
      }
    }
  }
}

/**
 * Returns from when on the deals of a login are read: from its first one where it is first counted in these days, and
 * else from its last report before their end, where balances are measured.
 */
function findFrom(login: DayLogin, since: number, { days, isFirst, balances }: Asked): number {
  const [first] = days
  const begin = Math.max(since, login.registeredAt)
  if (first === undefined || (!isFirst && login.createdAt >= first.from)) return begin
  const reported = balances ? findReport(login, first.to).at - APART : first.from
  return Math.max(begin, Math.min(first.from, reported))
}

/**
 * Measures days of a connection, some logins at a time: each is read with its deals at one moment, so that a deal that
 * comes meanwhile is in both its balance and its movements or in neither.
 */
export async function measureDays(ctx: Ctx, row: ConnectionRow, asked: Asked): Promise<ByDay> {
  const { days, balances } = asked
  const from = days[0]?.from ?? 0
  const until = balances ? Number.MAX_SAFE_INTEGER : (days.at(-1)?.to ?? 0)
  const byDay: ByDay = new Map(days.map(({ day }) => [day, new Map()]))
  const findIn = (day: string, currency: string): Measured => {
    const known = byDay.get(day)?.get(currency) ?? measureNothing()
    byDay.get(day)?.set(currency, known)
    return known
  }
  let size = LARGEST_PIECE / 4
  for (let after = '', isMore = true; isMore; ) {
    const began = performance.now()
    const findings = Map.groupBy(readFindings(ctx.db, row.id, from - DAY), ({ login }) => login)
    const logins = readLogins(ctx.db, row.id, after, size)
    const begins = logins.map((login) => [login.login, findFrom(login, row.since, asked)] as const)
    const deals = Map.groupBy(readDeals(ctx.db, row.id, Object.fromEntries(begins), until), ({ login }) => login)
    for (const login of logins) {
      const own = findings.get(login.login) ?? []
      const closed = listExplained(own)
      const open = (day: string) => ({ sums: findIn(day, login.currency), closed })
      addLogin(login, deals.get(login.login) ?? [], own, asked, open)
    }
    after = logins.at(-1)?.login ?? ''
    isMore = logins.length === size
    const took = performance.now() - began
    size = Math.max(1, Math.min(LARGEST_PIECE, Math.round((size * AT_ONCE) / took)))
    await Bun.sleep(0)
  }
  if (balances)
    for (const { day, to } of days)
      for (const [currency, amount] of readInFlight(ctx.db, row.id, to)) findIn(day, currency).inFlight = amount
  return byDay
}
