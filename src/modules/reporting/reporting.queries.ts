import type { Static } from '@sinclair/typebox'
import { type Column, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Ctx } from '../../platform/access/ctx.ts'
import { toIso } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import { invalid } from '../../platform/http/problem.ts'
import { formatAmount } from '../../platform/money.ts'
import { addDays, dayOf, startOfDay } from '../../platform/zone.ts'
import { deposits } from '../deposits/deposits.table.ts'
import { readFirmSettings } from '../tenants/firm-settings.ts'
import { traders } from '../traders/traders.table.ts'
import { withdrawals } from '../withdrawals/withdrawals.table.ts'
import type { Dashboard, DashboardQuery } from './reporting.model.ts'

const USUAL_DAYS = 30
const MOST_DAYS = 366
/** So many days are summed without a pause. */
const AT_ONCE = 31

// ?2 is a list of [day, from, to); each day is one range of an index
// that has all that is summed. CROSS JOIN keeps the days outside.
const DAYS = sql`json_each(?2) AS d`
const inDay = (column: Column) => sql`${column} >= (d.value ->> 1) AND ${column} < (d.value ->> 2)`
const moved = (of: typeof deposits | typeof withdrawals, at: Column, amount: Column) =>
  statement(
    sql`SELECT ${listed({
      day: sql`d.value ->> 0`,
      currency: of.currency,
      n: sql`count(*)`,
      total: sumOf(amount),
    })}
    FROM ${DAYS} CROSS JOIN ${of} ON ${of.tenantId} = ?1 AND ${inDay(at)} GROUP BY d.key, ${of.currency}`,
  )
const DEPOSITED = moved(deposits, deposits.settledAt, deposits.settledAmount)
const PAID = moved(withdrawals, withdrawals.paidAt, withdrawals.amount)
const REGISTERED = statement(
  sql`SELECT d.value ->> 0 AS day, count(*) AS n FROM ${DAYS}
  CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${inDay(traders.createdAt)} GROUP BY d.key`,
)
const earlier = alias(deposits, 'earlier')
const FIRST = statement(
  sql`SELECT d.value ->> 0 AS day, count(DISTINCT ${deposits.traderId}) AS n FROM ${DAYS}
  CROSS JOIN ${deposits} ON ${deposits.tenantId} = ?1 AND ${inDay(deposits.settledAt)}
  WHERE NOT EXISTS (SELECT 1 FROM ${deposits} ${earlier} WHERE ${earlier.tenantId} = ?1
    AND ${earlier.traderId} = ${deposits.traderId} AND ${earlier.settledAt} < ${deposits.settledAt})
  GROUP BY d.key`,
)
const WAITING = statement(
  sql`SELECT ${listed({
    what: sql`'deposits'`,
    currency: deposits.currency,
    n: sql`count(*)`,
    total: sumOf(deposits.amount),
  })}
  FROM ${deposits} WHERE ${deposits.tenantId} = ?1 AND ${deposits.status} = 'pending' GROUP BY ${deposits.currency}
  UNION ALL SELECT ${withdrawals.status}, ${withdrawals.currency}, count(*), ${sumOf(withdrawals.amount)}
  FROM ${withdrawals} WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.status} IN ('requested', 'approved')
  GROUP BY ${withdrawals.status}, ${withdrawals.currency}`,
)

type MovedRow = { day: string; currency: string; n: number; total: string }
type CountRow = { day: string; n: number }
type WaitingRow = { what: string; currency: string; n: number; total: string }
type Found = { deposited: MovedRow[]; paid: MovedRow[]; registered: CountRow[]; first: CountRow[] }
type Sum = { count: number; minor: bigint }

const NONE: Sum = { count: 0, minor: 0n }
const add = (a: Sum, b: Sum): Sum => ({ count: a.count + b.count, minor: a.minor + b.minor })
const shown = ({ count, minor }: Sum, currency: string) => ({ count, amount: formatAmount(minor, currency) })
const movedOut = (deposits: Sum, withdrawals: Sum, currency: string) => ({
  deposits: shown(deposits, currency),
  withdrawals: shown(withdrawals, currency),
  net: formatAmount(deposits.minor - withdrawals.minor, currency),
})

/** A day that books may have; a year far from today’s is a slip of the hand, and a 422 naming the field. */
function dayFrom(name: string, day: string): string {
  if (day < '1900' || day >= '3000') throw invalid(`query.${name}`, 'range', 'must be between 1900 and 2999')
  return day
}

/** First day and the day after the last one, each a day of the firm's zone. */
function periodOf(query: Static<typeof DashboardQuery>, today: string): { from: string; to: string } {
  const to = query.to === undefined ? null : dayFrom('to', query.to)
  const from = query.from === undefined ? null : dayFrom('from', query.from)
  const last = to ?? (from !== null && from > today ? addDays(from, 1) : addDays(today, 1))
  const first = from ?? addDays(last, -USUAL_DAYS)
  if (first >= last) throw invalid('query.to', 'order', 'must be after from')
  if (addDays(first, MOST_DAYS) < last)
    throw invalid('query.from', 'too_long', `at most ${MOST_DAYS} days are reported at once`)
  return { from: first, to: last }
}

/** Money in and out by day and currency, new clients by day, and what waits now. rules.md “Reports”. */
export async function readDashboard(ctx: Ctx, query: Static<typeof DashboardQuery>): Promise<Dashboard> {
  const { timeZone } = readFirmSettings(ctx.db)
  const now = ctx.now()
  const today = dayOf(now, timeZone)
  const { from, to } = periodOf(query, today)
  const days: { day: string; start: number; end: number }[] = []
  let start = startOfDay(from, timeZone)
  for (let day = from; day < to; day = addDays(day, 1)) {
    const end = startOfDay(addDays(day, 1), timeZone)
    days.push({ day, start, end })
    start = end
  }
  const found: Found = { deposited: [], paid: [], registered: [], first: [] }
  for (let at = 0; at < days.length; at += AT_ONCE) {
    // A year of a large firm takes a third of a second: others are served in between.
    if (at > 0) await Bun.sleep(0)
    const ranges = [JSON.stringify(days.slice(at, at + AT_ONCE).map(({ day, start, end }) => [day, start, end]))]
    found.deposited.push(...ctx.db.query<MovedRow>(DEPOSITED, ranges))
    found.paid.push(...ctx.db.query<MovedRow>(PAID, ranges))
    found.registered.push(...ctx.db.query<CountRow>(REGISTERED, ranges))
    found.first.push(...ctx.db.query<CountRow>(FIRST, ranges))
  }
  const byDay = (rows: readonly CountRow[]) => new Map(rows.map(({ day, n }) => [day, n]))
  const [registrations, firstDeposits] = [byDay(found.registered), byDay(found.first)]
  return {
    from,
    to,
    today,
    timeZone,
    asOf: toIso(now),
    days: days.map(({ day, start: at, end }) => ({
      day,
      startsAt: toIso(at),
      endsAt: toIso(end),
      registrations: registrations.get(day) ?? 0,
      firstDeposits: firstDeposits.get(day) ?? 0,
    })),
    money: moneyOf(found.deposited, found.paid),
    waiting: waitingIn(ctx.db),
  }
}

type DayMoney = { day: string; deposits: Sum; withdrawals: Sum }

function moneyOf(deposited: readonly MovedRow[], paid: readonly MovedRow[]): Dashboard['money'] {
  const currencies = new Map<string, Map<string, DayMoney>>()
  const dayOfCurrency = ({ currency, day }: MovedRow): DayMoney => {
    const days = currencies.get(currency) ?? new Map<string, DayMoney>()
    currencies.set(currency, days)
    const known = days.get(day) ?? { day, deposits: NONE, withdrawals: NONE }
    days.set(day, known)
    return known
  }
  const sum = ({ n, total }: MovedRow): Sum => ({ count: n, minor: readSum(total) })
  for (const row of deposited) dayOfCurrency(row).deposits = sum(row)
  for (const row of paid) dayOfCurrency(row).withdrawals = sum(row)
  return [...currencies]
    .map(([currency, byDay]) => {
      const days = [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
      const deposits = days.reduce((total, day) => add(total, day.deposits), NONE)
      const withdrawals = days.reduce((total, day) => add(total, day.withdrawals), NONE)
      return {
        currency,
        ...movedOut(deposits, withdrawals, currency),
        days: days.map((day) => ({ day: day.day, ...movedOut(day.deposits, day.withdrawals, currency) })),
      }
    })
    .sort((a, b) => busy(b) - busy(a) || (a.currency < b.currency ? -1 : 1))
}

const busy = ({ deposits, withdrawals }: Dashboard['money'][number]): number => deposits.count + withdrawals.count

function waitingIn(db: Reader): Dashboard['waiting'] {
  const currencies = new Map<string, Map<string, Sum>>()
  for (const { what, currency, n, total } of db.query<WaitingRow>(WAITING)) {
    const known = currencies.get(currency) ?? new Map<string, Sum>()
    known.set(what, { count: n, minor: readSum(total) })
    currencies.set(currency, known)
  }
  return [...currencies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sums]) => ({
      currency,
      deposits: shown(sums.get('deposits') ?? NONE, currency),
      requestedWithdrawals: shown(sums.get('requested') ?? NONE, currency),
      approvedWithdrawals: shown(sums.get('approved') ?? NONE, currency),
    }))
}
