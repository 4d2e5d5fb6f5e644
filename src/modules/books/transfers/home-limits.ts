import { sql } from 'drizzle-orm'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { roleOf } from '../../../platform/access/principal.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { COUNTS_FOR, calledRefused, linkedAccount } from '../../firm/independence/independence.service.ts'
import type { People } from '../../firm/independence/people.ts'
import type { AccountRow } from '../accounts/accounts.table.ts'
import { hasBridge } from '../accounts/platform-feed.ts'
import { availableOn, movedThere, SHOWN_AFTER, wasPaidInSince } from './account-funding.ts'
import { refuseLargeFromOwnLink } from './sum-limits.ts'
import { transferErrors } from './transfers.errors.ts'
import { transfers } from './transfers.table.ts'

/**
 * Money from a trading account becomes the client's on one person's word, and what is there is the platform's to
 * say. So never more than the balance it reported, with what was moved since; where none was reported, what was
 * moved there. Nobody books on a balance that they reported themselves (or by a key). More than was moved there was
 * earned, and takes a balance of the last 72 hours and an admin whose word it is not, or a manager where the firm has
 * no such admin: neither the balance nor, in the last 30 days, that the platform's account is this client's, for it may
 * have been another's, or that the platform refused the client's money, for it may be there. What a platform with a
 * bridge has never reported, or not for 72 hours, may be lost by now: then nothing comes home before it is reported;
 * nor does it while nobody knows whose word a balance is. What was moved there may be lost as well, and the rest
 * another's: so whoever linked the account brings home less than the threshold in 24 hours.
 * Whoever spoke for the platform, and was contradicted by its bridge, brings nothing home at all for 30 days.
 */
export function refuseUnfunded(
  tx: Tx,
  ctx: Ctx,
  people: People,
  userId: string,
  account: AccountRow,
  amount: bigint,
): void {
  const { balanceBy, balanceAt, byBridge, traderId, currency } = account
  const isTheirBalance = (id: string) => balanceBy !== null && people.samePerson(balanceBy, id)
  const saidRefused = (id: string) => calledRefused(tx.unowned, people, id, traderId, tx.now)
  const isTheirWord = (id: string) => saidRefused(id) || linkedAccount(tx.unowned, people, id, traderId, tx.now)
  if (isTheirBalance(userId)) throw transferErrors.own_balance()
  const net = movedThere(tx, account)
  if (amount > availableOn(tx, account, readFirmSettings(tx.unowned).platformAcknowledges))
    throw transferErrors.above_balance()
  // what they called refused may be there, where the client lost something else
  if (saidRefused(userId) || wasContradicted(tx, people, userId)) throw transferErrors.own_link()
  // it may have been lost on an account that the bridge knows by another number, or in another currency
  const isBridged = hasBridge(tx, account.platform)
  if (balanceAt !== null && balanceBy === null)
    throw transferErrors.not_reported({ detail: say('transfers.error.balance_of_nobody') })
  if (isBridged && (balanceAt === null || (!byBridge && wasPaidInSince(tx, account, balanceAt))))
    throw transferErrors.not_reported()
  const isOld = tx.now - (balanceAt ?? 0) > SHOWN_AFTER
  if (isOld && (amount > net || isBridged)) throw transferErrors.old_balance()
  if (amount <= net) {
    refuseLargeFromOwnLink(tx, people, userId, traderId, { amount, currency })
    return
  }
  if (isTheirWord(userId)) throw transferErrors.own_link()
  const role = roleOf(ctx.principal)
  if (role !== null && atLeast(role, 'admin')) return
  const isOther = (id: string) => id !== userId && !isTheirBalance(id) && !isTheirWord(id)
  if (people.alone('admin').some(isOther)) throw transferErrors.above_funding()
}

const CONTRADICTED = statement(
  sql`SELECT DISTINCT ${bare(transfers.acknowledgedBy)} AS "userId" FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.contradictedAt} > ?2 AND ${transfers.acknowledgedBy} IS NOT NULL`,
)
/** Whether somebody said of any transfer what the platform's bridge then denied. */
const wasContradicted = (tx: Tx, people: People, userId: string): boolean =>
  tx.unowned
    .query<{ userId: string }>(CONTRADICTED, [tx.now - COUNTS_FOR])
    .some((row) => people.samePerson(row.userId, userId))
