import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { OpenMoney } from './open-money.ts'
import type { TraderRow } from './traders.table.ts'

/** Who brought somebody, and how that is known. */
export type Referral = { affiliateId: string; via: 'code' | 'click' | 'lead' | 'staff' }
/** What a request says of who brought somebody. */
export type SaidReferral = { affiliateCode?: string | null | undefined; visitorId?: string | null | undefined }
/** What of two people shows that they are one. */
export type Person = Pick<TraderRow, 'email' | 'phone'> & { id: string | null }

/** What clients ask of affiliates: who brings somebody. */
export type Referrals = {
  /** Who a request says brought somebody; 422 for a code that nobody has. */
  said: (tx: Tx, said: SaidReferral) => Referral | null
  /** The referral of a new person, if it holds: nobody brings themselves. */
  held: (tx: Tx, referral: Referral | null, person: Person) => Referral | null
  /** Writes down who brought a client from now on, and which of the staff said so. */
  note: (tx: Tx, traderId: string, of: Referral & { setBy: string | null }) => void
  /** Another affiliate for a client, or none, for the future only. */
  reassign: (tx: Tx, trader: TraderRow, affiliateId: string | null, setBy: string | null) => void
}

/** What clients ask of papers. */
export type Papers = {
  /**
   * Who a client is changed: papers that were approved before wait again, until somebody independent decides. What
   * becomes of the client's own record, or nothing where none were approved.
   */
  reopen: (tx: Tx, traderId: string) => Partial<TraderRow>
}

/** Whether the law has the firm keep what it knows of a client. `db` must see all of the firm. */
type IsKept = (db: Reader, traderId: string) => boolean

/** What clients ask of those who know them, and who therefore hand it in (src/composition.ts). */
export type TraderHooks = { openMoney: OpenMoney; referrals: Referrals; papers: Papers; isKept: IsKept }
