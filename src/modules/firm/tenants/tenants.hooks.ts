import type { Reader } from '../../../platform/db/reader.ts'
import type { Tx } from '../../../platform/db/tx.ts'

/** What areas that count by a firm's settings have to say when it changes them; `src/composition.ts` hands it in. */
export type TenantHooks = {
  /** Whether accounts are on a platform. */
  isPlatformUsed(db: Reader, platform: string): boolean
  /** Hears, while the old one still holds, that somebody who is no owner changes the firm's currency. */
  beforeCurrencyChanges(tx: Tx): void
}
