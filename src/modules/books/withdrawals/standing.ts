import type { Role } from '../../../platform/access/catalogue.ts'
import { say } from '../../../words/say.ts'
import { type Requirement, requirementFor } from '../approval-policy/approval-policy.ts'
import { getRequirement, isSatisfied, type WithdrawalBallot, whyNotApprove } from './votes.ts'

type FindName = (userId: string) => string

/** Returns what a withdrawal still needs with its present approvals: the same for every reader. */
export function getStanding(table: WithdrawalBallot, findName: FindName): Requirement {
  const { row, votes } = table
  const need = requirementFor(table.measure, row.amount, row.currency, row.askedLarge)
  const [first] = votes
  if (row.status !== 'requested' || !first || votes.length < need.approvals) return need
  // the approvals were not enough when they were given, though the amount alone needs no more of them
  const name = findName(first.userId)
  const own = getRequirement(table, first.userId, { who: 'other', name })
  const reason = own.approvals > 1 ? own.reason : say('withdrawals.need.then', { name })
  return { ...need, approvals: votes.length + 1, reason }
}

/** A colleague who may approve a withdrawal now. `enough` says that their approval would be the last one needed. */
type Helper = { userId: string; name: string; role: Role; enough: boolean }

/** Lists who may approve a withdrawal now, first those whose approval would be the last one needed. */
export function listHelpers(table: WithdrawalBallot, findName: FindName): Helper[] {
  const helpers = table.people.alone('manager').flatMap((userId): Helper[] => {
    const role = table.people.activeRole(userId)
    if (role === null || whyNotApprove(table, { userId, role }) !== null) return []
    const enough = isSatisfied({ ...table, votes: [...table.votes, { userId, role }] })
    return [{ userId, name: findName(userId), role, enough }]
  })
  return helpers.toSorted((a, b) => Number(b.enough) - Number(a.enough) || a.name.localeCompare(b.name))
}
