import { groupInSentence } from '../../lib/format.ts'
import { atLeast, ROLES } from '../../lib/session.ts'
import type { Review, Withdrawal } from './withdrawals.api.ts'

export type Check = Review['checks'][number]

export const STATE_WORDS: Record<Check['state'], string> = {
  fine: 'Fine',
  look_closer: 'Look closer',
  not_checked: 'Not checked',
  blocks: 'Stops it',
}

const NAMES: Record<string, string> = {
  trader: 'Client',
  kyc: 'Identity',
  sanctions: 'Sanctions',
  net_deposits: 'Net deposits',
  first_withdrawal: 'Earlier withdrawals',
  destination: 'Destination',
  destination_age: 'Age of the destination',
  holder: 'Holder',
  iban: 'IBAN',
  trading: 'Trading',
}

/** What a check is called. */
export const checkName = ({ name }: Pick<Check, 'name'>): string => {
  const words = NAMES[name] ?? name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The checks that are not fine, what stops it first. */
export const notFine = (checks: readonly Check[]): Check[] =>
  (['blocks', 'look_closer', 'not_checked'] as const).flatMap((state) =>
    checks.filter((check) => check.state === state),
  )

/** One whose approval lapsed and that nobody has paid since: nobody knows whether its money left. */
export const mayBeSent = ({ status, lapsedAt }: Pick<Withdrawal, 'status' | 'lapsedAt'>): boolean =>
  lapsedAt !== null && (status === 'requested' || status === 'approved')

type Votes = Pick<Review, 'approvalsNeeded' | 'adminNeeded' | 'reason' | 'decisions'>

/** Approvals that count now. */
export const liveVotes = ({ decisions }: Pick<Review, 'decisions'>): Review['decisions'] =>
  decisions.filter(({ decision, lapsed }) => decision === 'approve' && !lapsed)

const isAdmin = (role: string): boolean => {
  const known = ROLES.find((one) => one === role)
  return known !== undefined && atLeast(known, 'admin')
}

/** Who still has to approve: "1 of 2: one more, an admin." */
export const whoIsMissing = (review: Votes): string => {
  const votes = liveVotes(review)
  const missing = Math.max(0, review.approvalsNeeded - votes.length)
  const admin = review.adminNeeded && !votes.some(({ role }) => isAdmin(role))
  const soFar = `${votes.length} of ${review.approvalsNeeded}`
  if (missing === 0) return `${soFar}: nobody is missing`
  if (review.approvalsNeeded === 1) return `${soFar}: one manager or higher`
  if (missing === 1) return `${soFar}: one more, ${admin ? 'an admin or higher' : 'a manager or higher'}`
  return `${soFar}: ${missing} different people${admin ? ', one of them an admin or higher' : ''}`
}

/** Why the policy asks for so many. */
export const reasonOf = ({ reason }: Pick<Review, 'reason'>): string => groupInSentence(reason)
