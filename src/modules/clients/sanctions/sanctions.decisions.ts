import type { Static } from '@sinclair/typebox'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import {
  type Deed,
  isOnlyOne,
  listSetters,
  noteBlock,
  noteLift,
  requireAnother,
} from '../../firm/independence/blocks.ts'
import { independenceErrors } from '../../firm/independence/independence.errors.ts'
import { isSmallFor, requireDecider, whyNotVote } from '../../firm/independence/independence.service.ts'
import type { People } from '../../firm/independence/people.ts'
import { type DecisionIn, type HitOut, toHit } from './sanctions.model.ts'
import { hitStates } from './sanctions.states.ts'
import { type HitRow, sanctionsHits, sanctionsLists } from './sanctions.table.ts'

type Decision = Static<typeof DecisionIn>
/** `accepted` is called if the approval is only the first of two. */
type Deciding = { expect: number | undefined; accepted: () => void }

function decided(tx: Tx, { source, listHash }: HitRow, userId: string, reason: string): Partial<HitRow> {
  // the decision applies to the present list
  const hash = tx.find(sanctionsLists, { source, current: true })?.hash ?? listHash
  return { reason, decidedBy: userId, decidedAt: tx.now, listHash: hash, firstWordBy: null, firstWordAt: null }
}

/**
 * Returns whether the first approval still counts: its person may still decide, and nobody else could use their
 * account.
 */
function stillCounts(tx: Tx, people: People, { userId }: Deed, traderId: string): boolean {
  const role = people.activeRole(userId)
  return role !== null && atLeast(role, 'manager') && whyNotVote(tx.unowned, people, userId, traderId, tx.now) === null
}

/**
 * Returns what a person's approval of lifting a confirmed match does: it is the first of two, or lifts the match
 * together with the first. A person who confirmed a match of the client may give neither; in a small firm they may give
 * the second. The only person of a firm waits 72 hours from the confirmation, and 72 more after their first approval.
 * The refusal says who can help.
 */
function weighLift(tx: Tx, hit: HitRow, userId: string, people: People): 'first' | 'together' {
  const { traderId, firstWordBy, firstWordAt } = hit
  const db = tx.unowned
  const refusal = whyNotVote(db, people, userId, traderId, tx.now)
  if (refusal) throw refusal
  const setters = listSetters(db, traderId, 'match')
  const first = firstWordBy === null || firstWordAt === null ? null : { userId: firstWordBy, createdAt: firstWordAt }
  if (first === null || !stillCounts(tx, people, first, traderId)) {
    requireAnother(db, people, userId, setters, tx.now)
    return 'first'
  }
  if (people.samePerson(first.userId, userId)) {
    if (!isOnlyOne(db, people, userId, tx.now))
      throw independenceErrors.second_person_needed({ detail: say('sanctions.error.own_first_word') })
    requireAnother(db, people, userId, [first], tx.now)
  } else if (!isSmallFor(db, people, userId, tx.now)) requireAnother(db, people, userId, setters, tx.now)
  return 'together'
}

/**
 * Decides that the client is not the person on the list: money may leave again. For a confirmed match this takes two
 * people. RULES “Sanctions”.
 */
export function clearHit(
  ctx: Ctx,
  id: string,
  { reason }: Decision,
  deciding: Deciding,
): Promise<Static<typeof HitOut>> {
  const { expect, accepted } = deciding
  return ctx.write('sanctions.clear', (tx) => {
    const hit = tx.get(sanctionsHits, id)
    const { userId, people } = requireDecider(tx, ctx, hit.traderId)
    if (hit.status === 'confirmed') {
      if (weighLift(tx, hit, userId, people) === 'first') {
        accepted()
        const first = { firstWordBy: userId, firstWordAt: tx.now }
        return toHit(tx.update(sanctionsHits, id, first, { expect, action: 'sanctions.first_word' }))
      }
      noteLift(tx, ctx, hit.traderId, 'match', [...new Set([hit.firstWordBy ?? userId, userId])])
    }
    return toHit(tx.transition(sanctionsHits, id, hitStates, 'cleared', decided(tx, hit, userId, reason), { expect }))
  })
}

/** Decides that the client is the person on the list: money stays blocked. */
export function confirmHit(ctx: Ctx, id: string, { reason }: Decision, expect: number | undefined) {
  return ctx.write('sanctions.confirm', (tx): Static<typeof HitOut> => {
    const hit = tx.get(sanctionsHits, id)
    const { userId } = requireDecider(tx, ctx, hit.traderId)
    noteBlock(tx, ctx, hit.traderId, 'match')
    return toHit(tx.transition(sanctionsHits, id, hitStates, 'confirmed', decided(tx, hit, userId, reason), { expect }))
  })
}
