import { addDays, startOfDay, toDay } from '../../../platform/zone.ts'
import type { LoginRow } from '../logins/logins.table.ts'

/** The last midnight of a firm, and the day that ended then. */
export type DayEnd = { at: number; day: string }

/** Returns the last midnight of a zone before a moment. */
export function findDayEnd(now: number, timeZone: string): DayEnd {
  const today = toDay(now, timeZone)
  return { at: startOfDay(today, timeZone), day: addDays(today, -1) }
}

type Reported = Pick<LoginRow, 'balance' | 'credit' | 'equity' | 'readAt'>
type Ended = Pick<LoginRow, 'endedDay' | 'endedBalance' | 'endedCredit' | 'endedEquity' | 'endedAt'>

/**
 * Returns what a login keeps of the day that ended, where it is written for the first time since. An unchanged state is
 * not written, so what the row says until then is what the login had at that midnight.
 */
export function keepEnded(
  { balance, credit, equity, readAt }: Reported,
  { at, day }: DayEnd,
): Ended | Record<string, never> {
  if (readAt >= at) return {}
  return { endedDay: day, endedBalance: balance, endedCredit: credit, endedEquity: equity, endedAt: readAt }
}

type Kept = Reported & Omit<Ended, 'endedDay'>
/** What a login was reported to have. */
type Report = { balance: number; credit: number; equity: number; at: number }

/** The amounts of a login as SQL returns them. */
export type RawReport = { [K in keyof Kept]: number | (null extends Kept[K] ? null : never) }

/**
 * Returns what was reported of a login last before a midnight: by its row, or by what the row kept of the day that
 * ended. Where neither is that old, it is the older of the two. An equity that the terminal does not say is the balance
 * with the credit.
 */
export function findReport(row: RawReport, midnight: number): Report {
  const { endedAt, endedBalance, endedCredit } = row
  const isKept = row.readAt >= midnight && endedAt !== null && endedBalance !== null && endedCredit !== null
  const said = isKept
    ? { balance: endedBalance, credit: endedCredit, equity: row.endedEquity, at: endedAt }
    : { balance: row.balance, credit: row.credit, equity: row.equity, at: row.readAt }
  return { ...said, equity: said.equity ?? said.balance + said.credit }
}
