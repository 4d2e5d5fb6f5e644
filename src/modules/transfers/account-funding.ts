import { sql } from 'drizzle-orm'
import type { Ctx } from '../../platform/access/ctx.ts'
import { staffIdOf } from '../../platform/access/principal.ts'
import { DAY } from '../../platform/clock.ts'
import type { Reader } from '../../platform/db/reader.ts'
import { bare, listed, statement } from '../../platform/db/statement.ts'
import { readSum, sumOf } from '../../platform/db/sums.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type AccountRow, accounts } from '../accounts/accounts.table.ts'
import { peopleOf } from '../independence/people.ts'
import { transfers } from './transfers.table.ts'

/** How long a report may take to show what was taken; a firm without a bridge may enter balances once a week. */
const SHOWN_WITHIN = 7 * DAY

const IN = sql`${transfers.kind} = 'wallet_to_account'`
// what is on its way is not there yet, and may be refused; what was taken is gone at once
const MOVED = statement(
  sql`SELECT ${listed({
    paidIn: sumOf(sql`iif(${IN}, ${transfers.toAmount}, 0)`),
    takenOut: sumOf(sql`iif(${IN}, 0, ${transfers.fromAmount})`),
  })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?2
    AND iif(${IN}, ${transfers.state} = 'booked' AND ${transfers.toCurrency} = ?3 AND ${transfers.createdAt} > ?4,
      ${transfers.state} <> 'refused' AND ${transfers.fromCurrency} = ?3 AND ${transfers.createdAt} >= ?4)`,
)

/** What transfers brought to an account and took from it since a moment; minor units of its currency. */
function movesSince(db: Reader, { id, currency }: AccountRow, at: number): { paidIn: bigint; takenOut: bigint } {
  const [row] = db.query<{ paidIn: string; takenOut: string }>(MOVED, [id, currency, at])
  return { paidIn: readSum(row?.paidIn ?? '0 0'), takenOut: readSum(row?.takenOut ?? '0 0') }
}

/** What transfers moved to an account since a moment, less what they took from it; minor units of its currency. */
export function movedSince(db: Reader, account: AccountRow, at: number): bigint {
  const { paidIn, takenOut } = movesSince(db, account, at)
  return paidIn - takenOut
}

/** Whether money was ever moved to or from an account, or is on its way. */
export const hasTransfers = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId }, { limit: 1 }).length > 0

/** Whether money is on its way to or from an account. */
export const hasMoneyOnItsWay = (db: Reader, accountId: string): boolean =>
  db.list(transfers, { accountId, state: 'sent' }, { limit: 1 }).length > 0

const TAKES = statement(
  sql`SELECT DISTINCT ${listed({ createdBy: transfers.createdBy })} FROM ${transfers}
  WHERE ${transfers.tenantId} = ?1 AND ${transfers.accountId} = ?2 AND ${transfers.kind} = 'account_to_wallet'
    AND ${transfers.state} <> 'refused' AND ${transfers.createdAt} > ?3`,
)

/** Who took money from an account that a report has still time to show. */
const takersOf = (db: Reader, accountId: string, now: number): (string | null)[] =>
  db.query<{ createdBy: string | null }>(TAKES, [accountId, now - SHOWN_WITHIN]).map(({ createdBy }) => createdBy)

/**
 * What may come from an account; minor units. The balance that was reported with what was paid in since, or without
 * one what was paid in, less what was taken: that counts against later reports too until they have fallen by as much,
 * for a platform that has not paid out yet goes on reporting the money.
 */
export function availableOn(db: Reader, account: AccountRow, now: number): bigint {
  const { balance, balanceAt, taken } = account
  if (balanceAt === null) return movedSince(db, account, 0)
  const { paidIn, takenOut } = movesSince(db, account, balanceAt)
  const unseen = taken > 0n && takersOf(db, account.id, now).length > 0 ? taken : 0n
  return balance + paidIn - (unseen > takenOut ? unseen : takenOut)
}

/**
 * What of an account's money was taken and is still in its reports, after somebody reports another balance. The word
 * of who took it shows nothing.
 */
export function takenAfter(ctx: Ctx, db: Reader, before: AccountRow, balance: bigint): bigint {
  if (before.taken === 0n) return 0n
  const expected = before.balanceAt === null ? movesSince(db, before, 0).paidIn : before.balance
  const fallen = expected - balance
  if (fallen <= 0n) return before.taken
  const [now, reporter] = [ctx.now(), staffIdOf(ctx.principal)]
  const people = peopleOf(db, now)
  const isReporter = (taker: string | null): boolean =>
    reporter !== null && taker !== null && people.samePerson(taker, reporter)
  if (takersOf(db, before.id, now).some(isReporter)) return before.taken
  return before.taken > fallen ? before.taken - fallen : 0n
}

const TAKE = statement(
  sql`UPDATE ${accounts} SET ${bare(accounts.taken)} = max(0, ${accounts.taken} + ?3)
  WHERE ${accounts.tenantId} = ?1 AND ${accounts.id} = ?2`,
)

/** Notes that so much was taken from an account, or (negative) given back because the platform refused it. */
export const noteTaken = (tx: Tx, accountId: string, amount: bigint): void => {
  tx.execute(TAKE, [accountId, amount])
}
