import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'
import type { AccountRow } from '../accounts/accounts.table.ts'
import type { AcknowledgeIn } from './transfers.model.ts'
import type { TransferRow } from './transfers.table.ts'

/** What this module needs of trading servers that move money themselves; `src/composition.ts` provides it. */
export type TransferHooks = {
  /**
   * Returns the id of the connection that moves the money of a live account; null if none does. 409 if its server does
   * not have the account.
   */
  findMover: (db: Reader, account: AccountRow) => string | null
  /** Returns what an account has, in minor units; null if it was not read in the last five minutes. */
  findFree: (db: Reader, account: AccountRow, at: { connectionId: string; now: number }) => bigint | null
  /**
   * Returns the money that came to an account by nobody’s word, in minor units, and who called such money explained in
   * the last 30 days: it is as if they had reported it.
   */
  readUnexplained: (db: Reader, account: AccountRow, now: number) => { amount: bigint; explainedBy: readonly string[] }
  /** Asks the connection to move a transfer, in the write that makes it. */
  instruct: (tx: Tx, connectionId: string, transfer: TransferRow) => void
  /**
   * Reads what a word about a transfer has to fit. The function that it returns is called in the write: it refuses the
   * word, or returns whether a connection moves this transfer.
   */
  weigh: (
    ctx: Ctx,
    transferId: string,
    said: Static<typeof AcknowledgeIn>,
  ) => Promise<(tx: Tx, transfer: TransferRow) => boolean>
  /** Notes what a person said of a transfer that a connection moves. */
  follow: (tx: Tx, transfer: TransferRow) => void
}
