import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { Query, Where } from '../../../platform/http/lists/page.ts'
import type { OpenMoney } from './open-money.ts'
import type { TraderRow } from './traders.table.ts'

/** The affiliate of a new client, and how the firm knows of them. */
export type Referral = { affiliateId: string; via: 'code' | 'click' | 'lead' | 'staff' }
/** The fields of a request that name the affiliate. */
export type SaidReferral = { affiliateCode?: string | null | undefined; visitorId?: string | null | undefined }
/** The facts that may show that two people are the same. */
export type Person = Pick<TraderRow, 'email' | 'phone'> & { id: string | null }

/** What this module needs from affiliates. */
export type Referrals = {
  /** Returns the affiliate that a request names; 422 if its code is unknown. */
  said: (tx: Tx, said: SaidReferral) => Referral | null
  /** Returns the referral of a new person; null if that person is the affiliate. */
  held: (tx: Tx, referral: Referral | null, person: Person) => Referral | null
  /** Stores a client's affiliate from now on, with the colleague who set it. */
  note: (tx: Tx, traderId: string, of: Referral & { setBy: string | null }) => void
  /** Gives a client another affiliate, or none, for the future only. */
  reassign: (tx: Tx, trader: TraderRow, affiliateId: string | null, setBy: string | null) => void
}

/** What this module needs from KYC. */
export type Papers = {
  /**
   * Makes the documents of a client whose identity changed wait for an independent decision. Returns the changes of the
   * client's row; empty if nothing was approved.
   */
  reopen: (tx: Tx, traderId: string) => Partial<TraderRow>
}

/** Returns whether the law requires keeping a client's records. `db` must see the whole firm. */
type IsKept = (db: Reader, traderId: string) => boolean

/**
 * Returns the predicates of the list for what clients did in a period: paid in, were paid, or traded. 403 if a key may
 * not read that.
 */
type WhereActed = (query: Query, ctx: Ctx) => Where

/**
 * Returns what clients have with the firm, such as “12.50 EUR, 3.00 USD”; clients without money are left out, and all
 * for a key that may not read wallets.
 */
type DescribeBalances = (ctx: Ctx, traderIds: readonly string[]) => ReadonlyMap<string, string>

/** What this module needs from modules that import it; `src/composition.ts` provides it. */
export type TraderHooks = {
  openMoney: OpenMoney
  referrals: Referrals
  papers: Papers
  isKept: IsKept
  whereActed: WhereActed
  describeBalances: DescribeBalances
}
