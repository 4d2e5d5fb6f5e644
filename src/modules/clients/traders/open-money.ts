import type { Reader } from '../../../platform/db/reader.ts'

/** Every part of the books that may hold money of a client, in the order in which they are named. */
const PARTS = [
  ...(['wallets', 'deposits', 'withdrawals', 'transfers', 'adjustments', 'accounts', 'commissions'] as const),
  'openings',
] as const

/**
 * What of a client's money is open in one part of the books, in words. That `me` said an account is empty does not
 * count. `db` must see all of the firm.
 */
export type OpenMoney = (db: Reader, traderId: string, me: string | null, now: number) => readonly string[]

/** What each part of the books answers: they know clients, so they hand it in (src/composition.ts). */
type MoneyParts = Readonly<Record<(typeof PARTS)[number], OpenMoney>>

/** What of a client's money is open anywhere: without the client nobody could move it. RULES “Traders”. */
export const openMoneyOf =
  (parts: MoneyParts): OpenMoney =>
  (db, traderId, me, now) =>
    PARTS.flatMap((part) => parts[part](db, traderId, me, now))
