import { addDays, dayOf, startOfDay } from '../../../platform/zone.ts'
import type { MonthsDone } from './commissions.table.ts'

/** The month of a moment, and those beside a month. */
export const monthOf = (at: number, timeZone: string): string => dayOf(at, timeZone).slice(0, 7)
export const nextMonth = (month: string): string => addDays(`${month}-01`, 31).slice(0, 7)
const beginOf = (month: string, timeZone: string): number => startOfDay(`${month}-01`, timeZone)
export const previousMonth = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

/** From when until when a month is. */
export type Period = { from: number; to: number }

/** When the months of a firm begin and end. */
export type Borders = ReturnType<typeof bordersOf>

/** The borders of a firm's months, by its zone, by what runs found (`known`), and by what was booked before those. */
export function bordersOf({
  timeZone,
  known,
  bookedEnd,
}: {
  timeZone: string
  known: (name: string) => MonthsDone[string] | undefined
  /** When the lines of a month, which a build before booked, say that it ended. */
  bookedEnd: (name: string) => number | undefined
}) {
  const ends = new Map<string, number>()
  /** When a month ended: asked for each affiliate, and worked out once. */
  function endOf(name: string): number {
    const found = ends.get(name)
    if (found !== undefined) return found
    const end = known(name)?.to ?? bookedEnd(name) ?? known(nextMonth(name))?.from ?? beginOf(nextMonth(name), timeZone)
    ends.set(name, end)
    return end
  }

  /**
   * A month of the firm's zone. Where it or those beside it were computed before the firm took another zone, theirs are
   * the borders: nothing is in two months, nor in none.
   */
  const periodOf = (name: string): Period => known(name) ?? { from: endOf(previousMonth(name)), to: endOf(name) }

  return { endOf, periodOf }
}
