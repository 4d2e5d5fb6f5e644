import { SECOND } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { addDays, dayOf, startOfDay } from '../../../platform/zone.ts'
import { quoteAt } from '../../books/fx/fx.quote-at.ts'
import { type Quote, SAME_CURRENCY } from '../../books/fx/fx.quotes.ts'
import { type Convert, MissingRate } from './compute.ts'

/** Rates of the day of a moment, in the firm's zone: those that held at the day's end. */
export function ratesOfDay(db: Reader, timeZone: string) {
  const known = new Map<string, Quote | undefined>()
  const ends = new Map<string, number>()
  const endOf = (day: string): number => {
    const end = ends.get(day) ?? startOfDay(addDays(day, 1), timeZone) - 1
    ends.set(day, end)
    return end
  }
  let lastHour = Number.NaN
  let lastDay = ''
  const day = (at: number): string => {
    // a zone's calendar costs more than all the rest of a trade: within one hour the day changes at its end at most
    const hour = Math.floor(at / (900 * SECOND))
    if (hour === lastHour) return lastDay
    lastHour = hour
    lastDay = dayOf(at, timeZone)
    return lastDay
  }
  return {
    at: (moment: number): Convert => {
      const today = day(moment)
      return (from, to) => {
        if (from === to) return SAME_CURRENCY
        const key = `${today} ${from} ${to}`
        if (!known.has(key)) known.set(key, quoteAt(db, from, to, endOf(today)))
        const quote = known.get(key)
        if (!quote) throw new MissingRate(from, today)
        return quote
      }
    },
  }
}
export type DayRates = ReturnType<typeof ratesOfDay>
