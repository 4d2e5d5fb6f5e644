import type { Part } from '../../lib/screen/paper-lists.ts'
import { say } from '../../lib/text/words.ts'

/** Says on paper how many rows of a list it has, if it has not all of them. */
export function describePart({ shown, total, isMinimum }: Part): string {
  if (total === undefined) return say('lists.print.first', { count: shown })
  return say(isMinimum ? 'lists.print.first_of_more' : 'lists.print.first_of', { count: shown, total })
}
