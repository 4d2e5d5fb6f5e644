import { SECOND } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { addDays, startOfDay, toDay } from '../../../platform/zone.ts'
import { quoteAt } from '../../books/fx/fx.quote-at.ts'
import { type Quote, SAME_CURRENCY } from '../../books/fx/fx.quotes.ts'
import { type Convert, MissingRate } from './compute.ts'

/** Returns a reader of rates as they were at the end of a moment's day in the firm's time zone. */
export function createDayRates(db: Reader, timeZone: string) {
  const known = new Map<string, Quote | undefined>()
  const ends = new Map<string, number>()
  const endOfDay = (day: string): number => {
    const end = ends.get(day) ?? startOfDay(addDays(day, 1), timeZone) - 1
    ends.set(day, end)
    return end
  }
  let lastHour = Number.NaN
  let lastDay = ''
  const day = (at: number): string => {
    // computing the day in a time zone is slow, and days begin only at quarters of an hour
    const hour = Math.floor(at / (900 * SECOND))
    if (hour === lastHour) return lastDay
    lastHour = hour
    lastDay = toDay(at, timeZone)
    return lastDay
  }
  return {
    at: (moment: number): Convert => {
      const today = day(moment)
      return (from, to) => {
        if (from === to) return SAME_CURRENCY
        const key = `${today} ${from} ${to}`
        if (!known.has(key)) known.set(key, quoteAt(db, from, to, endOfDay(today)))
        const quote = known.get(key)
        if (!quote) throw new MissingRate(from, today)
        return quote
      }
    },
  }
}
export type DayRates = ReturnType<typeof createDayRates>
