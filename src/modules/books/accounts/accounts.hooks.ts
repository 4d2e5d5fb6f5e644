import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { Problem } from '../../../platform/problem.ts'
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

/** Where an account is: its number on a platform and server. */
export type Place = Pick<AccountRow, 'platform' | 'server' | 'accountNumber'>
/** Who links a number to whom, and why if the terminal names somebody else. */
type LinkSaid = { traderId: string; note: string | undefined }
/** What a terminal says of an account, which counts in place of what people say. */
export type TerminalFacts = Pick<AccountRow, 'server' | 'currency' | 'leverage' | 'isDemo'>

/** What this module needs from trading servers that Brokerbase reads itself. */
type Terminals = {
  /** Returns whether a terminal decides about the currency, leverage, kind and balances of an account. */
  decides: (db: Reader, account: AccountRow) => boolean
  /** Makes the refusal of a change of these. */
  refusal: () => Problem
  /**
   * Asks the terminal that has a number whose it is. The function that it returns is called in the write: it refuses
   * the link, or returns what the terminal says; null if no terminal that is read has this place.
   */
  weighLink: (ctx: Ctx, place: Place, said: LinkSaid) => Promise<(tx: Tx) => TerminalFacts | null>
}

/** What this module needs from modules that import it; `src/composition.ts` provides it. */
export type AccountHooks = { funding: Funding; trades: Trades; terminals: Terminals }
