import { addDays, startOfDay, toDay } from '../../../platform/zone.ts'
import type { MonthsDone } from './commissions.table.ts'

/** Returns the month of a moment in a time zone. */
export const toMonth = (at: number, timeZone: string): string => toDay(at, timeZone).slice(0, 7)
export const nextMonth = (month: string): string => addDays(`${month}-01`, 31).slice(0, 7)
const startOfMonth = (month: string, timeZone: string): number => startOfDay(`${month}-01`, timeZone)
export const previousMonth = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

/** The beginning and the end of a month. */
export type Period = { from: number; to: number }

/** The borders of the months of a firm. */
export type Borders = ReturnType<typeof createMonthBorders>

/** Makes the borders of a firm’s months, by its time zone and by what runs found (`known`). */
export function createMonthBorders(timeZone: string, known: (name: string) => MonthsDone[string] | undefined) {
  const ends = new Map<string, number>()
  /** Returns the end of a month; it is cached, since each affiliate asks for it. */
  function endOfMonth(name: string): number {
    const found = ends.get(name)
    if (found !== undefined) return found
    const end = known(name)?.to ?? known(nextMonth(name))?.from ?? startOfMonth(nextMonth(name), timeZone)
    ends.set(name, end)
    return end
  }

  /**
   * Returns a month in the firm's time zone. Borders that were computed in a former zone stay, and limit the
   * neighbouring months, so that each moment is in exactly one month.
   */
  const getPeriod = (name: string): Period =>
    known(name) ?? { from: endOfMonth(previousMonth(name)), to: endOfMonth(name) }

  return { endOfMonth, getPeriod }
}
