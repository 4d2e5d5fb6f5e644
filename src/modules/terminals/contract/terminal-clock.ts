import { MINUTE } from '../../../platform/clock.ts'
import type { ClockPeriod } from './terminal.ts'

/** Returns the period that holds at a moment of UTC; the earliest one holds before its beginning too. */
function findPeriod(clock: readonly ClockPeriod[], at: number): ClockPeriod {
  const period = clock.findLast(({ from }) => from <= at) ?? clock[0]
  if (period === undefined) throw new Error('the clock of the terminal is not known yet')
  return period
}

/** Returns the local time of a terminal at a moment of UTC. */
export const toLocal = (clock: readonly ClockPeriod[], at: number): number =>
  at + findPeriod(clock, at).minutes * MINUTE

/**
 * Returns the moment of a local time of a terminal. An hour that a clock put back shows twice is the earlier one; one
 * that it left out is what it would have been without the change.
 */
export function toUtc(clock: readonly ClockPeriod[], local: number): number {
  for (const period of clock) {
    const at = local - period.minutes * MINUTE
    if (findPeriod(clock, at) === period) return at
  }
  const before = clock.findLast(({ from, minutes }) => from + minutes * MINUTE <= local) ?? clock[0]
  return local - (before?.minutes ?? 0) * MINUTE
}
