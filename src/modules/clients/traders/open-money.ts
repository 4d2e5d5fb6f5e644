import type { Reader } from '../../../platform/db/reader.ts'

/** Every part of the books that may have money of a client, in the order of the answer. */
const PARTS = [
  ...(['wallets', 'deposits', 'withdrawals', 'transfers', 'adjustments', 'accounts', 'commissions'] as const),
  'openings',
] as const

/**
 * Returns a client's open money in one part of the books, as sentences. A statement by `me` that an account is empty
 * does not count. `db` must see the whole firm.
 */
export type OpenMoney = (db: Reader, traderId: string, me: string | null, now: number) => readonly string[]

/** The answers of the parts, which import clients; `src/composition.ts` provides them. */
type MoneyParts = Readonly<Record<(typeof PARTS)[number], OpenMoney>>

/** Returns all open money of a client, which could not be moved without the client. RULES “Traders”. */
export const createOpenMoney =
  (parts: MoneyParts): OpenMoney =>
  (db, traderId, me, now) =>
    PARTS.flatMap((part) => parts[part](db, traderId, me, now))
