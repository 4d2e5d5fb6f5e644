import type { Ctx } from '../../../platform/access/ctx.ts'
import { toIso } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import { mailOwners } from '../users/users.notices.ts'
import { users } from '../users/users.table.ts'
import { TIME_ALONE } from './account-control.ts'
import { independenceErrors } from './independence.errors.ts'
import { noteClientAct, personBehind, requireDecider, struckColleagues } from './independence.service.ts'
import { BLOCKS, type Block, type ClientAct, clientActs } from './independence.table.ts'
import type { People } from './people.ts'

/** Something that somebody did, after which another person decides. */
export type Deed = { userId: string; createdAt: number }

/** Whether the firm has no other person of manager or higher, and this one did not see to that. */
export const isOnlyOne = (db: Reader, people: People, userId: string, now: number): boolean =>
  people.alone('manager').every((id) => people.samePerson(id, userId)) && !struckColleagues(db, people, userId, now)

/**
 * What somebody did is decided on, or undone, by another person; in a firm that has no other one it is by themselves 72
 * hours later. Throws the 409 that says who can help, or when.
 */
export function requireAnother(db: Reader, people: People, userId: string, deeds: readonly Deed[], now: number): void {
  const own = deeds.filter((deed) => people.samePerson(deed.userId, userId)).map(({ createdAt }) => createdAt)
  if (own.length === 0) return
  if (!isOnlyOne(db, people, userId, now))
    throw independenceErrors.second_person_needed({ detail: say('independence.error.another_decides') })
  const at = Math.max(...own) + TIME_ALONE
  if (now < at)
    throw independenceErrors.second_person_needed({ detail: say('independence.error.waits', { at: toIso(at) }) })
}

/** Notes that somebody stopped a client's money: whoever lifts that is another person. */
export const noteBlock = (tx: Tx, ctx: Ctx, traderId: string, block: Block): void =>
  noteClientAct(tx, personBehind(ctx), traderId, BLOCKS[block].set)

/** What somebody did to a client since it was last undone. Ids rise with time, also within a millisecond. */
function since(db: Reader, traderId: string, act: ClientAct, undone: ClientAct): Deed[] {
  const acts = db.list(clientActs, { traderId, act: [act, undone] }, { orderBy: 'id' })
  return acts.slice(acts.findLastIndex((row) => row.act === undone) + 1)
}

/** Who set a block of a client that was not lifted since. */
export const settersOf = (db: Reader, traderId: string, block: Block): Deed[] =>
  since(db, traderId, BLOCKS[block].set, BLOCKS[block].lifted)

/** Whoever set what stops the secondary has set it for the primary too, as of now. */
export function passBlocksOn(tx: Tx, fromTraderId: string, toTraderId: string): void {
  for (const block of ['match', 'hold', 'stop', 'papers'] as const)
    for (const { userId } of settersOf(tx.unowned, fromTraderId, block))
      noteClientAct(tx, userId, toTraderId, BLOCKS[block].set)
}

/** Lifts a block that nobody but its setter stands against: 409 for whoever set it. All owners are mailed. */
export function liftBlock(tx: Tx, ctx: Ctx, traderId: string, block: Block): void {
  const { userId, people } = requireDecider(tx, ctx, traderId)
  requireAnother(tx.unowned, people, userId, settersOf(tx.unowned, traderId, block), tx.now)
  noteLift(tx, ctx, traderId, block, [userId])
}

/** Notes who lifted a block, and tells all owners. */
export function noteLift(tx: Tx, ctx: Ctx, traderId: string, block: Block, userIds: readonly string[]): void {
  for (const userId of userIds) noteClientAct(tx, userId, traderId, BLOCKS[block].lifted)
  const names = userIds.map((id) => tx.unowned.get(users, id, { withDeleted: true }).displayName).join(', ')
  mailOwners(tx, ctx, () => ({
    subject: say('independence.mail.block_lifted', { names, block }),
    text: say('independence.mail.block_lifted_of', {
      names,
      block,
      publicUrl: ctx.config.publicUrl,
    }),
  }))
}
