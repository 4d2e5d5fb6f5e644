import { DAY } from '../../../platform/clock.ts'
import type { Pending } from './connections.table.ts'

/** A change that nobody confirms lapses after this time. */
const LAPSES_AFTER = 7 * DAY

/** Returns a change that still waits; one that lapsed is none. */
export const livePending = (pending: Pending | null, now: number): Pending | null =>
  pending !== null && now - pending.at < LAPSES_AFTER ? pending : null
