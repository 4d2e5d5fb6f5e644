/** Where the time comes from: milliseconds since the epoch, UTC, and a pause of so many. Tests pass their own. */
export type Clock = { now(): number; sleep(ms: number): Promise<void> }

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now(), sleep: (ms) => Bun.sleep(ms) }

/**
 * Milliseconds → ISO 8601 in UTC with milliseconds
 * (`2026-01-31T09:05:00.000Z`); throws RangeError outside what a date can hold.
 */
export function toIso(ms: number): string {
  // a row that was never changed has the same time twice, and writing it out is a tenth of a list
  if (ms !== written.ms) written = { ms, text: new Date(ms).toISOString() }
  return written.text
}
let written = { ms: Number.NaN, text: '' }
