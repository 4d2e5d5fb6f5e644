import { sql } from 'drizzle-orm'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumOf } from '../../../platform/db/sums.ts'
import type { AccountRow } from '../accounts/accounts.table.ts'
import { transfers } from './transfers.table.ts'

/**
 * A report that comes so long after money was taken shows it; one that comes sooner may not know of it yet. A balance
 * that is older than this says nothing any more of what was earned.
 */
export const SHOWN_AFTER = 72 * HOUR
/** A platform that booked what was taken may still have a report on its way from before. */
const ON_ITS_WAY = 5 * MINUTE

const IN = sql`${transfers.kind} = 'wallet_to_account'`
// What is on its way there is not there yet, and may be refused; what is on its way from there is gone at once.
const MOVED = statement(
  sql`SELECT ${listed({
    paidIn: sumOf(sql`iif(${IN}, ${transfers.toAmount}, 0)`),
    takenOut: sumOf(sql`iif(${IN}, 0, ${transfers.fromAmount})`),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?2
    AND iif(${IN}, ${transfers.state} = 'booked' AND ${transfers.toCurrency} = ?3 AND ${transfers.createdAt} > ?4,
      ${transfers.fromCurrency} = ?3 AND (${transfers.state} = 'sent' OR ${transfers.state} = 'booked'
        AND coalesce(${transfers.acknowledgedAt}, ${transfers.createdAt}) >= ?5 AND NOT (${transfers.byBridge} AND ${transfers.acknowledgedAt} < ?6)))`,
)

/** From when on moves count: what was paid in after it, taken since it, and not booked by the bridge before it. */
type Since = { paidAfter: number; takenSince: number; bookedAfter?: number }

/** What transfers brought to an account and took from it; minor units. */
function movesOf(db: Reader, { id, currency }: AccountRow, { paidAfter, takenSince, bookedAfter = 0 }: Since) {
  const [row] = db.query<{ paidIn: string; takenOut: string }>(MOVED, [
    id,
    currency,
    paidAfter,
    takenSince,
    bookedAfter,
  ])
  return { paidIn: readSum(row?.paidIn ?? '0 0'), takenOut: readSum(row?.takenOut ?? '0 0') }
}

/** What was moved to an account since a moment, less what was taken from it; minor units of its currency. */
function movedSince(db: Reader, account: AccountRow, at: number): bigint {
  const { paidIn, takenOut } = movesOf(db, account, { paidAfter: at, takenSince: at })
  return paidIn - takenOut
}
/** The same, ever. */
export const movedThere = (db: Reader, account: AccountRow): bigint => movedSince(db, account, 0)
/** The same, since the account's balance was reported. */
const movedSinceReport = (db: Reader, account: AccountRow): bigint => movedSince(db, account, account.balanceAt ?? 0)

/** Whether money is on a live account: the platform reported some, or some was moved there since its last report. */
export const hasMoney = (db: Reader, account: AccountRow): boolean =>
  !account.isDemo && (account.balance !== 0n || movedSinceReport(db, account) > 0n)

/**
 * What may come from an account; minor units. The balance that was reported with what was paid in since, or without
 * one what was paid in, less what was taken: that counts against every report that came within 72 hours of it too, for
 * a platform that has not paid out yet goes on reporting the money. Where the platform has the last word (`waits`),
 * what its bridge booked does not count against a report that the bridge made afterwards.
 */
export function availableOn(db: Reader, account: AccountRow, waits: boolean): bigint {
  const { balance, balanceAt, byBridge } = account
  if (balanceAt === null) return movedThere(db, account)
  const { paidIn, takenOut } = movesOf(db, account, {
    paidAfter: balanceAt,
    takenSince: balanceAt - SHOWN_AFTER,
    ...(waits && byBridge ? { bookedAfter: balanceAt - ON_ITS_WAY } : {}),
  })
  return balance + paidIn - takenOut
}

/** Whether money was paid in since a moment. */
export const wasPaidInSince = (db: Reader, account: AccountRow, at: number): boolean =>
  movesOf(db, account, { paidAfter: at, takenSince: at }).paidIn > 0n

/** Whether money was taken of late that a report by now might still show. */
export function wasTakenLately(db: Reader, account: AccountRow, now: number): boolean {
  return movesOf(db, account, { paidAfter: now, takenSince: now - SHOWN_AFTER }).takenOut > 0n
}

/** Whether money was ever moved to or from an account, or is on its way. */
export const hasTransfers = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId }, { limit: 1 }).length > 0

/** Whether money is on its way to or from an account. */
export const hasMoneyOnItsWay = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId, state: 'sent' }, { limit: 1 }).length > 0
