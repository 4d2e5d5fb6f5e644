import { fitsWildcard } from '../../../platform/wildcard.ts'
import type { GroupMask } from './connections.table.ts'

/** Returns whether accounts of a group are live or demo; null for a group that is not read. The first mask counts. */
export const findType = (masks: readonly GroupMask[], group: string): GroupMask['type'] | null =>
  masks.find(({ mask }) => fitsWildcard(mask, group))?.type ?? null
