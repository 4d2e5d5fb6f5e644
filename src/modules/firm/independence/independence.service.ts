import type { Ctx } from '../../../platform/access/ctx.ts'
import { staffIdOf } from '../../../platform/access/principal.ts'
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
import { type People, peopleOf } from './people.ts'

/** How long what somebody did for a client counts against their votes. RULES “Approvals”. */
export const COUNTS_FOR = INVOLVED_DAYS * DAY

/**
 * Notes that a caller did something to a colleague's account that
 * lets them act as its holder. What one does to oneself is nothing.
 */
export function noteAccountAct(tx: Tx, byUserId: string | null, userId: string, act: AccountAct): void {
  if (byUserId !== null && byUserId !== userId) tx.insert(accountActs, { userId, byUserId, act })
}

/**
 * Notes what a member of staff did for a client that counts against their votes; nobody is noted where no person acted.
 */
export function noteClientAct(tx: Tx, userId: string | null, traderId: string, act: ClientAct): void {
  if (userId !== null) tx.insert(clientActs, { traderId, userId, act })
}

/** Notes again, as of now, what was noted for a client at a moment: something was begun then and takes effect now. */
export function noteAgain(tx: Tx, traderId: string, acts: readonly ClientAct[], at: number): void {
  for (const { userId, act, createdAt } of tx.list(clientActs, { traderId, act: [...acts] }))
    if (createdAt === at) noteClientAct(tx, userId, traderId, act)
}

/**
 * The person behind a request: staff, the maker of a key, or who acts in
 * a client's session; null for the client themselves and for gateways.
 */
export function personBehind({ principal }: Pick<Ctx, 'principal'>): string | null {
  return staffIdOf(principal) ?? (principal.kind === 'trader' ? principal.impersonatorId : null)
}

/** Whether somebody, or an account of theirs, did one of these acts for a client in the last 30 days. */
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

/** Whether somebody could have signed in as this client, or chose the address that links go to. */
export const couldBeClient = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, CLIENT_TIES, now)

/** Whether money came to this client by somebody's hand. */
export const broughtMoney = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, MONEY_HANDS, now)

/** Whether somebody struck a colleague's account in the last 30 days, and so made the firm smaller than it is. */
export const struckColleagues = (db: Reader, people: People, userId: string, now: number): boolean =>
  db
    // who is raised has an account that is not theirs alone any more
    .list(accountActs, { act: [...STRIKES, 'role'] })
    .some((row) => now - row.createdAt < COUNTS_FOR && people.samePerson(row.byUserId, userId))

/** Whether somebody lifted what stopped this client's money. */
export const liftedBlock = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, LIFTS, now)

/** Whether somebody said which account of a platform is this client's. */
export const linkedAccount = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, ACCOUNT_HANDS, now)

/** From fewer people than this, whoever has a part in it may give the second of two votes. RULES “Approvals”. */
const SMALL_FIRM = 3

/** Whether somebody works in a small firm that they did not make small themselves. */
export const isSmallFor = (db: Reader, people: People, userId: string, now: number): boolean =>
  people.alone('manager').length < SMALL_FIRM && !struckColleagues(db, people, userId, now)

/** Whether somebody said that the platform refused this client's money. */
export const calledRefused = (db: Reader, people: People, userId: string, traderId: string, now: number): boolean =>
  didFor(db, people, userId, traderId, ['refused_transfer'], now)

/** Notes for a client who gets an account of another one whoever said, in the last 30 days, which were that one's. */
export function passLinksOn(tx: Tx, fromTraderId: string, toTraderId: string): void {
  const links = tx.unowned.list(clientActs, { traderId: fromTraderId, act: [...ACCOUNT_HANDS] })
  const recent = links.filter(({ createdAt }) => tx.now - createdAt < COUNTS_FOR)
  for (const userId of new Set(recent.map((row) => row.userId))) noteClientAct(tx, userId, toTraderId, 'linked_account')
}

/** Who could have signed in as this client in the last 30 days, or chose the address that links go to. */
export const couldBeClients = (db: Reader, traderId: string, now: number): string[] =>
  db
    .list(clientActs, { traderId, act: [...CLIENT_TIES] })
    .filter(({ createdAt }) => now - createdAt < COUNTS_FOR)
    .map(({ userId }) => userId)

/** Why this person decides nothing about the money of a client (or of nobody in particular) now; null when they may. */
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

/** As `whyNotDecide`, for a vote, which counts only from an account that is its holder's alone. */
export function whyNotVote(
  db: Reader,
  people: People,
  userId: string,
  traderId: string | null,
  now: number,
): Problem | null {
  if (people.mustChange(userId)) return independenceErrors.password_change_required()
  const { alone, why } = people.standing(userId)
  if (!alone) return independenceErrors.not_independent({ detail: say('independence.error.vote_uncounted', { why }) })
  return whyNotDecide(db, people, userId, traderId, now)
}

/**
 * Who decides: a person (or their key) who has changed a given
 * password and could not be the client. Throws the refusal.
 */
export function requireDecider(tx: Tx, ctx: Ctx, traderId: string): { userId: string; people: People } {
  const userId = staffIdOf(ctx.principal)
  if (userId === null) throw new Problem(403, 'forbidden', say('problems.error.staff_only'))
  const people = peopleOf(tx.unowned, tx.now)
  const refusal = whyNotDecide(tx.unowned, people, userId, traderId, tx.now)
  if (refusal) throw refusal
  return { userId, people }
}

/** How old an account is that gets what opens the whole installation. RULES “Recovery key”. */
const SETTLED_AFTER = 7 * DAY

/**
 * Refuses what opens the whole installation to an account that another person could use, or that was made lately: who
 * stole a session would make one for it. Whoever set the firm up is there as long as the firm.
 */
export function requireSettled({ db, unowned, principal, now }: Ctx): void {
  const user = db.get(users, staffIdOf(principal) ?? '')
  const isFounder = ownTenant(unowned)?.createdAt === user.createdAt
  const isOld = now() - user.createdAt >= SETTLED_AFTER
  if (!peopleOf(db, now()).standing(user.id).alone || !(isOld || isFounder)) throw independenceErrors.too_new()
}

/** A password that a colleague chose opens nothing that lasts: no keys, no invitations, no decisions. */
export function refuseGivenPassword(tx: Tx, ctx: Ctx): void {
  const userId = staffIdOf(ctx.principal)
  if (userId !== null && peopleOf(tx, tx.now).mustChange(userId)) throw independenceErrors.password_change_required()
}
