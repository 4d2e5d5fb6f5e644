import { DAY } from '../../../platform/clock.ts'
import { invalid } from '../../../platform/problem.ts'
import { addDays, startOfDay } from '../../../platform/zone.ts'
import { say } from '../../../words/say.ts'

/** Whole days of the firm: `from` is the first one, `to` the day after the last one. */
export type Period = { from: string; to: string }
/** A named period in milliseconds, from `start` on and before `end`. */
export type Stretch = { name: string; start: number; end: number }

/** Returns a day if its year is plausible; any other is a typing mistake, and a 422 that names the field. */
function dayFrom(name: string, day: string): string {
  if (day < '1900' || day >= '3000') throw invalid(`query.${name}`, 'range', say('reports.period.range'))
  return day
}

/**
 * Returns the days of a report. Without `from` they begin where `usual` says for this end. Throws the 422 for an
 * invalid day, for an end that is not after the beginning, and for more than `most` days.
 */
export function readPeriod(
  query: { from?: string; to?: string },
  today: string,
  { usual, most }: { usual: (to: string) => string; most: number },
): Period {
  const asked = query.from === undefined ? null : dayFrom('from', query.from)
  const tomorrow = addDays(today, 1)
  const to =
    query.to === undefined ? (asked !== null && asked > today ? addDays(asked, 1) : tomorrow) : dayFrom('to', query.to)
  const from = asked ?? usual(to)
  if (from >= to) throw invalid('query.to', 'order', say('reports.period.order'))
  if (addDays(from, most) < to) throw invalid('query.from', 'too_long', say('reports.period.long', { most }))
  return { from, to }
}

/** Returns the period of the same length that ends where this one begins. */
export function periodBefore({ from, to }: Period): Period {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY)
  return { from: addDays(from, -days), to: from }
}

/** Returns each day of a period by the clock of the time zone. */
export function listDays({ from, to }: Period, timeZone: string): Stretch[] {
  const days: Stretch[] = []
  let start = startOfDay(from, timeZone)
  for (let name = from; name < to; name = addDays(name, 1)) {
    const end = startOfDay(addDays(name, 1), timeZone)
    days.push({ name, start, end })
    start = end
  }
  return days
}

/** Returns the following month: `2026-12` → `2027-01`. */
const nextMonth = (month: string): string => addDays(`${month}-28`, 4).slice(0, 7)

/** Returns every whole month that a period touches. */
export function listMonths({ from, to }: Period, timeZone: string): Stretch[] {
  const months: Stretch[] = []
  const last = addDays(to, -1).slice(0, 7)
  for (let name = from.slice(0, 7); name <= last; name = nextMonth(name)) {
    const [start, end] = [startOfDay(`${name}-01`, timeZone), startOfDay(`${nextMonth(name)}-01`, timeZone)]
    months.push({ name, start, end })
  }
  return months
}

/** Returns `toDay` for millions of moments: it computes the bounds of each day in the zone once, not each moment. */
export function dayFinder(timeZone: string): (at: number) => string {
  type Day = { name: string; start: number; end: number }
  const known = new Map<number, Day>()
  const utcDay = (nth: number): Day => {
    const name = new Date(nth * DAY).toISOString().slice(0, 10)
    return { name, start: startOfDay(name, timeZone), end: startOfDay(addDays(name, 1), timeZone) }
  }
  return (at) => {
    // in any zone a moment has the same day as in UTC or a neighbouring one, since no zone differs by a whole day
    const nth = Math.floor(at / DAY)
    const day = known.get(nth) ?? utcDay(nth)
    known.set(nth, day)
    if (at < day.start) return addDays(day.name, -1)
    return at < day.end ? day.name : addDays(day.name, 1)
  }
}
