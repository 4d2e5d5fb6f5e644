import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { OpenMoney } from './open-money.ts'
import type { TraderRow } from './traders.table.ts'

/** The affiliate of a new client, and how it is known. */
export type Referral = { affiliateId: string; via: 'code' | 'click' | 'lead' | 'staff' }
/** The fields of a request that name the affiliate. */
export type SaidReferral = { affiliateCode?: string | null | undefined; visitorId?: string | null | undefined }
/** The facts that show whether two people are the same. */
export type Person = Pick<TraderRow, 'email' | 'phone'> & { id: string | null }

/** What this module needs from affiliates. */
export type Referrals = {
  /** Returns the affiliate that a request names; 422 for an unknown code. */
  said: (tx: Tx, said: SaidReferral) => Referral | null
  /** Returns the referral of a new person, unless they are the affiliate themselves. */
  held: (tx: Tx, referral: Referral | null, person: Person) => Referral | null
  /** Stores a client's affiliate from now on, and the colleague who set it. */
  note: (tx: Tx, traderId: string, of: Referral & { setBy: string | null }) => void
  /** Sets another affiliate for a client, or none, for the future only. */
  reassign: (tx: Tx, trader: TraderRow, affiliateId: string | null, setBy: string | null) => void
}

/** What this module needs from KYC. */
export type Papers = {
  /**
   * Makes approved documents of a client whose identity changed wait for an independent decision. Returns the changes
   * of the client's row, none if nothing was approved.
   */
  reopen: (tx: Tx, traderId: string) => Partial<TraderRow>
}

/** Returns whether the law requires to keep a client's records. `db` must see the whole firm. */
type IsKept = (db: Reader, traderId: string) => boolean

/** What this module needs from modules that import it; `src/composition.ts` provides it. */
export type TraderHooks = { openMoney: OpenMoney; referrals: Referrals; papers: Papers; isKept: IsKept }
