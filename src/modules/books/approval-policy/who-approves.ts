import type { Static } from '@sinclair/typebox'
import { atLeast, type Role, topRole } from '../../../platform/access/catalogue.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { say } from '../../../words/say.ts'
import { isSmallFor } from '../../firm/independence/independence.service.ts'
import { readPeople } from '../../firm/independence/people.ts'
import { users } from '../../firm/users/users.table.ts'
import type { Approver, DecisionKind } from './approval-policy.model.ts'
import type { Requirement } from './approval-policy.ts'

/** Who decides about one kind. RULES “Who approves what”. */
type Rule = {
  /** How many people decide; 0 if nobody can approve it. */
  approvals: 0 | 1 | 2
  /** The lowest role that may decide. */
  role: Role
  adminNeeded?: boolean
  /** Whether the creator may decide too. */
  byCreator?: boolean
  /** Whether the decider's account must be one that nobody else could use. */
  independent?: boolean
  /** The reason, unless the amount is the reason. */
  reason?: string
}

const RULES: Record<DecisionKind, (isLarge: boolean) => Rule> = {
  withdrawal: (isLarge) => ({
    approvals: isLarge ? 2 : 1,
    role: 'manager',
    adminNeeded: isLarge,
    independent: true,
  }),
  payout: (isLarge) => ({ approvals: isLarge ? 2 : 1, role: 'admin', adminNeeded: isLarge, independent: true }),
  deposit: (isLarge) => ({ approvals: 1, role: 'manager', byCreator: !isLarge, independent: isLarge }),
  client_deposit: (isLarge) => ({ approvals: isLarge ? 2 : 1, role: 'manager', independent: isLarge }),
  transfer: (isLarge) => ({ approvals: isLarge ? 0 : 1, role: 'manager', byCreator: true }),
  account_transfer: (isLarge) => ({ approvals: 1, role: 'manager', byCreator: !isLarge }),
  adjustment: () => ({
    approvals: 1,
    role: 'admin',
    adminNeeded: true,
    independent: true,
    reason: say('withdrawals.need.any_amount'),
  }),
}

type Asked = { kind: DecisionKind; need: Requirement; by: string | null }
type WhoApproves = Pick<Requirement, 'approvals' | 'adminNeeded' | 'reason'> & { people: Static<typeof Approver>[] }

/**
 * Answers who approves something of one kind by the rules that hold for every client, and for each colleague whether
 * they may. `by` is its creator; null is the client. `need` says how many approvals its amount takes.
 */
export function findWhoApproves(db: Reader, now: number, { kind, need, by }: Asked): WhoApproves {
  const rule = RULES[kind](need.approvals > 1)
  const people = readPeople(db, now)
  const judge = (userId: string, role: Role): Pick<Static<typeof Approver>, 'may' | 'why'> => {
    if (rule.approvals === 0) return { may: 'no', why: 'impossible' }
    if (!atLeast(role, rule.role)) return { may: 'no', why: 'role' }
    if (people.mustChange(userId)) return { may: 'no', why: 'password' }
    if (rule.independent && !people.independence(userId).alone) return { may: 'no', why: 'account' }
    const isCreator = by !== null && people.samePerson(by, userId)
    if (!isCreator || rule.byCreator) return { may: rule.approvals === 1 ? 'alone' : 'together', why: null }
    // in a small firm, a person who has a part in it may still give the second of two approvals
    const maySecond = (kind === 'withdrawal' || kind === 'payout') && rule.approvals === 2
    return maySecond && isSmallFor(db, people, userId, now)
      ? { may: 'second', why: 'creator' }
      : { may: 'no', why: 'creator' }
  }
  const staff = db.list(users, { status: 'active' }, { orderBy: 'displayName' }).map((user) => ({
    ...user,
    role: topRole(user.roles),
  }))
  return {
    approvals: rule.approvals,
    adminNeeded: rule.adminNeeded ?? false,
    reason: rule.reason ?? need.reason,
    people: staff
      .filter(({ id, role }) => id === by || atLeast(role, 'manager'))
      .map(({ id, displayName, role }) => ({ userId: id, name: displayName, role, ...judge(id, role) })),
  }
}
