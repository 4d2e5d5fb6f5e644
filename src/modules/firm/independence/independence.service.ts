import type { Ctx } from '../../../platform/access/ctx.ts'
import { findStaffId } from '../../../platform/access/principal.ts'
import { DAY } from '../../../platform/clock.ts'
import { ownTenant } from '../../../platform/db/directory.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { Problem } from '../../../platform/problem.ts'
import { INVOLVED_DAYS } from '../../../words/rule-figures.ts'
import { say } from '../../../words/say.ts'
import { users } from '../users/users.table.ts'
import { independenceErrors } from './independence.errors.ts'
import {
  ACCOUNT_HANDS,
  type AccountAct,
  accountActs,
  CLIENT_TIES,
  type ClientAct,
  clientActs,
  LIFTS,
  MONEY_HANDS,
  STRIKES,
} from './independence.table.ts'
import { type People, readPeople } from './people.ts'

/** An act for a client counts against its actor's votes this long. RULES “Approvals”. */
export const COUNTS_FOR = INVOLVED_DAYS * DAY

/** Notes an act on a colleague's account that lets the actor use it; acts on one's own account are not noted. */
export function noteAccountAct(tx: Tx, byUserId: string | null, userId: string, act: AccountAct): void {
  if (byUserId !== null && byUserId !== userId) tx.insert(accountActs, { userId, byUserId, act })
}

/** Notes a colleague's act for a client, which counts against their votes; without a person nothing is noted. */
export function noteClientAct(tx: Tx, userId: string | null, traderId: string, act: ClientAct): void {
  if (userId !== null) tx.insert(clientActs, { traderId, userId, act })
}

/** Notes the acts of a past moment again, because what was begun then takes effect now. */
export function noteAgain(tx: Tx, traderId: string, acts: readonly ClientAct[], at: number): void {
  for (const { userId, act, createdAt } of tx.list(clientActs, { traderId, act: [...acts] }))
    if (createdAt === at) noteClientAct(tx, userId, traderId, act)
}

/**
 * Returns the person behind a request: staff, the maker of a key, or who acts in a client's session; null for the
 * client and for gateways.
 */
export function personBehind({ principal }: Pick<Ctx, 'principal'>): string | null {
  return findStaffId(principal) ?? (principal.kind === 'trader' ? principal.impersonatorId : null)
}

/** Returns whether a person, or another account of theirs, did one of these acts for a client in the last 30 days. */
function didFor(
  db: Reader,
  people: People,
  userId: string,
  traderId: string,
  acts: readonly ClientAct[],
  now: number,
): boolean {
  return db
    .list(clientActs, { traderId, act: [...acts] })
    .some((row) => now - row.createdAt < COUNTS_FOR && people.samePerson(row.userId, userId))
}

/** Returns whether a person could have signed in as this client, or chose the address that links are mailed to. */
export const couldBeClient = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, CLIENT_TIES, now)

/** Returns whether a person had a part in bringing money to this client. */
export const broughtMoney = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, MONEY_HANDS, now)

/** Returns whether a person took away a colleague's independence in the last 30 days, and so made the firm smaller. */
export const struckColleagues = (db: Reader, people: People, userId: string, now: number): boolean =>
  db
    // giving a colleague a higher role counts too, since the account is then not theirs alone
    .list(accountActs, { act: [...STRIKES, 'role'] })
    .some((row) => now - row.createdAt < COUNTS_FOR && people.samePerson(row.byUserId, userId))

/** Returns whether a person lifted a block of this client's money. */
export const liftedBlock = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, LIFTS, now)

/** Returns whether a person linked an account of a platform to this client. */
export const linkedAccount = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, ACCOUNT_HANDS, now)

/** If the firm has fewer people, one with a part in the money may give the second of two votes. RULES “Approvals”. */
const SMALL_FIRM = 3

/** Returns whether the firm is small, unless this person made it so. */
export const isSmallFor = (db: Reader, people: People, userId: string, now: number): boolean =>
  people.alone('manager').length < SMALL_FIRM && !struckColleagues(db, people, userId, now)

/** Returns whether a person stated that the platform refused a transfer of this client's money. */
export const calledRefused = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, ['refused_transfer'], now)

/** Notes for an account's new client who linked accounts of the former client in the last 30 days. */
export function passLinksOn(tx: Tx, fromTraderId: string, toTraderId: string): void {
  const links = tx.unowned.list(clientActs, { traderId: fromTraderId, act: [...ACCOUNT_HANDS] })
  const recent = links.filter(({ createdAt }) => tx.now - createdAt < COUNTS_FOR)
  for (const userId of new Set(recent.map((row) => row.userId))) noteClientAct(tx, userId, toTraderId, 'linked_account')
}

/** Returns who, in the last 30 days, could have signed in as this client or chose the address for links. */
export const couldBeClients = (db: Reader, traderId: string, now: number): string[] =>
  db
    .list(clientActs, { traderId, act: [...CLIENT_TIES] })
    .filter(({ createdAt }) => now - createdAt < COUNTS_FOR)
    .map(({ userId }) => userId)

/** Returns why this person may not decide about the money of a client (or of nobody in particular) now, or null. */
function whyNotDecide(
  db: Reader,
  people: People,
  userId: string,
  traderId: string | null,
  now: number,
): Problem | null {
  if (people.mustChange(userId)) return independenceErrors.password_change_required()
  if (traderId !== null && couldBeClient(db, people, userId, traderId, now)) return independenceErrors.own_client()
  return null
}

/** Like `whyNotDecide`, for a vote, which also needs an account that is its holder's alone. */
export function whyNotVote(
  db: Reader,
  people: People,
  userId: string,
  traderId: string | null,
  now: number,
): Problem | null {
  if (people.mustChange(userId)) return independenceErrors.password_change_required()
  const { alone, why } = people.independence(userId)
  if (!alone) return independenceErrors.not_independent({ detail: say('independence.error.vote_uncounted', { why }) })
  return whyNotDecide(db, people, userId, traderId, now)
}

/**
 * Returns the person who decides, directly or by their key. Throws the refusal if a colleague gave their password, or
 * if they could be the client.
 */
export function requireDecider(tx: Tx, ctx: Ctx, traderId: string): { userId: string; people: People } {
  const userId = findStaffId(ctx.principal)
  if (userId === null) throw new Problem(403, 'forbidden', say('problems.error.staff_only'))
  const people = readPeople(tx.unowned, tx.now)
  const refusal = whyNotDecide(tx.unowned, people, userId, traderId, tx.now)
  if (refusal) throw refusal
  return { userId, people }
}

/** An account must be this old before it gives access to the whole box. RULES “Recovery key”. */
const SETTLED_AFTER = 7 * DAY

/**
 * Refuses access to the whole box to an account that is new or that another person could use; a thief of a session
 * could make a new one. The firm's founder is exempt.
 */
export function requireSettled({ db, unowned, principal, now }: Ctx): void {
  const user = db.get(users, findStaffId(principal) ?? '')
  const isFounder = ownTenant(unowned)?.createdAt === user.createdAt
  const isOld = now() - user.createdAt >= SETTLED_AFTER
  if (!readPeople(db, now()).independence(user.id).alone || !(isOld || isFounder)) throw independenceErrors.too_new()
}

/** Refuses keys, invitations and decisions to a person whose password a colleague gave. */
export function refuseGivenPassword(tx: Tx, ctx: Ctx): void {
  const userId = findStaffId(ctx.principal)
  if (userId !== null && readPeople(tx, tx.now).mustChange(userId)) throw independenceErrors.password_change_required()
}
