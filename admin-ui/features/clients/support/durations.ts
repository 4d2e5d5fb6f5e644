import { say } from './words.ts'

/** Formats a length of time in short: 40 min, 2 h 5 min, 3 days. */
export const span = (ms: number): string => {
  const minutes = Math.max(1, Math.round(Math.abs(ms) / 60_000))
  if (minutes < 60) return say('support.duration.minutes', { minutes })
  if (minutes < 48 * 60) return workingSpan(minutes)
  return say('support.duration.days', { days: Math.round(minutes / 1440) })
}

/** Formats working time in hours, because a working day is not a day of the calendar. */
export const workingSpan = (minutes: number): string => {
  if (minutes < 60) return say('support.duration.minutes', { minutes })
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return rest === 0
    ? say('support.duration.hours', { hours })
    : say('support.duration.hours_minutes', { hours, minutes: rest })
}
