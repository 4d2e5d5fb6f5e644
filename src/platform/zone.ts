import { DAY } from './clock.ts'

const formats = new Map<string, Intl.DateTimeFormat>()
const getFormat = (timeZone: string): Intl.DateTimeFormat => {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(timeZone, format)
  }
  return format
}

/** Returns whether the runtime knows a time zone. */
export function isTimeZone(timeZone: string): boolean {
  try {
    getFormat(timeZone)
    return true
  } catch {
    return false
  }
}

/** Returns the wall clock of a zone at an instant, in milliseconds as if it were UTC. */
export function wallClock(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    getFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Returns the instant at which a zone's clocks show a wall time; for a skipped hour, an instant after the gap. */
export function toInstant(wall: number, timeZone: string): number {
  const guess = wall - (wallClock(wall, timeZone) - wall)
  // if the offset changes between the two instants, the second correction is right
  return guess - (wallClock(guess, timeZone) - wall)
}

/** Returns the calendar day of a zone at an instant, such as `2026-01-31`. */
export const toDay = (at: number, timeZone: string): string =>
  new Date(wallClock(at, timeZone)).toISOString().slice(0, 10)

/**
 * Returns the first instant of a zone's calendar day. If the clocks skip midnight, the day begins right after the gap.
 */
export function startOfDay(day: string, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`)
  const at = toInstant(wall, timeZone)
  return at + Math.max(0, wall - wallClock(at, timeZone))
}

/** Returns the calendar day `days` after another one, or before it if `days` is negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)
