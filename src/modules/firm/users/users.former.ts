import type { Reader } from '../../../platform/db/reader.ts'
import { users } from './users.table.ts'

/**
 * Whether somebody is no active colleague any more: deleted or disabled. Where nobody is known,
 * nobody left; who is enabled again is back. RULES “Staff accounts”.
 */
export const hasLeft = (db: Reader, userId: string | null): boolean =>
  userId !== null && db.find(users, { id: userId })?.status !== 'active'
