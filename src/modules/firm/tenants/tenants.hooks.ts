import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** What other modules refuse or do when a firm changes its settings; `src/composition.ts` provides it. */
export type TenantHooks = {
  /** Returns whether there are accounts on a platform. */
  isPlatformUsed(db: Reader, platform: string): boolean
  /** Runs before somebody who is no owner changes the firm's currency. */
  beforeCurrencyChanges(tx: Tx): void
}
