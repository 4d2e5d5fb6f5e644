import type { Flag } from '../../../components/lists/bulk-review.tsx'
import { checkName, mayHaveBeenSent, notFine } from './review-words.ts'
import type { Review, Reviewed } from './withdrawals.api.ts'
import { say } from './words.ts'

/** Returns the text of a row: why the viewer may not approve it, else whether an approval lapsed, and its checks. */
export const pickFlag = (one: Reviewed | undefined): Flag => {
  if (!one?.review?.viewer.mayApprove)
    return { text: one?.review?.viewer.why ?? say('withdrawals.row.barred'), tone: 'bad' }
  const flag = checksFlag(one.review)
  if (!mayHaveBeenSent(one)) return flag
  const rest = flag.tone === 'good' ? '' : ` ${flag.text}`
  return { text: say('withdrawals.row.lapsed', { rest }), tone: 'bad' }
}

/** Returns what is not fine, short enough for a cell: names of checks, and whether the money may have been sent. */
export const queueFlag = (one: Reviewed): Flag => {
  const open = notFine(one.review?.checks ?? [])
  const names = open.map(checkName)
  if (mayHaveBeenSent(one)) names.unshift(say('withdrawals.queue.lapsed'))
  if (names.length === 0) return { text: say('withdrawals.queue.fine'), tone: 'good' }
  const isBad = mayHaveBeenSent(one) || open.some(({ state }) => state === 'blocks')
  return { text: names.join(' · '), tone: isBad ? 'bad' : 'wait' }
}

const checksFlag = (review: Review): Flag => {
  const open = notFine(review.checks)
  const joinCheckNames = (state: string): string =>
    open
      .filter((check) => check.state === state)
      .map(checkName)
      .join(', ')
  const [stops, closer, unchecked] = [
    joinCheckNames('blocks'),
    joinCheckNames('look_closer'),
    joinCheckNames('not_checked'),
  ]
  const texts = [
    stops && say('withdrawals.row.blocks', { stops }),
    closer && say('withdrawals.row.look_closer', { closer }),
    unchecked && say('withdrawals.row.not_checked', { unchecked }),
  ].filter((text) => text !== '')
  if (texts.length === 0) return { text: say('withdrawals.row.fine'), tone: 'good' }
  return { text: texts.join(' · '), tone: stops ? 'bad' : 'wait' }
}

/**
 * Returns whether approving needs a note: because the server asks for one, or because the money may have been sent, for
 * the dialog of a bulk approval has no `LapseNotice`. It is false if the viewer may not approve.
 */
export const needsNote = (one: Reviewed | undefined): boolean =>
  one?.review?.viewer.mayApprove === true && (one.review.viewer.noteOn.length > 0 || mayHaveBeenSent(one))
