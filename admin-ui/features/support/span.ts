/** A length of time as short words: 40 min, 2 h 5 min, 3 days. */
export const span = (ms: number): string => {
  const minutes = Math.max(1, Math.round(Math.abs(ms) / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`
  return `${Math.round(minutes / 1440)} days`
}

/** Working time is told in hours: a day of it is not a day of the calendar. */
export const workingSpan = (minutes: number): string =>
  minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`
