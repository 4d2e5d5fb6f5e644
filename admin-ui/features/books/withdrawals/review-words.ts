import { atLeast, ROLES } from '../../../lib/api/session.ts'
import { groupInSentence } from '../../../lib/text/format.ts'
import type { Review, Withdrawal } from './withdrawals.api.ts'
import { say } from './words.ts'

export type Check = Review['checks'][number]

export const STATE_WORDS: Record<Check['state'], string> = {
  fine: say('withdrawals.check_state.fine'),
  look_closer: say('withdrawals.check_state.look_closer'),
  not_checked: say('withdrawals.check_state.not_checked'),
  blocks: say('withdrawals.check_state.blocks'),
}

const NAMES: Record<string, string> = {
  access: say('withdrawals.note.access'),
  trader: say('common.client'),
  kyc: say('common.identity'),
  sanctions: say('parts.sanctions'),
  net_deposits: say('withdrawals.check_name.net_deposits'),
  first_withdrawal: say('withdrawals.check_name.first_withdrawal'),
  destination: say('withdrawals.destination'),
  destination_age: say('withdrawals.check_name.destination_age'),
  holder: say('withdrawals.holder'),
  iban: 'IBAN',
  trading: say('withdrawals.check_name.trading'),
}

export const checkName = ({ name }: Pick<Check, 'name'>): string => {
  const words = NAMES[name] ?? name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Lists the checks that are not fine, those that block first. */
export const notFine = (checks: readonly Check[]): Check[] =>
  (['blocks', 'look_closer', 'not_checked'] as const).flatMap((state) =>
    checks.filter((check) => check.state === state),
  )

/** Returns the checks with those that are not fine before all others, for a screen that has room for a few. */
export const openFirst = (checks: readonly Check[]): Check[] => {
  const open = notFine(checks)
  return [...open, ...checks.filter((check) => !open.includes(check))]
}

/** Returns whether money may have been sent: an approval lapsed, and the withdrawal is neither paid nor closed. */
export const mayHaveBeenSent = ({ status, lapsedAt }: Pick<Withdrawal, 'status' | 'lapsedAt'>): boolean =>
  lapsedAt !== null && (status === 'requested' || status === 'approved')

type Votes = Pick<Review, 'approvalsNeeded' | 'adminNeeded' | 'reason' | 'decisions'>

/** Lists the approvals that have not lapsed. */
export const liveVotes = ({ decisions }: Pick<Review, 'decisions'>): Review['decisions'] =>
  decisions.filter(({ decision, lapsed }) => decision === 'approve' && !lapsed)

const isAdmin = (role: string): boolean => {
  const known = ROLES.find((one) => one === role)
  return known !== undefined && atLeast(known, 'admin')
}

/** Says who still has to approve: "1 of 2: one more, an admin." */
export const whoIsMissing = (review: Votes): string => {
  const votes = liveVotes(review)
  const missing = Math.max(0, review.approvalsNeeded - votes.length)
  const admin = review.adminNeeded && !votes.some(({ role }) => isAdmin(role))
  const soFar = say('withdrawals.votes.given', { count: votes.length, approvalsNeeded: review.approvalsNeeded })
  if (missing === 0) return say('withdrawals.votes.complete', { soFar })
  if (review.approvalsNeeded === 1) return say('withdrawals.votes.one_manager', { soFar })
  if (missing === 1)
    return admin ? say('withdrawals.votes.next_admin', { soFar }) : say('withdrawals.votes.next_manager', { soFar })
  return admin
    ? say('withdrawals.votes.more_with_admin', { soFar, missing })
    : say('withdrawals.votes.more', { soFar, missing })
}

/** Says why the policy needs so many approvals. */
export const formatReason = ({ reason }: Pick<Review, 'reason'>): string => groupInSentence(reason)
