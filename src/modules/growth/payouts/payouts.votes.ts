import { sql } from 'drizzle-orm'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import type { Problem } from '../../../platform/problem.ts'
import { say } from '../../../words/say.ts'
import { APPROVAL_LIFE, reaches, readMeasure, SUM_OVER } from '../../books/approval-policy/approval-policy.ts'
import { mergedErrors } from '../../clients/traders/merged.errors.ts'
import { mergedLately } from '../../clients/traders/merged.queries.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { couldBeClient, isSmallFor, liftedBlock, whyNotVote } from '../../firm/independence/independence.service.ts'
import { type People, readPeople } from '../../firm/independence/people.ts'
import { withHelp } from '../../firm/independence/who-can-help.ts'
import { type AffiliateRow, affiliates } from '../affiliates/affiliates.table.ts'
import { payoutErrors } from './payouts.errors.ts'
import { giversTo, settersFor } from './payouts.setters.ts'
import { type PayoutRow, type PayoutVote, affiliatePayouts as payouts } from './payouts.table.ts'

const LATELY = statement(
  sql`SELECT ${listed({ amount: sql`CAST(${payouts.amount} AS TEXT)`, currency: payouts.currency })} FROM ${payouts}
  WHERE ${payouts.tenantId} = ?1 AND ${payouts.affiliateId} = ?2 AND ${payouts.status} = 'approved'
    AND ${payouts.decidedAt} > ?3 AND ${payouts.id} <> ?4`,
)

/** All facts for a decision on a payout, read at one moment. */
type PayoutBallot = {
  db: Reader
  row: PayoutRow
  affiliate: AffiliateRow
  people: People
  now: number
  /** How many people are needed, judged by what the affiliate got in 24 hours. */
  approvals: number
  setters: readonly string[]
  givers: readonly string[]
  /** The votes that count now: not expired, by people whose role, status and independence still hold. */
  votes: PayoutVote[]
}

/** Reads the facts for a decision on a payout. `db` must see the whole firm. */
export function readPayoutBallot(db: Reader, row: PayoutRow, now: number): PayoutBallot {
  const { affiliateId, currency, amount } = row
  const measure = readMeasure(db, now)
  const got = db.query<{ amount: string; currency: string }>(LATELY, [affiliateId, now - SUM_OVER, row.id])
  const sum = measure.sum([{ amount, currency }, ...got.map((other) => ({ ...other, amount: BigInt(other.amount) }))])
  const ballot: PayoutBallot = {
    db,
    row,
    now,
    people: readPeople(db, now),
    affiliate: db.get(affiliates, affiliateId),
    votes: [],
    approvals: reaches(measure, sum) ? 2 : 1,
    setters: settersFor(db, affiliateId, currency, now),
    givers: giversTo(db, affiliateId),
  }
  const holds = row.votes.filter(({ userId, at }) => now - at < APPROVAL_LIFE && whyNotAtAll(ballot, userId) === null)
  const clear = holds.filter(({ userId }) => findPayoutConflict(ballot, userId) === null)
  const counts = (vote: PayoutVote): boolean => clear.includes(vote) || isSmallFor(db, ballot.people, vote.userId, now)
  // an involved person's vote counts only beside another person's, and only in a small firm
  return { ...ballot, votes: clear.length > 0 ? holds.filter(counts) : [] }
}

/** Returns why a person may not vote on any payout of this affiliate now; null if they may. */
function whyNotAtAll({ db, row, people, now }: PayoutBallot, userId: string): Problem | null {
  const role = people.activeRole(userId)
  if (role === null || !atLeast(role, 'admin')) return independenceErrors.not_independent()
  if (mergedLately(db, people, userId, row.traderId, now)) return mergedErrors.lately()
  return whyNotVote(db, people, userId, null, now)
}

/** Returns why a person is involved in a payout and so does not approve it alone. RULES “Payouts”. */
export function findPayoutConflict(
  { db, row, affiliate, people, setters, givers, now }: PayoutBallot,
  userId: string,
): Problem | null {
  const isSame = (other: string | null): boolean => other !== null && people.samePerson(other, userId)
  if (isSame(row.requestedBy)) return payoutErrors.own_request()
  if (isSame(affiliate.createdBy)) return payoutErrors.own_affiliate()
  if (setters.some(isSame)) return payoutErrors.own_plan()
  if (givers.some(isSame)) return payoutErrors.own_clients()
  return couldBeClient(db, people, userId, row.traderId, now) ? independenceErrors.own_client() : null
}

/** Returns why a person may not approve a payout now, or null. An involved one may in a small firm, as the second. */
export function whyNotApprove(ballot: PayoutBallot, userId: string): Problem | null {
  const { db, people, now, votes } = ballot
  const refusal = whyNotAtAll(ballot, userId)
  if (refusal) return refusal
  if (votes.some((vote) => people.samePerson(vote.userId, userId)))
    return payoutErrors.already_decided({ detail: withHelp(people, userId, say('affiliates.error.already_decided')) })
  const mayBeSecond = votes.length > 0 && isSmallFor(db, people, userId, now)
  return mayBeSecond ? null : findPayoutConflict(ballot, userId)
}

/** Returns whether the votes are enough. Who lifted a block of the client is never enough alone. */
export function isEnough({ db, row, people, now, approvals, votes }: PayoutBallot): boolean {
  const need = (userId: string): number => (liftedBlock(db, people, userId, row.traderId, now) ? 2 : approvals)
  return votes.some(({ userId }) => votes.length >= need(userId))
}
