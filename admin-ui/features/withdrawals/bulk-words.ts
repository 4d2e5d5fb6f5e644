import { addDecimal } from '../../lib/decimal.ts'
import { checkName, notFine } from './review-words.ts'
import type { Review } from './withdrawals.api.ts'

/** Sums by currency, in the order in which the currencies come. Currencies are never added to each other. */
export const sumsOf = (rows: readonly { amount: string; currency: string }[]): [currency: string, sum: string][] => {
  const sums = new Map<string, string>()
  for (const { amount, currency } of rows) sums.set(currency, addDecimal(sums.get(currency) ?? '0', amount))
  return [...sums]
}

/** What a row of several says about its checks, and whether the viewer may approve it at all. */
export const flagOf = (review: Review | null): { text: string; tone: 'good' | 'wait' | 'bad' } => {
  if (review === null || !review.viewer.mayApprove)
    return { text: review?.viewer.why ?? 'You cannot approve this one.', tone: 'bad' }
  const open = notFine(review.checks)
  const named = (state: string): string =>
    open
      .filter((check) => check.state === state)
      .map(checkName)
      .join(', ')
  const [stops, closer, unchecked] = [named('blocks'), named('look_closer'), named('not_checked')]
  if (stops) return { text: `Stopped by: ${stops}`, tone: 'bad' }
  if (closer) return { text: `Look closer: ${closer}`, tone: 'wait' }
  return unchecked ? { text: `Not checked: ${unchecked}`, tone: 'wait' } : { text: 'All checks are fine', tone: 'good' }
}

/** Whether the server will ask for a note; it never does on one that the viewer may not approve. */
export const needsNote = (review: Review | null): boolean => (review?.viewer.noteOn.length ?? 0) > 0
