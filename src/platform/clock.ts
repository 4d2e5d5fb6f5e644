/** The source of time: milliseconds since the epoch, UTC, and a pause. Tests use their own. */
export type Clock = { now(): number; sleep(ms: number): Promise<void> }

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now(), sleep: (ms) => Bun.sleep(ms) }

/**
 * Converts milliseconds to ISO 8601 in UTC (`2026-01-31T09:05:00.000Z`); throws RangeError outside the range of dates.
 */
export function toIso(ms: number): string {
  // unchanged rows have the same time twice, and formatting it is a tenth of the cost of a list
  if (ms !== written.ms) written = { ms, text: new Date(ms).toISOString() }
  return written.text
}
let written = { ms: Number.NaN, text: '' }
