import { DAY, HOUR } from '../../../platform/clock.ts'
import type { Work } from './backups.turns.ts'

/** At this hour, UTC, the copies of a night are made. */
const NIGHT = 2 * HOUR

/** The last moment at which the copies of a night were due. */
const lastNight = (now: number): number => Math.floor((now - NIGHT) / DAY) * DAY + NIGHT

/** Whether a night has passed since something was last done with the copies; null where it never was. */
export function isDueAt(what: Work, now: number, doneAt: number | null): boolean {
  const due = lastNight(now) + (what === 'drill' ? HOUR : 0)
  // what a wrong clock dated later than now stands for no night
  const isDone = doneAt !== null && doneAt >= due && doneAt <= now
  return !isDone && now >= due
}
