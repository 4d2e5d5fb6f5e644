import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Work } from './backups.turns.ts'

/** The copies of a night are made at this hour, UTC. */
const NIGHT = 2 * HOUR

/** Returns the last time at which the copies of a night were due. */
const lastNight = (now: number): number => Math.floor((now - NIGHT) / DAY) * DAY + NIGHT

/** Returns whether a night has passed since a snapshot or drill was last made; null means never. */
export function isDueAt(what: Work, now: number, doneAt: number | null): boolean {
  const due = lastNight(now) + (what === 'drill' ? HOUR : 0)
  // a date in the future comes from a wrong clock and does not count
  const isDone = doneAt !== null && doneAt >= due && doneAt <= now
  return !isDone && now >= due
}
