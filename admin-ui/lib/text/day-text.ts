import { locale } from './language.ts'
import { say } from './words.ts'

/** The form's value for an incomplete day, which is neither a day nor an empty field. */
export const HALF_DAY = '?'

/** Writes days in digits, in the order of a language. They are in UTC, so that no time zone changes them. */
export const createDigits = (language: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(language, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' })
const digits = createDigits(locale)

/** Writes a day such as 2026-12-31 as its reader types it. Whatever is no day stays as it is. */
export const writeDay = (day: string): string => {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? day : digits.format(at)
}

/** Checks a form's day: it must be empty or complete. */
export const wholeDay = (held: string): string | null =>
  held === HALF_DAY ? say('parts.day.half', { example: writeDay('2026-12-31') }) : null

/** Checks a required day of a form. */
export const neededDay =
  (rule: string) =>
  (held: string): string | null =>
    held === '' || held === HALF_DAY ? rule : null

/** Returns the day that many days after another one. In the API a period ends with the day after its last day. */
export const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)

// A day such as 2026-12-31 is formatted in UTC, so that no time zone changes it.
const dayOnly = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Returns a day in readable form. */
export const dayText = (day: string): string => dayOnly.format(new Date(day))

/** Returns a period with both its days: “Nov 2 – 21, 2026”. */
export const daysText = (first: string, last: string): string => dayOnly.formatRange(new Date(first), new Date(last))
