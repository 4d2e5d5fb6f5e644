import type { KeptRecordRow } from './kept-records.table.ts'

/** The same day so many years later. */
function yearsAfter(at: number, years: number): number {
  const date = new Date(at)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}

/**
 * The end of a record that is made now: the firm's years after the last money or decision, and a year after it was made
 * at least, so that whoever shortens the years and deletes a client of long ago destroys nothing at once.
 */
export const leastEnd = (lastAt: number, madeAt: number, years: number): number =>
  Math.max(yearsAfter(lastAt, years), yearsAfter(madeAt, 1))

/** When a record is erased: a longer setting than when it was made adds to it, a shorter one takes nothing. */
export const endOf = ({ keptUntil, lastAt }: Pick<KeptRecordRow, 'keptUntil' | 'lastAt'>, years: number): number =>
  Math.max(keptUntil, yearsAfter(lastAt, years))
