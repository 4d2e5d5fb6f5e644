import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { refuseGivenPassword } from '../independence/independence.service.ts'
import { readPeople } from '../independence/people.ts'
import { hasLeft } from '../users/users.former.ts'
import { webhookErrors } from './webhooks.errors.ts'
import { type Subscription, toSubscription } from './webhooks.model.ts'
import { type SubscriptionRow, webhookSubscriptions } from './webhooks.table.ts'

/** Adds the caller of a change to those who know the receiver's address or secret. */
export function addHand(ctx: Ctx, hands: readonly string[]): Pick<SubscriptionRow, 'changedBy' | 'hands'> {
  const changedBy = findStaffId(ctx.principal)
  return { changedBy, hands: [...new Set([...hands, ...(changedBy === null ? [] : [changedBy])])] }
}

/** Refuses to send to a receiver that a colleague made or changed who has left since. */
export function refuseIfMakerLeft(db: Reader, { hands }: SubscriptionRow): void {
  if (hands.some((id) => hasLeft(db, id))) throw webhookErrors.stands_still()
}

/** Lets a leaver's receiver continue. Refused to those who made or changed it; 409 if none left. RULES “Events”. */
export function confirmSubscription(ctx: Ctx, id: string): Promise<Subscription> {
  return ctx.write('webhook.confirm', (tx) => {
    refuseGivenPassword(tx, ctx)
    const { madeBy, hands } = tx.get(webhookSubscriptions, id)
    if (!hands.some((hand) => hasLeft(tx, hand))) throw webhookErrors.not_standing()
    const confirmer = findStaffId(ctx.principal)
    const people = readPeople(tx, tx.now)
    const whose = madeBy === null ? hands : [madeBy, ...hands]
    if (confirmer === null || whose.some((hand) => people.samePerson(hand, confirmer))) throw webhookErrors.yours()
    return toSubscription(tx.update(webhookSubscriptions, id, { hands: [] }), tx)
  })
}
