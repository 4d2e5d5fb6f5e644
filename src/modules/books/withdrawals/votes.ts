import type { Static } from '@sinclair/typebox'
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { atLeast, pickLower, type Role } from '../../../platform/access/catalogue.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { Problem, wrongState } from '../../../platform/problem.ts'
import { isSentenceKey, say } from '../../../words/say.ts'
import { mergedErrors } from '../../clients/traders/merged.errors.ts'
import { mergedLately } from '../../clients/traders/merged.queries.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import {
  broughtMoney,
  couldBeClient,
  isSmallFor,
  liftedBlock,
  whyNotVote,
} from '../../firm/independence/independence.service.ts'
import { type People, readPeople } from '../../firm/independence/people.ts'
import { withHelp } from '../../firm/independence/who-can-help.ts'
import {
  APPROVAL_LIFE,
  getOwnMoneyLimit,
  type Measure,
  type Requirement,
  reaches,
  readMeasure,
  requirementFor,
  SUM_OVER,
} from '../approval-policy/approval-policy.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import type { Check } from './withdrawals.model.ts'
import {
  type DecisionRow,
  listDestinationAuthors,
  payoutDestinations,
  type WithdrawalRow,
  withdrawalDecisions,
  withdrawals,
} from './withdrawals.table.ts'

/** All facts for a decision on one withdrawal, read at one moment. `db` must see the whole firm. */
export type WithdrawalBallot = {
  db: Reader
  row: WithdrawalRow
  people: People
  measure: Measure
  now: number
  /** The votes that count now: neither void nor expired, by people whose role, status and independence still hold. */
  votes: DecisionRow[]
}

export function readWithdrawalBallot(db: Reader, row: WithdrawalRow, now: number): WithdrawalBallot {
  const table = { db, row, people: readPeople(db, now), measure: readMeasure(db, now), now, votes: [] as DecisionRow[] }
  const cast = castVotes(db, row, now).filter(
    ({ userId }) => !mergedLately(db, table.people, userId, row.traderId, now),
  )
  const holds = cast.filter(({ userId }) => {
    const role = table.people.activeRole(userId)
    const isManager = role !== null && atLeast(role, 'manager')
    return isManager && whyNotVote(db, table.people, userId, null, now) === null
  })
  const clear = holds.filter(({ userId }) => findWithdrawalConflict(table, userId) === null)
  // an involved person's vote counts only beside another person's, and only in a small firm
  table.votes =
    clear.length > 0
      ? holds.filter((vote) => clear.includes(vote) || isSmallFor(db, table.people, vote.userId, now))
      : []
  return table
}

/** Returns the votes that are not void and, while the withdrawal is not approved, not expired. */
const castVotes = (db: Reader, { id, status }: WithdrawalRow, now: number): DecisionRow[] =>
  db
    .list(withdrawalDecisions, { withdrawalId: id, void: false, decision: 'approve' })
    .filter((vote) => status !== 'requested' || now - vote.createdAt < APPROVAL_LIFE)

/**
 * Returns why a person is involved in a withdrawal and so cannot decide it alone: they requested it, entered the
 * destination, or could be the client.
 */
export function findWithdrawalConflict(
  { db, row, people, now }: Omit<WithdrawalBallot, 'votes'>,
  userId: string,
): Problem | null {
  if (row.requestedBy !== null && people.samePerson(row.requestedBy, userId)) return withdrawalErrors.own_request()
  const authors = listDestinationAuthors(db.get(payoutDestinations, row.destinationId))
  if (authors.some((author) => people.samePerson(author, userId))) return withdrawalErrors.own_destination()
  return couldBeClient(db, people, userId, row.traderId, now) ? independenceErrors.own_client() : null
}

const votes = withdrawalDecisions
const AROUND = sql`SELECT ${listed({
  id: withdrawals.id,
  traderId: withdrawals.traderId,
  currency: withdrawals.currency,
  amount: sql`CAST(${withdrawals.amount} AS TEXT)`,
  requestedBy: withdrawals.requestedBy,
  createdAt: withdrawals.createdAt,
  voter: votes.userId,
})} FROM ${withdrawals}
  LEFT JOIN ${votes} ON ${votes.tenantId} = ${withdrawals.tenantId} AND ${votes.withdrawalId} = ${withdrawals.id}
    AND ${votes.decision} = 'approve' AND ${votes.void} = 0
  WHERE ${withdrawals.tenantId} = ?1 AND ${withdrawals.status} IN ('requested', 'approved', 'paid')`
const OF_CLIENT = statement(
  sql`${AROUND} AND ${withdrawals.traderId} = ?2 AND (${withdrawals.createdAt} > ?3 OR ${votes.createdAt} > ?3)`,
)
const late = alias(votes, 'late')
const LATELY = statement(
  sql`${AROUND} AND ${withdrawals.id} IN (SELECT ${late.withdrawalId} FROM ${votes} ${late}
  WHERE ${late.tenantId} = ?1 AND ${late.void} = 0 AND ${late.decision} = 'approve' AND ${late.createdAt} > ?2)`,
)

type Around = {
  id: string
  traderId: string
  currency: string
  amount: string
  requestedBy: string | null
  createdAt: number
  voter: string | null
}
type Money = { amount: bigint; currency: string }

/** Returns the amounts that one person requested or approved for this client in 24 hours, this withdrawal included. */
export function sumForClient(
  { db, people, now }: Pick<WithdrawalBallot, 'db' | 'people' | 'now'>,
  userId: string,
  traderId: string,
  own: Money & { id: string | null },
): Money[] {
  const since = now - SUM_OVER
  const sums = new Map<string, Money>()
  for (const row of db.query<Around>(OF_CLIENT, [traderId, since])) {
    const asked = row.requestedBy !== null && row.createdAt > since && people.samePerson(row.requestedBy, userId)
    // a vote is later than its request, so a row of this query with a voter has a vote of the last 24 hours
    const voted = row.voter !== null && people.samePerson(row.voter, userId)
    if (asked || voted) sums.set(row.id, { amount: BigInt(row.amount), currency: row.currency })
  }
  sums.set(own.id ?? '', own)
  return [...sums.values()]
}

/**
 * Returns the amounts that one person approved alone in 24 hours for clients to whom they brought money, this
 * withdrawal included.
 */
function soleForOwnMoney({ db, people, now, row }: Omit<WithdrawalBallot, 'votes'>, userId: string): Money[] {
  const byWithdrawal = new Map<string, Around[]>()
  for (const vote of db.query<Around>(LATELY, [now - SUM_OVER]))
    byWithdrawal.set(vote.id, [...(byWithdrawal.get(vote.id) ?? []), vote])
  const sole = [...byWithdrawal.values()].flatMap((votes) => {
    const [vote] = votes
    if (!vote?.voter || votes.length > 1 || vote.id === row.id || !people.samePerson(vote.voter, userId)) return []
    return broughtMoney(db, people, userId, vote.traderId, now)
      ? [{ amount: BigInt(vote.amount), currency: vote.currency }]
      : []
  })
  return [...sole, { amount: row.amount, currency: row.currency }]
}

/** How a reason names its person: as the reader, or by name. */
type Told = { who: 'you' | 'other'; name: string }
const YOU: Told = { who: 'you', name: '' }

/** Returns what a withdrawal needs if this person votes: the general rule, or a stricter one for this person. */
export function getRequirement(
  table: Omit<WithdrawalBallot, 'votes'>,
  userId: string | null,
  told: Told = YOU,
): Requirement {
  const { measure, row, people } = table
  const need = requirementFor(measure, row.amount, row.currency, row.askedLarge)
  if (userId === null || need.approvals > 1) return need
  const { currency, threshold } = measure.policy
  const two = (reason: string, adminNeeded: boolean): Requirement => ({ ...need, approvals: 2, adminNeeded, reason })
  const mine = (authorId: string): boolean => people.samePerson(authorId, userId)
  if (measure.compare(row.amount, row.currency, mine) === null)
    return two(say('withdrawals.need.own_rate', { threshold, currency, ...told }), true)
  if (reaches(measure, measure.sum(sumForClient(table, userId, row.traderId, row), mine)))
    return two(say('withdrawals.need.own_sum', { threshold, currency, ...told }), true)
  if (liftedBlock(table.db, people, userId, row.traderId, table.now))
    return two(say('withdrawals.need.lifted', told), false)
  if (broughtMoney(table.db, people, userId, row.traderId, table.now)) {
    const sum = measure.sum(soleForOwnMoney(table, userId), mine)
    const limit = getOwnMoneyLimit(measure.policy)
    if (sum === null || sum * 10n > measure.threshold)
      return two(say('withdrawals.need.own_money', { limit, currency, ...told }), false)
  }
  return need
}

type Vote = Pick<DecisionRow, 'userId' | 'role'>

/**
 * Returns the role with which a vote counts: the lower one of the voter's present role and the role of the vote (a key
 * may have less).
 */
function getVoteRole(people: People, vote: Vote): Role | null {
  const now = people.activeRole(vote.userId)
  return now === null ? null : pickLower(now, vote.role)
}

/** Returns whether the votes that count are enough. */
export function isSatisfied(table: Omit<WithdrawalBallot, 'votes'> & { votes: readonly Vote[] }): boolean {
  const { votes, people } = table
  const needs = votes.map((vote) => getRequirement(table, vote.userId))
  if (needs.some(({ approvals }) => approvals === 1)) return true
  if (votes.length < 2) return false
  const roles = votes.map((vote) => getVoteRole(people, vote))
  return needs.some((need) => !need.adminNeeded) || roles.some((role) => role !== null && atLeast(role, 'admin'))
}

/** Returns why a person may not approve a withdrawal now, or null. All four-eyes rules of withdrawals are here. */
export function whyNotApprove(
  table: WithdrawalBallot,
  voter: { userId: string | null; role: Role | null },
): Problem | null {
  const { userId, role } = voter
  const { db, row, people, now, votes } = table
  if (userId === null || role === null || !atLeast(role, 'manager'))
    return new Problem(403, 'forbidden', say('withdrawals.error.needs_manager'))
  if (row.status !== 'requested') return wrongState('withdrawal', row.status)
  const refusal = whyNotVote(db, people, userId, null, now)
  if (refusal) return refusal
  if (castVotes(db, row, now).some((vote) => people.samePerson(vote.userId, userId)))
    return withdrawalErrors.already_decided({
      detail: withHelp(people, userId, say('withdrawals.error.already_decided')),
    })
  if (mergedLately(db, people, userId, row.traderId, now)) return mergedErrors.lately()
  const conflict = findWithdrawalConflict(table, userId)
  if (conflict !== null && !mayBeSecond(table, userId)) return conflict
  const need = getRequirement(table, userId)
  // the admin may still be another voter, unless this is the last vote
  const isLast = votes.length + 1 >= need.approvals
  if (!isLast || !need.adminNeeded || atLeast(role, 'admin')) return null
  const others = votes.map((vote) => getVoteRole(people, vote))
  return others.some((other) => other !== null && atLeast(other, 'admin')) ? null : withdrawalErrors.needs_admin()
}

/** Returns whether an involved person may give the second vote: in a small firm, beside one who is not involved. */
const mayBeSecond = ({ db, people, now, votes }: WithdrawalBallot, userId: string): boolean =>
  votes.length > 0 && isSmallFor(db, people, userId, now)

/** Returns the name of a check for a sentence; a check without a name is called by its key. */
function getCheckTitle(check: string): string {
  const key = `withdrawals.note.${check}`
  return isSentenceKey(key) ? say(key) : check.replaceAll('_', ' ')
}

/**
 * Returns, as sentences, what an approval needs a note on: checks that ask for a closer look, missing checks of a large
 * amount, and the voter's own part.
 */
export function noteOn(
  { measure, row }: WithdrawalBallot,
  checks: readonly Pick<Static<typeof Check>, 'name' | 'state'>[],
  conflict: boolean,
): string[] {
  const large = requirementFor(measure, row.amount, row.currency, row.askedLarge).approvals > 1
  const open = checks.filter(
    ({ name, state }) =>
      state === 'look_closer' || (large && state === 'not_checked' && (name === 'sanctions' || name === 'iban')),
  )
  return [...open.map(({ name }) => getCheckTitle(name)), ...(conflict ? [say('withdrawals.note.own_part')] : [])]
}
