import { type Static, Type } from '@sinclair/typebox'
import { type Column, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import { formatAmount } from '../../../platform/money.ts'
import { addDays, startOfDay, toDay } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { deposits } from '../../books/deposits/deposits.table.ts'
import { withdrawals } from '../../books/withdrawals/withdrawals.table.ts'
import { traders } from '../../clients/traders/traders.table.ts'
import { countActive } from './client-acts.ts'
import type { Dashboard, DashboardFirm } from './dashboard.model.ts'
import { readHeld, readLargest } from './held-balances.ts'
import { readOpen } from './open-positions.ts'
import { addConverted, amountOut, createConversion } from './reporting.conversion.ts'
import { listDays, type Period, periodBefore, readPeriod, type Stretch } from './reporting.period.ts'

const USUAL_DAYS = 30
const MOST_DAYS = 366

// ?2 is a list of [day, from, to]; each day reads one range of an index that has all summed columns. CROSS JOIN keeps
// the days as the outer loop.
const DAYS = sql`json_each(?2) AS d`
const inDay = (column: Column) => sql`${column} >= (d.value ->> 1) AND ${column} < (d.value ->> 2)`
const moved = (of: typeof deposits | typeof withdrawals, at: Column, amount: Column) =>
  statement(
    sql`SELECT ${listed({
      day: sql`d.value ->> 0`,
      currency: of.currency,
      n: sql`count(*)`,
      total: sumAsText(amount),
    })}
    FROM ${DAYS} CROSS JOIN ${of} ON ${of.tenantId} = ?1 AND ${inDay(at)} GROUP BY d.key, ${of.currency}`,
  )
const DEPOSITED = moved(deposits, deposits.settledAt, deposits.settledAmount)
const PAID = moved(withdrawals, withdrawals.paidAt, withdrawals.amount)
const REGISTERED = statement(
  sql`SELECT d.value ->> 0 AS day, count(*) AS n FROM ${DAYS}
  CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.deletedAt} IS NULL AND ${inDay(traders.createdAt)}
  GROUP BY d.key`,
)
const earlier = alias(deposits, 'earlier')
const FIRST = statement(
  sql`SELECT d.value ->> 0 AS day, count(DISTINCT ${deposits.traderId}) AS n FROM ${DAYS}
  CROSS JOIN ${deposits} ON ${deposits.tenantId} = ?1 AND ${inDay(deposits.settledAt)}
  CROSS JOIN ${traders} ON ${traders.tenantId} = ?1 AND ${traders.id} = ${deposits.traderId}
    AND ${traders.deletedAt} IS NULL
  WHERE NOT EXISTS (SELECT 1 FROM ${deposits} ${earlier} WHERE ${earlier.tenantId} = ?1
    AND ${earlier.traderId} = ${deposits.traderId} AND ${earlier.settledAt} < ${deposits.settledAt})
  GROUP BY d.key`,
)
const WAITING = statement(
  sql`SELECT ${listed({
    what: sql`'deposits'`,
    currency: deposits.currency,
    n: sql`count(*)`,
    total: sumAsText(deposits.amount),
  })}
  FROM ${deposits} WHERE ${deposits.tenantId} = ?1 AND ${deposits.status} = 'pending' GROUP BY ${deposits.currency}
  UNION ALL SELECT ${withdrawals.status}, ${withdrawals.currency}, count(*), ${sumAsText(withdrawals.amount)}
  FROM ${withdrawals} WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.status} IN ('requested', 'approved')
  GROUP BY ${withdrawals.status}, ${withdrawals.currency}`,
)

type MovedRow = { day: string; currency: string; n: number; total: string }
type CountRow = { day: string; n: number }
type WaitingRow = { what: string; currency: string; n: number; total: string }
type Sum = { count: number; minor: bigint }

const NONE: Sum = { count: 0, minor: 0n }
const add = (a: Sum, b: Sum): Sum => ({ count: a.count + b.count, minor: a.minor + b.minor })
const shown = ({ count, minor }: Sum, currency: string) => ({ count, amount: formatAmount(minor, currency) })
const movedOut = (deposits: Sum, withdrawals: Sum, currency: string) => ({
  deposits: shown(deposits, currency),
  withdrawals: shown(withdrawals, currency),
  net: formatAmount(deposits.minor - withdrawals.minor, currency),
})

const usual = (to: string): string => addDays(to, -USUAL_DAYS)
/** Returns the days that the query of a dashboard names; throws 422. */
export const dashboardPeriod = (query: { from?: string; to?: string }, today: string) =>
  readPeriod(query, today, { usual, most: MOST_DAYS })

export const DashboardParams = Type.Object({
  from: Type.String(),
  to: Type.String(),
  now: Type.Integer(),
  currency: Type.Union([Type.String(), Type.Null()]),
  /** Whether the clients with the most money are wanted too. */
  largest: Type.Boolean(),
})

/** Reads deposits and withdrawals by day and currency, new clients by day, and waiting work. RULES “Reports”. */
export function readDashboard(db: Reader, params: Static<typeof DashboardParams>): Dashboard {
  const { from, to, now, currency } = params
  const { timeZone } = readFirmSettings(db)
  const days = listDays({ from, to }, timeZone)
  const ranges = [JSON.stringify(days.map(({ name, start, end }) => [name, start, end]))]
  const byDay = (sql: string) => new Map(db.query<CountRow>(sql, ranges).map(({ day, n }) => [day, n]))
  const [registrations, firstDeposits] = [byDay(REGISTERED), byDay(FIRST)]
  const into = currency === null ? null : { currency, timeZone, now }
  return {
    from,
    to,
    today: toDay(now, timeZone),
    timeZone,
    asOf: toIso(now),
    days: days.map(({ name, start, end }) => ({
      day: name,
      startsAt: toIso(start),
      endsAt: toIso(end),
      registrations: registrations.get(name) ?? 0,
      firstDeposits: firstDeposits.get(name) ?? 0,
    })),
    money: groupMoney(db.query<MovedRow>(DEPOSITED, ranges), db.query<MovedRow>(PAID, ranges)),
    waiting: waitingIn(db),
    ...(into && { converted: convertedMoney(db, days, into), firm: readFirm(db, { from, to }, into, params.largest) }),
  }
}

const each = (of: typeof deposits | typeof withdrawals, at: Column, amount: Column) =>
  statement(
    sql`SELECT ${listed({ currency: of.currency, amount, n: sql`count(*)` })} FROM ${of}
    WHERE ${of.tenantId} = ?1 AND ${at} >= ?2 AND ${at} < ?3 GROUP BY ${of.currency}, ${amount}`,
  )
const EACH_DEPOSIT = each(deposits, deposits.settledAt, deposits.settledAmount)
const EACH_WITHDRAWAL = each(withdrawals, withdrawals.paidAt, withdrawals.amount)
type EachRow = { currency: string; amount: number; n: number }
type Both = { deposits: bigint | null; withdrawals: bigint | null }

/** Sums money over all currencies, each movement at the rate of its own day. */
function convertedMoney(db: Reader, days: readonly Stretch[], into: Into): NonNullable<Dashboard['converted']> {
  const { currency } = into
  const conversion = createConversion(db, into)
  const total: Both = { deposits: 0n, withdrawals: 0n }
  const out = ({ deposits, withdrawals }: Both) => ({
    deposits: amountOut(deposits, currency),
    withdrawals: amountOut(withdrawals, currency),
    net: amountOut(deposits === null || withdrawals === null ? null : deposits - withdrawals, currency),
  })
  const moved = days.flatMap(({ name, start, end }) => {
    const sum = (sql: string) => {
      const rows = db.query<EachRow>(sql, [start, end])
      const value = rows.reduce<bigint | null>(
        (all, { currency: from, amount, n }) => addConverted(all, conversion.convert(BigInt(amount), from, name, n)),
        0n,
      )
      return { rows: rows.length, value }
    }
    const [inwards, outwards] = [sum(EACH_DEPOSIT), sum(EACH_WITHDRAWAL)]
    total.deposits = addConverted(total.deposits, inwards.value)
    total.withdrawals = addConverted(total.withdrawals, outwards.value)
    if (inwards.rows + outwards.rows === 0) return []
    return [{ day: name, ...out({ deposits: inwards.value, withdrawals: outwards.value }) }]
  })
  return { currency, ...out(total), days: moved, missingRates: conversion.takeMissing() }
}

type Into = { currency: string; timeZone: string; now: number }

/** Reads what the firm holds now, and clients and money of the period and of as many days before it. */
function readFirm(db: Reader, period: Period, into: Into, largest: boolean): DashboardFirm {
  const { currency, timeZone, now } = into
  const before = periodBefore(period)
  const clients = (of: Period) => {
    const stretches = listDays(of, timeZone)
    const ranges = [JSON.stringify(stretches.map(({ name, start, end }) => [name, start, end]))]
    const sum = (sql: string) => db.query<CountRow>(sql, ranges).reduce((all, { n }) => all + n, 0)
    return {
      registrations: sum(REGISTERED),
      firstDeposits: sum(FIRST),
      active: countActive(db, startOfDay(of.from, timeZone), startOfDay(of.to, timeZone)),
    }
  }
  const { deposits, withdrawals, net, missingRates } = convertedMoney(db, listDays(before, timeZone), into)
  const conversion = createConversion(db, into)
  const today = toDay(now, timeZone)
  const held = readHeld(db, conversion, { currency, today })
  const known = held.currencies.filter(({ converted }) => converted !== null).map((one) => one.currency)
  const convert = (minor: bigint, of: string) => conversion.convert(minor, of, today)
  return {
    ...clients(period),
    before: { ...before, deposits, withdrawals, net, missingRates, ...clients(before) },
    held,
    open: readOpen(db, convert, currency),
    ...(largest && { largest: readLargest(db, known, convert, currency) }),
    missingRates: conversion.takeMissing(),
  }
}

type DayMoney = { day: string; deposits: Sum; withdrawals: Sum }

function groupMoney(deposited: readonly MovedRow[], paid: readonly MovedRow[]): Dashboard['money'] {
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
