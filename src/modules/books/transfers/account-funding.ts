import { sql } from 'drizzle-orm'
import { HOUR, MINUTE } from '../../../platform/clock.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { readSum, sumAsText } from '../../../platform/db/sums.ts'
import type { AccountRow } from '../accounts/accounts.table.ts'
import { transfers } from './transfers.table.ts'

/**
 * A report this long after money was taken off no longer includes it; an earlier report still may. A balance that is
 * older than this does not prove a gain.
 */
export const SHOWN_AFTER = 72 * HOUR
/** The bridge's report may arrive this long after it was made, so it may lack what the bridge booked meanwhile. */
const ON_ITS_WAY = 5 * MINUTE

const IN = sql`${transfers.kind} = 'wallet_to_account'`
// money sent to an account may still be refused and does not count yet; money sent from an account counts at once
const MOVED = statement(
  sql`SELECT ${listed({
    paidIn: sumAsText(sql`iif(${IN}, ${transfers.toAmount}, 0)`),
    takenOut: sumAsText(sql`iif(${IN}, 0, ${transfers.fromAmount})`),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?2
    AND iif(${IN}, ${transfers.state} = 'booked' AND ${transfers.toCurrency} = ?3 AND ${transfers.createdAt} > ?4,
      ${transfers.fromCurrency} = ?3 AND (${transfers.state} = 'sent' OR ${transfers.state} = 'booked'
        AND coalesce(${transfers.acknowledgedAt}, ${transfers.createdAt}) >= ?5 AND NOT (${transfers.byBridge} AND ${transfers.acknowledgedAt} < ?6)))`,
)

/**
 * Money counts if it was moved to the account after `paidAfter`, or taken off since `takenSince` and not booked by the
 * bridge before `bookedAfter`.
 */
type Since = { paidAfter: number; takenSince: number; bookedAfter?: number }

/** Returns what transfers moved to an account and took off it, in minor units. */
function sumTransfers(db: Reader, { id, currency }: AccountRow, { paidAfter, takenSince, bookedAfter = 0 }: Since) {
  const [row] = db.query<{ paidIn: string; takenOut: string }>(MOVED, [
    id,
    currency,
    paidAfter,
    takenSince,
    bookedAfter,
  ])
  return { paidIn: readSum(row?.paidIn ?? '0 0'), takenOut: readSum(row?.takenOut ?? '0 0') }
}

/** Returns what was moved to an account since a moment, less what was taken off, in minor units of its currency. */
function movedSince(db: Reader, account: AccountRow, at: number): bigint {
  const { paidIn, takenOut } = sumTransfers(db, account, { paidAfter: at, takenSince: at })
  return paidIn - takenOut
}
/** Returns what was ever moved to an account, less what was taken off. */
export const movedThere = (db: Reader, account: AccountRow): bigint => movedSince(db, account, 0)
/** Returns what was moved to an account since the report of its balance, less what was taken off. */
const movedSinceReport = (db: Reader, account: AccountRow): bigint => movedSince(db, account, account.balanceAt ?? 0)

/** Returns whether money is on a live account: the platform reported a balance, or money was moved there since. */
export const hasMoney = (db: Reader, account: AccountRow): boolean =>
  !account.isDemo && (account.balance !== 0n || movedSinceReport(db, account) > 0n)

/**
 * Returns what may be taken off an account, in minor units: the reported balance (0 without a report) with what was
 * moved there since, less what was taken off. Money taken up to 72 hours before the report is subtracted too, as a
 * platform that has not paid it out still reports it; but if the platform acknowledges (`waits`), its bridge's later
 * report already lacks what the bridge booked.
 */
export function availableOn(db: Reader, account: AccountRow, waits: boolean): bigint {
  const { balance, balanceAt, byBridge } = account
  if (balanceAt === null) return movedThere(db, account)
  const { paidIn, takenOut } = sumTransfers(db, account, {
    paidAfter: balanceAt,
    takenSince: balanceAt - SHOWN_AFTER,
    ...(waits && byBridge ? { bookedAfter: balanceAt - ON_ITS_WAY } : {}),
  })
  return balance + paidIn - takenOut
}

/** Returns whether money was moved to the account since a moment. */
export const wasPaidInSince = (db: Reader, account: AccountRow, at: number): boolean =>
  sumTransfers(db, account, { paidAfter: at, takenSince: at }).paidIn > 0n

/** Returns whether money was taken off so recently that a report may still include it. */
export function wasTakenLately(db: Reader, account: AccountRow, now: number): boolean {
  return sumTransfers(db, account, { paidAfter: now, takenSince: now - SHOWN_AFTER }).takenOut > 0n
}

export const hasTransfers = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId }, { limit: 1 }).length > 0

/** Returns whether a transfer to or from an account is not booked yet. */
export const hasMoneyOnItsWay = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId, state: 'sent' }, { limit: 1 }).length > 0
