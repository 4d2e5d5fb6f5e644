import type { Ctx } from '../../../platform/access/ctx.ts'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { addDays, startOfDay, toDay } from '../../../platform/zone.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { type ConnectionRow, terminalHealth } from '../connections/connections.table.ts'
import { type DayRow, FIGURES, type Figures, terminalDays } from './days.table.ts'
import { type Measured, measureDays, measureNothing, type Stretch, sumMovements } from './measure.ts'
import { readChanged } from './read-day.queries.ts'

/** A day is made up so long after its end, and corrected for so many days. */
const AFTER = 10 * MINUTE
const CORRECTED = 45

const toStretch = (day: string, timeZone: string): Stretch => ({
  day,
  from: startOfDay(day, timeZone),
  to: startOfDay(addDays(day, 1), timeZone),
})

/** Returns the revisions in force of some days, by day. */
function readDays(ctx: Pick<Ctx, 'db'>, connectionId: string, from: string, to: string): Map<string, DayRow[]> {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  const rows = ctx.db.list(terminalDays, { connectionId, day: days, replacedAt: null }, { orderBy: 'day' })
  return Map.groupBy(rows, ({ day }) => day)
}

/** Returns the state of a day: whether something is not known, and whether a person had to explain something. */
function judgeDay({ open, unknowns, explained, closed }: Measured, unexplained: bigint): DayRow['state'] {
  if (open > 0 || unknowns > 0 || (unexplained !== 0n && unexplained !== explained)) return 'open'
  return closed > 0 ? 'owned' : 'clean'
}

/** Returns what a day says, whose balance was measured. */
function tellDay(measured: Measured, before: bigint, isFirst: boolean): Figures {
  const { unknowns: _, open: __, closed: ___, explained: ____, ...figures } = measured
  const unexplained = isFirst ? 0n : measured.balance - before - sumMovements(measured)
  return { ...figures, unexplained, state: judgeDay(measured, unexplained) }
}

/** What a day says, by currency. */
type Told = ReadonlyMap<string, Figures>

/** Writes what a day says, where it is not what it said. */
function writeDay(tx: Tx, connectionId: string, day: string, told: Told): void {
  for (const [currency, figures] of told) {
    const before = tx.find(terminalDays, { connectionId, day, currency, replacedAt: null })
    if (before && FIGURES.every((key) => before[key] === figures[key])) continue
    if (before) tx.update(terminalDays, before.id, { replacedAt: tx.now })
    tx.insert(terminalDays, { connectionId, day, currency, revision: (before?.revision ?? 0) + 1, ...figures })
  }
}

/** Writes days in one transaction. */
const writeDays = (ctx: Ctx, connectionId: string, days: Iterable<readonly [day: string, told: Told]>) =>
  ctx.write('terminals.days', (tx) => {
    for (const [day, told] of days) writeDay(tx, connectionId, day, told)
    return null
  })

/** The balances at the end of a day, by currency; null where there is no such day. */
type Balances = ReadonlyMap<string, bigint> | null
const toBalances = (told: Iterable<readonly [string, Pick<Figures, 'balance'>]>): Map<string, bigint> =>
  new Map([...told].map(([currency, { balance }]) => [currency, balance]))
const findBalances = (rows: readonly DayRow[] | undefined): Balances =>
  rows === undefined ? null : toBalances(rows.map((row) => [row.currency, row]))

/** Makes up a day of a connection from what was measured, in all currencies that it has or had the day before. */
function tellMeasured(measured: ReadonlyMap<string, Measured>, before: Balances): Map<string, Figures> {
  const currencies = new Set([...measured.keys(), ...(before?.keys() ?? [])])
  return new Map(
    [...currencies].map((currency) => [
      currency,
      tellDay(measured.get(currency) ?? measureNothing(), before?.get(currency) ?? 0n, before === null),
    ]),
  )
}

/** By how much what became known late changed the balances from some day on, by currency. */
type Carried = Map<string, bigint>

/**
 * Returns a day with what became known late. That first takes the place of what was not explained, that day and later;
 * the rest is a balance that was another one.
 */
function correctDay(row: DayRow, measured: Measured | undefined, carried: Carried): Figures {
  const { transfersIn, transfersOut, trading, owned, unknown } = measured ?? row
  const movements = { transfersIn, transfersOut, trading, owned, unknown }
  let carry = (carried.get(row.currency) ?? 0n) + sumMovements(movements) - sumMovements(row)
  let { unexplained } = row
  if (carry > 0n === unexplained > 0n) {
    const isMore = carry > 0n ? carry > unexplained : carry < unexplained
    const taken = isMore ? unexplained : carry
    unexplained -= taken
    carry -= taken
  }
  carried.set(row.currency, carry)
  const state = measured ? judgeDay(measured, unexplained) : row.state
  const { accounts, negative, credit, equity, equityAt, owed, inFlight } = row
  const reported = { accounts, negative, credit, equity, equityAt, owed, inFlight }
  return { ...reported, ...movements, balance: row.balance + carry, unexplained, state }
}

/** Looks at days again of which something changed, and at what follows for the days after them. */
async function correctDays(
  ctx: Ctx,
  row: ConnectionRow,
  known: ReadonlyMap<string, readonly DayRow[]>,
  changed: ReadonlySet<string>,
  timeZone: string,
): Promise<void> {
  const first = [...known.keys()].find((day) => changed.has(day))
  if (first === undefined) return
  const carried: Carried = new Map()
  const days = new Map<string, Told>()
  for (const [day, rows] of known) {
    if (day < first) continue
    const isMoved = rows.some(({ currency, unexplained }) => unexplained !== 0n && (carried.get(currency) ?? 0n) !== 0n)
    const asked = { days: [toStretch(day, timeZone)], isFirst: !known.has(addDays(day, -1)), balances: false }
    const measured = changed.has(day) || isMoved ? (await measureDays(ctx, row, asked)).get(day) : null
    const told = rows.map((one) => {
      const found = measured ? (measured.get(one.currency) ?? measureNothing()) : undefined
      return [one.currency, correctDay(one, found, carried)] as const
    })
    days.set(day, new Map(told))
  }
  // together, so that what one day carries to the next is not lost by an end of the program
  await writeDays(ctx, row.id, days)
}

/** Returns the days that can be made up by now and are not, the oldest first. */
function listMissing(ctx: Ctx, row: ConnectionRow, last: string | undefined, timeZone: string): Stretch[] {
  const health = ctx.db.find(terminalHealth, { id: row.id })
  const read = Math.min(health?.lastReadAt ?? 0, health?.dealsUntil ?? 0, ctx.now() - AFTER)
  const newest = addDays(toDay(read, timeZone), -1)
  const oldest = addDays(newest, 1 - CORRECTED)
  const missing: Stretch[] = []
  // the first day of a connection is the one before it was confirmed, or read for the first time with days
  const from = last === undefined ? newest : addDays(last, 1)
  for (let day = from; day <= newest; day = addDays(day, 1)) if (day >= oldest) missing.push(toStretch(day, timeZone))
  return missing
}

/**
 * Makes up the days of a connection that have ended, and corrects earlier ones of which something changed since a
 * moment; null where it was not looked at since the start of the program.
 */
export async function lookAtDays(ctx: Ctx, row: ConnectionRow, since: number | null): Promise<void> {
  const { timeZone } = readFirmSettings(ctx.db)
  const today = toDay(ctx.now(), timeZone)
  const oldest = addDays(today, -CORRECTED)
  // one more, by which it is known whether the oldest is the first
  const known = readDays(ctx, row.id, addDays(oldest, -1), today)
  const last = [...known.keys()].at(-1)
  if (last !== undefined) {
    const written = [...known.values()].flat().map(({ updatedAt }) => updatedAt)
    const from = since ?? Math.max(...written) - HOUR
    const moments = readChanged(ctx.db, row.id, from, toStretch(last, timeZone).to)
    const changed = moments.map((at) => toDay(at, timeZone)).filter((day) => day >= oldest)
    await correctDays(ctx, row, known, new Set(changed), timeZone)
  }
  const missing = listMissing(ctx, row, last, timeZone)
  const [first] = missing
  if (first === undefined) return
  const yesterday = addDays(first.day, -1)
  let before = findBalances(readDays(ctx, row.id, yesterday, yesterday).get(yesterday))
  const measured = await measureDays(ctx, row, { days: missing, isFirst: before === null, balances: true })
  for (const { day } of missing) {
    const told = tellMeasured(measured.get(day) ?? new Map<string, Measured>(), before)
    await writeDays(ctx, row.id, [[day, told]])
    before = toBalances(told)
  }
}
