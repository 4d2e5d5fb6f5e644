import type { Reader } from '../../../platform/db/reader.ts'
import { users } from './users.table.ts'

/** Returns whether a colleague is deleted or disabled; false for null. RULES “Staff accounts”. */
export const hasLeft = (db: Reader, userId: string | null): boolean =>
  userId !== null && db.find(users, { id: userId })?.status !== 'active'
