import type { Reader } from '../../../platform/db/reader.ts'

/** What the statement of a wallet asks of the modules that move money. */
export type WalletHooks = {
  /** Returns the references by which people know deposits, withdrawals and transfers, by their ids. */
  findReferences: (db: Reader, ids: readonly string[]) => ReadonlyMap<string, string | null>
}
