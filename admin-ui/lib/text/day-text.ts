import { locale } from './language.ts'
import { say } from './words.ts'

/** What a form holds for a day that was begun and not ended: the browser gives nothing for it, as for no day at all. */
export const HALF_DAY = '?'

/** A check for a form's day: none, or a whole one. */
export const wholeDay = (held: string): string | null => (held === HALF_DAY ? say('parts.day.half') : null)

/** A check for a day that a form cannot do without. */
export const neededDay =
  (rule: string) =>
  (held: string): string | null =>
    held === '' || held === HALF_DAY ? rule : null

/** The day so many days after another one: a period of the API ends before its last day. */
export const shiftDay = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10)

// A day such as 2026-12-31 is the same one in every zone.
const dayOnly = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A day as people write it. */
export const dayText = (day: string): string => dayOnly.format(new Date(day))

/** From one day to another, both in it: “Nov 2 – 21, 2026”. */
export const daysText = (first: string, last: string): string => dayOnly.formatRange(new Date(first), new Date(last))
