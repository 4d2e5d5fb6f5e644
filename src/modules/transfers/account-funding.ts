import { sql } from 'drizzle-orm'
import { HOUR } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import type { AccountRow } from '../accounts/accounts.table.ts'
import { transfers } from './transfers.table.ts'

/** A report that comes so long after money was taken shows it; one that comes sooner may not know of it yet. */
const SHOWN_AFTER = 72 * HOUR

const IN = sql`${transfers.kind} = 'wallet_to_account'`
// what is on its way is not there yet, and may be refused; what was taken is gone at once
const MOVED = statement(
  sql`SELECT ${listed({
    paidIn: sumOf(sql`iif(${IN}, ${transfers.toAmount}, 0)`),
    takenOut: sumOf(sql`iif(${IN}, 0, ${transfers.fromAmount})`),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?2
    AND iif(${IN}, ${transfers.state} = 'booked' AND ${transfers.toCurrency} = ?3 AND ${transfers.createdAt} > ?4,
      ${transfers.state} <> 'refused' AND ${transfers.fromCurrency} = ?3 AND ${transfers.createdAt} >= ?5)`,
)

/** What transfers brought to an account after one moment, less what they took from it since another; minor units. */
function movedSince(db: Reader, { id, currency }: AccountRow, since: { in: number; out: number }): bigint {
  const [row] = db.query<{ paidIn: string; takenOut: string }>(MOVED, [id, currency, since.in, since.out])
  return readSum(row?.paidIn ?? '0 0') - readSum(row?.takenOut ?? '0 0')
}

/** What transfers ever moved to an account, less what they took from it; minor units of its currency. */
export const movedThere = (db: Reader, account: AccountRow): bigint => movedSince(db, account, { in: 0, out: 0 })

/** What was moved to an account since its balance was reported, less what was taken; minor units of its currency. */
export const movedSinceReport = (db: Reader, account: AccountRow): bigint => {
  const at = account.balanceAt ?? 0
  return movedSince(db, account, { in: at, out: at })
}

/**
 * What may come from an account; minor units. The balance that was reported with what was paid in since, or without
 * one what was paid in, less what was taken: that counts against every report that came within 72 hours of it too, for
 * a platform that has not paid out yet goes on reporting the money.
 */
export function availableOn(db: Reader, account: AccountRow): bigint {
  const { balance, balanceAt, reportedAt } = account
  if (balanceAt === null) return movedThere(db, account)
  return balance + movedSince(db, account, { in: balanceAt, out: (reportedAt ?? balanceAt) - SHOWN_AFTER })
}

/** Whether something was taken that the last report may not have known of. */
export function hasUnseen(db: Reader, account: AccountRow): boolean {
  const { reportedAt } = account
  return (
    reportedAt !== null && movedSince(db, account, { in: Number.MAX_SAFE_INTEGER, out: reportedAt - SHOWN_AFTER }) < 0n
  )
}

/** Whether money was ever moved to or from an account, or is on its way. */
export const hasTransfers = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId }, { limit: 1 }).length > 0

/** Whether money is on its way to or from an account. */
export const hasMoneyOnItsWay = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId, state: 'sent' }, { limit: 1 }).length > 0
