import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { Account } from './accounts.model.ts'
import type { AccountRow } from './accounts.table.ts'

/** What this module needs from transfers: the money that was moved to and from accounts. */
type Funding = {
  /** Returns whether money is on a live account. */
  hasMoney: (db: Reader, account: AccountRow) => boolean
  /** Returns whether a transfer to or from an account is not booked yet. */
  hasMoneyOnItsWay: (db: Reader, accountId: string) => boolean
  /** Returns whether an account ever had a transfer, booked or not. */
  hasTransfers: (db: Reader, accountId: string) => boolean
  /** Returns whether money was taken off so recently that a report may still include it. */
  wasTakenLately: (db: Reader, account: AccountRow, now: number) => boolean
}

/** What this module needs from positions, which belong to the account that they were traded on. */
type Trades = {
  /** Links to an account the positions that were reported before it was created. */
  link: (ctx: Ctx, account: Account) => Promise<void>
  /** Makes the account's new client the owner of its positions. */
  passOn: (tx: Tx, accountId: string, traderId: string) => void
  /** Returns whether a position on an account is closed, and so may have earned a commission. */
  hasClosed: (db: Reader, accountId: string) => boolean
}

/** What this module needs from modules that import it; `src/composition.ts` provides it. */
export type AccountHooks = { funding: Funding; trades: Trades }
