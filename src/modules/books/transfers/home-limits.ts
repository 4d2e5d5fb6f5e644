import { sql } from 'drizzle-orm'
import { atLeast } from '../../../platform/access/catalogue.ts'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { findRole } from '../../../platform/access/principal.ts'
import { bare, statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { COUNTS_FOR, calledRefused, linkedAccount } from '../../firm/independence/independence.service.ts'
import type { People } from '../../firm/independence/people.ts'
import type { AccountRow } from '../accounts/accounts.table.ts'
import { hasBridge } from '../accounts/platform-feed.ts'
import { listReporters } from '../accounts/self-reported-zero.ts'
import { availableOn, movedThere, SHOWN_AFTER, wasPaidInSince } from './account-funding.ts'
import { refuseLargeFromOwnLink } from './sum-limits.ts'
import { transferErrors } from './transfers.errors.ts'
import { transfers } from './transfers.table.ts'

/**
 * Refuses to take money off a trading account if it may not be there or not be the client's: one person decides this,
 * and only the platform knows the balance.
 * - The most is the reported balance with later moves; without a report, what was moved there.
 * - Nobody takes from a balance that they (or their key) reported, or whose author is unknown.
 * - Money above what was moved there is a gain. Taking it needs a balance of the last 72 hours and an admin, who in the
 *   last 30 days must neither have linked the account, which may be another client's, nor called the client's money
 *   refused, which may be on the account. If the firm has no such admin, a manager may take it.
 * - With a bridge, taking money needs the bridge's report of the last 72 hours, since the money may be lost.
 * - Who linked the account takes less than the threshold in 24 hours, as the rest may be another client's.
 * - For 30 days nothing is taken by a person whom the bridge contradicted, or who called the client's money refused.
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
  const isTheirBalance = (id: string) => listReporters(account).some((one) => people.samePerson(one, id))
  const saidRefused = (id: string) => calledRefused(tx.unowned, people, id, traderId, tx.now)
  const isTheirWord = (id: string) => saidRefused(id) || linkedAccount(tx.unowned, people, id, traderId, tx.now)
  if (isTheirBalance(userId)) throw transferErrors.own_balance()
  const net = movedThere(tx, account)
  if (amount > availableOn(tx, account, readFirmSettings(tx.unowned).platformAcknowledges))
    throw transferErrors.above_balance()
  // money that they called refused may be on the account, while the client lost other money
  if (saidRefused(userId) || wasContradicted(tx, people, userId)) throw transferErrors.own_link()
  // the money may be lost on an account that the bridge reports under another number, or in another currency
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
  const role = findRole(ctx.principal)
  if (role !== null && atLeast(role, 'admin')) return
  const isOther = (id: string) => id !== userId && !isTheirBalance(id) && !isTheirWord(id)
  if (people.alone('admin').some(isOther)) throw transferErrors.above_funding()
}

const CONTRADICTED = statement(
  sql`SELECT DISTINCT ${bare(transfers.acknowledgedBy)} AS "userId" FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.contradictedAt} > ?2 AND ${transfers.acknowledgedBy} IS NOT NULL`,
)
/** Returns whether the platform's bridge contradicted a person about any transfer. */
const wasContradicted = (tx: Tx, people: People, userId: string): boolean =>
  tx.unowned
    .query<{ userId: string }>(CONTRADICTED, [tx.now - COUNTS_FOR])
    .some((row) => people.samePerson(row.userId, userId))
