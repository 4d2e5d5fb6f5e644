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

/** A person's act that another person has to decide on or undo. */
export type Deed = { userId: string; createdAt: number }

/** Returns whether the firm has nobody else of manager or higher, unless this person brought that about. */
export const isOnlyOne = (db: Reader, people: People, userId: string, now: number): boolean =>
  people.alone('manager').every((id) => people.samePerson(id, userId)) && !struckColleagues(db, people, userId, now)

/**
 * Requires that another person decides on, or undoes, what a person did. The only person of a firm may do so after 72
 * hours. The 409 says who can help, or when.
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

/** Notes who blocked a client's money, since another person must lift the block. */
export const noteBlock = (tx: Tx, ctx: Ctx, traderId: string, block: Block): void =>
  noteClientAct(tx, personBehind(ctx), traderId, BLOCKS[block].set)

/** Returns the acts on a client since they were last undone. Ids rise with time, also within a millisecond. */
function since(db: Reader, traderId: string, act: ClientAct, undone: ClientAct): Deed[] {
  const acts = db.list(clientActs, { traderId, act: [act, undone] }, { orderBy: 'id' })
  return acts.slice(acts.findLastIndex((row) => row.act === undone) + 1)
}

/** Returns who set a client's block, and when, if it is still in force. */
export const listSetters = (db: Reader, traderId: string, block: Block): Deed[] =>
  since(db, traderId, BLOCKS[block].set, BLOCKS[block].lifted)

/** Notes for the primary client, as of now, who set the blocks of the secondary client. */
export function passBlocksOn(tx: Tx, fromTraderId: string, toTraderId: string): void {
  for (const block of ['match', 'hold', 'stop', 'papers'] as const)
    for (const { userId } of listSetters(tx.unowned, fromTraderId, block))
      noteClientAct(tx, userId, toTraderId, BLOCKS[block].set)
}

/** Lifts a block and mails all owners; 409 if the caller set it. */
export function liftBlock(tx: Tx, ctx: Ctx, traderId: string, block: Block): void {
  const { userId, people } = requireDecider(tx, ctx, traderId)
  requireAnother(tx.unowned, people, userId, listSetters(tx.unowned, traderId, block), tx.now)
  noteLift(tx, ctx, traderId, block, [userId])
}

/** Notes who lifted a block, and mails all owners. */
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
