import { DAY, MINUTE } from '../../../platform/clock.ts'
import { toInstant, wallClock } from '../../../platform/zone.ts'

/**
 * The working hours of a firm. Days are 1 (Monday) to 7; times are `HH:MM` in the time zone, up to `24:00`. Hours whose
 * end is not after their beginning end on the next day. No hours begin on a holiday, which is a date.
 */
export type Calendar = {
  timeZone: string
  hours: readonly { day: number; from: string; to: string }[]
  holidays: readonly string[]
}

/** Returns `HH:MM` as minutes of the day. */
const parseMinutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))

/** Returns the minutes of the day at which hours begin and end; if they end on the next day, the end is above 1,440. */
export function listMinutes({ from, to }: { from: string; to: string }): [number, number] {
  const [begin, end] = [parseMinutes(from), parseMinutes(to)]
  return [begin, end > begin ? end : end + DAY / MINUTE]
}

/** Returns a day's working intervals as instants, in order; `wallDay` is its midnight as if it were in UTC. */
function listIntervals(wallDay: number, { timeZone, hours, holidays }: Calendar): [number, number][] {
  const date = new Date(wallDay)
  if (holidays.includes(date.toISOString().slice(0, 10))) return []
  const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay()
  return hours
    .filter(({ day }) => day === weekday)
    .map(listMinutes)
    .map(([begin, end]): [number, number] => [
      toInstant(wallDay + begin * MINUTE, timeZone),
      toInstant(wallDay + end * MINUTE, timeZone),
    ])
    .sort(([a], [b]) => a - b)
}

/** Yields the working intervals that end after `start`, day by day; stops if two years have none. */
function* intervalsAfter(start: number, calendar: Calendar): Generator<[number, number]> {
  if (calendar.hours.length === 0) return
  const wall = wallClock(start, calendar.timeZone)
  // hours that began the day before may still continue
  const first = wall - (wall % DAY) - DAY
  for (let day = 0; day < 732; day++) {
    for (const [from, to] of listIntervals(first + day * DAY, calendar))
      if (to > start) yield [Math.max(from, start), to]
  }
}

/**
 * Returns the instant after `duration` milliseconds of working time from `start`. A calendar without working time
 * counts all hours.
 */
export function addWorkingTime(start: number, duration: number, calendar: Calendar): number {
  let left = duration
  for (const [from, to] of intervalsAfter(start, calendar)) {
    if (left <= to - from) return from + left
    left -= to - from
  }
  return start + duration
}

/**
 * Returns the working time between two instants in milliseconds; 0 if `end` is not after `start`. A calendar without
 * working time counts all hours.
 */
export function workingTimeBetween(start: number, end: number, calendar: Calendar): number {
  let sum = 0
  let works = false
  for (const [from, to] of intervalsAfter(start, calendar)) {
    works = true
    if (from >= end) break
    sum += Math.min(to, end) - from
  }
  return works ? sum : Math.max(0, end - start)
}
