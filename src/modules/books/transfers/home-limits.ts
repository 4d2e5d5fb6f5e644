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
import type { TransferHooks } from './transfers.hooks.ts'
import { transfers } from './transfers.table.ts'

/**
 * Returns what is on an account whose money a connection moves; null if it was not read lately. Null instead
 * of it for other accounts, of which the reports of the platform count.
 */
type ReadFree = ((account: AccountRow) => bigint | null) | null

/** Who takes how much off an account, and the money there that came by nobody’s word. */
type Taking = {
  people: People
  userId: string
  account: AccountRow
  amount: bigint
  readFree: ReadFree
  unexplained: ReturnType<TransferHooks['readUnexplained']>
}

/**
 * Refuses to take money off a trading account if it may not be there or not be the client's: one person decides this,
 * and only the platform knows the balance.
 * - The most is the reported balance with later moves; without a report, what was moved there. Where a connection moves
 *   the money, it is what that read in the last five minutes. What came there by nobody’s word does not count.
 * - Nobody takes from a balance that they (or their key) reported, or whose author is unknown.
 * - Money above what was moved there is a gain. Taking it needs a balance of the last 72 hours and an admin, who in the
 *   last 30 days must neither have linked the account, which may be another client's, nor called the client's money
 *   refused, which may be on the account. If the firm has no such admin, a manager may take it.
 * - With a bridge, taking money needs the bridge's report of the last 72 hours, since the money may be lost.
 * - Who linked the account takes less than the threshold in 24 hours, as the rest may be another client's.
 * - For 30 days nothing is taken by a person whom the bridge contradicted, or who called the client's money refused.
 */
export function refuseUnfunded(tx: Tx, ctx: Ctx, taking: Taking): void {
  const { people, userId, account, amount, readFree, unexplained } = taking
  const { traderId, currency } = account
  const reporters = [...listReporters(account), ...unexplained.explainedBy]
  const isTheirBalance = (id: string) => reporters.some((one) => people.samePerson(one, id))
  const saidRefused = (id: string) => calledRefused(tx.unowned, people, id, traderId, tx.now)
  const isTheirWord = (id: string) => saidRefused(id) || linkedAccount(tx.unowned, people, id, traderId, tx.now)
  if (isTheirBalance(userId)) throw transferErrors.own_balance()
  const net = movedThere(tx, account)
  const free = readFree
    ? readFree(account)
    : availableOn(tx, account, readFirmSettings(tx.unowned).platformAcknowledges)
  if (free === null) throw transferErrors.not_reported({ detail: say('transfers.error.not_read') })
  if (amount > free - unexplained.amount) throw transferErrors.above_balance()
  // money that they called refused may be on the account, while the client lost other money
  if (saidRefused(userId) || wasContradicted(tx, people, userId)) throw transferErrors.own_link()
  if (!readFree) refuseUnreported(tx, account, amount > net)
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

/** Refuses to take money off an account whose platform did not report it, or not lately. */
function refuseUnreported(tx: Tx, account: AccountRow, isGain: boolean): void {
  const { balanceBy, balanceAt, byBridge } = account
  // the money may be lost on an account that the bridge reports under another number, or in another currency
  const isBridged = hasBridge(tx, account.platform)
  if (balanceAt !== null && balanceBy === null)
    throw transferErrors.not_reported({ detail: say('transfers.error.balance_of_nobody') })
  if (isBridged && (balanceAt === null || (!byBridge && wasPaidInSince(tx, account, balanceAt))))
    throw transferErrors.not_reported()
  const isOld = tx.now - (balanceAt ?? 0) > SHOWN_AFTER
  if (isOld && (isGain || isBridged)) throw transferErrors.old_balance()
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
