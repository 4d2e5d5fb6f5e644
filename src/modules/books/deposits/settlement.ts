import { sql } from 'drizzle-orm'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { requireDecider, whyNotVote } from '../../firm/independence/independence.service.ts'
import type { People } from '../../firm/independence/people.ts'
import { withHelp } from '../../firm/independence/who-can-help.ts'
import { reaches, readMeasure, requireFreshFromThreshold, SUM_OVER } from '../approval-policy/approval-policy.ts'
import { depositErrors } from './deposits.errors.ts'
import { type DepositRow, deposits } from './deposits.table.ts'

// summed in SQLite, since a busy day has thousands
const ALONE = statement(
  sql`SELECT ${listed({
    settledBy: deposits.settledBy,
    announcedBy: deposits.announcedBy,
    currency: deposits.currency,
    total: sumAsText(deposits.settledAmount),
  })} FROM ${deposits}
  WHERE ${deposits.tenantId} = ?1 AND ${deposits.settledBy} IS NOT NULL
    AND ${deposits.firstWordBy} IS NULL AND ${deposits.settledAt} > ?2
  GROUP BY ${deposits.settledBy}, ${deposits.announcedBy}, ${deposits.currency}`,
)
type Alone = { settledBy: string; announcedBy: string | null; currency: string; total: string }

/** Returns the deposits that one person credited alone in 24 hours: their own announcements and those of clients. */
function settledAlone(tx: Tx, people: People, userId: string): { amount: bigint; currency: string }[] {
  return tx.unowned.query<Alone>(ALONE, [tx.now - SUM_OVER]).flatMap((row) => {
    const alone = row.announcedBy === null || people.samePerson(row.announcedBy, row.settledBy)
    if (!alone || !people.samePerson(row.settledBy, userId)) return []
    return [{ amount: readSum(row.total), currency: row.currency }]
  })
}

/**
 * Throws the 409 that names the deposit already credited with this reference, unless this deposit is declared its
 * repetition.
 */
export function refuseUsedReference(tx: Tx, deposit: Pick<DepositRow, 'method' | 'referenceKey' | 'repeatOf'>): void {
  const before = creditedWith(tx, deposit)
  if (before && deposit.repeatOf !== before.id)
    throw depositErrors.reference_used({ detail: say('deposits.error.reference_used_by', { id: before.id }) })
}

/** Returns the earlier deposit that was credited with this payment reference, if any. */
export function creditedWith(
  tx: Tx,
  { method, referenceKey, id }: Pick<DepositRow, 'method' | 'referenceKey'> & { id?: string },
): DepositRow | undefined {
  if (referenceKey === null) return undefined
  return tx.unowned
    .list(deposits, { method, referenceKey, status: ['settled', 'partially_settled'] })
    .find((other) => other.id !== id)
}

/**
 * Returns what a colleague's approval does to a deposit: it credits it (`alone`, or `together` with the first
 * approval), or it is the `first` of two. Throws if another person has to settle it, or if this person's approval does
 * not count. RULES “Deposits”.
 */
export function weighApproval(tx: Tx, ctx: Ctx, deposit: DepositRow, amount: bigint): 'alone' | 'together' | 'first' {
  requireFreshFromThreshold(tx.unowned, ctx, { amount, currency: deposit.currency })
  const { userId, people } = requireDecider(tx, ctx, deposit.traderId)
  refuseUsedReference(tx, deposit)
  const { announcedBy, firstWordBy, firstWordAmount, traderId, currency } = deposit
  const measure = readMeasure(tx.unowned, tx.now)
  const mine = (authorId: string): boolean => people.samePerson(authorId, userId)
  const large = deposit.repeatOf !== null || reaches(measure, measure.compare(amount, currency, mine))
  if (announcedBy !== null && !mine(announcedBy)) {
    // another person announced it, so this approval is the second; from the threshold on the two must be independent
    const refusal = large ? whyNotVote(tx.unowned, people, userId, traderId, tx.now) : null
    if (refusal) throw refusal
    return 'alone'
  }
  const alone = [...settledAlone(tx, people, userId), { amount, currency }]
  if (!large && !reaches(measure, measure.sum(alone, mine))) return 'alone'
  if (announcedBy !== null)
    throw independenceErrors.second_person_needed({
      detail: withHelp(people, userId, say('deposits.error.own_announcement')),
    })
  const refusal = whyNotVote(tx.unowned, people, userId, traderId, tx.now)
  if (refusal) throw refusal
  if (firstWordBy === null || firstWordAmount !== amount) return 'first'
  if (mine(firstWordBy))
    throw independenceErrors.second_person_needed({
      detail: withHelp(people, userId, say('deposits.error.own_first_word')),
    })
  return stillCounts(tx, people, firstWordBy, traderId) ? 'together' : 'first'
}

/** Returns whether the first approval still counts; if not, the present approval becomes the first. */
function stillCounts(tx: Tx, people: People, userId: string, traderId: string): boolean {
  const role = people.activeRole(userId)
  return role !== null && atLeast(role, 'manager') && whyNotVote(tx.unowned, people, userId, traderId, tx.now) === null
}
