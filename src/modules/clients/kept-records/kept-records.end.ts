import type { KeptRecordRow } from './kept-records.table.ts'

/** Returns the same day so many years later. */
function yearsAfter(at: number, years: number): number {
  const date = new Date(at)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}

/**
 * Returns the end of a record that is made now: the firm's years after the last money or decision, and at least a year
 * from now, so that shortening the years and deleting an old client destroys nothing at once.
 */
export const leastEnd = (lastAt: number, madeAt: number, years: number): number =>
  Math.max(yearsAfter(lastAt, years), yearsAfter(madeAt, 1))

/** Returns when a record is erased: a setting that was lengthened since applies, one that was shortened does not. */
export const calculateEnd = (
  { keptUntil, lastAt }: Pick<KeptRecordRow, 'keptUntil' | 'lastAt'>,
  years: number,
): number => Math.max(keptUntil, yearsAfter(lastAt, years))
