import type { Reader } from '../../../platform/db/reader.ts'
import { accounts } from './accounts.table.ts'

/** Returns whether the firm has an account on a platform, which must then stay listed. */
export const isPlatformUsed = (db: Reader, platform: string): boolean =>
  db.list(accounts, { platform }, { limit: 1 }).length > 0
