import type { KeptRecordRow } from './kept-records.table.ts'

/** Returns the same day this many years later. */
function yearsAfter(at: number, years: number): number {
  const date = new Date(at)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}

/**
 * Returns the end of a record made at `madeAt`: the firm's years after the last money or decision, and at least a year
 * later, so that shortening the years and deleting an old client does not destroy it at once.
 */
export const leastEnd = (lastAt: number, madeAt: number, years: number): number =>
  Math.max(yearsAfter(lastAt, years), yearsAfter(madeAt, 1))

/** Returns when a record is erased. If the firm's setting became longer since, it applies; a shorter one does not. */
export const calculateEnd = (
  { keptUntil, lastAt }: Pick<KeptRecordRow, 'keptUntil' | 'lastAt'>,
  years: number,
): number => Math.max(keptUntil, yearsAfter(lastAt, years))
