import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { Account } from './accounts.model.ts'
import type { AccountRow } from './accounts.table.ts'

/** What accounts ask of transfers: what was moved to them and from them. */
type Funding = {
  /** Whether money is on a live account. */
  hasMoney: (db: Reader, account: AccountRow) => boolean
  /** Whether money is on its way to or from an account. */
  hasMoneyOnItsWay: (db: Reader, accountId: string) => boolean
  /** Whether money was ever moved to or from an account, or is on its way. */
  hasTransfers: (db: Reader, accountId: string) => boolean
  /** Whether money was taken of late that a report by now might still show. */
  wasTakenLately: (db: Reader, account: AccountRow, now: number) => boolean
}

/** What accounts ask of positions: they follow the account that they were traded on. */
type Trades = {
  /** Gives an account the positions that were reported before somebody owned it. */
  link: (ctx: Ctx, account: Account) => Promise<void>
  /** Gives the positions of an account to its new client. */
  passOn: (tx: Tx, accountId: string, traderId: string) => void
  /** Whether something that was traded on an account is closed, so that it may have earned somebody something. */
  hasClosed: (db: Reader, accountId: string) => boolean
}

/** What accounts ask of those who know them, and who therefore hand it in (src/composition.ts). */
export type AccountHooks = { funding: Funding; trades: Trades }
