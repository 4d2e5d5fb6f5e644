import type { Reader } from '../../../platform/db/reader.ts'

/** The parts of the books that may have money of a client, in the order of the answer. */
const PARTS = [
  ...(['wallets', 'deposits', 'withdrawals', 'transfers', 'adjustments', 'accounts', 'commissions'] as const),
  'openings',
] as const

/**
 * Returns a client's open money in one part of the books, as sentences. A report by `me` that an account is empty does
 * not prove it. `db` must see the whole firm.
 */
export type OpenMoney = (db: Reader, traderId: string, me: string | null, now: number) => readonly string[]

/** What each part answers. The parts import clients, so `src/composition.ts` provides the answers. */
type MoneyParts = Readonly<Record<(typeof PARTS)[number], OpenMoney>>

/** Returns all open money of a client, which nobody could move if the client were deleted. RULES “Traders”. */
export const createOpenMoney =
  (parts: MoneyParts): OpenMoney =>
  (db, traderId, me, now) =>
    PARTS.flatMap((part) => parts[part](db, traderId, me, now))
