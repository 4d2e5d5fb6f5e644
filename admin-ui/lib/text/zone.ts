import { locale } from './language.ts'

/** The firm's time zone; that of the browser until somebody is signed in. */
let zone: string | undefined

/** Makes days and times those of the firm, wherever its reader is: a day of a report then has the rows of that day. */
export function setZone(name: string | undefined): void {
  zone = name
}

/** Returns the name of the zone of all days and times, such as Europe/Berlin. */
export const zoneName = (): string => zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns a function that formats a moment in the firm's zone. */
export function zoned(options: Intl.DateTimeFormatOptions, language = locale): (at: Date | number) => string {
  let made: { zone: string | undefined; format: Intl.DateTimeFormat } | null = null
  return (at) => {
    if (made === null || made.zone !== zone)
      made = { zone, format: new Intl.DateTimeFormat(language, { ...options, ...(zone && { timeZone: zone }) }) }
    return made.format.format(at)
  }
}

const DAY_PARTS = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
const TIME_PARTS = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const
// this language writes 2026-12-31 15:30:00
const toDayText = zoned(DAY_PARTS, 'sv-SE')
/** Returns a moment by the firm's clock, such as 2026-12-31 15:30:00. */
export const toClockText = zoned({ ...DAY_PARTS, ...TIME_PARTS }, 'sv-SE')

/** Returns the firm's day of a moment, such as 2026-12-31; empty for no moment. */
export const toDay = (at: Date): string => (Number.isNaN(at.getTime()) ? '' : toDayText(at))

/** Returns how far the firm's clock is from UTC at a moment, in milliseconds. */
const offsetAt = (at: number): number =>
  Date.parse(`${toClockText(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000

/** Returns the moment at which a day of the firm begins, or has a time such as 09:30; an invalid date for no day. */
export function startOfDay(day: string, time = '00:00'): Date {
  const utc = Date.parse(`${day}T${time}:00Z`)
  if (Number.isNaN(utc)) return new Date(Number.NaN)
  // the clock may change between the two moments, so the offset is looked up again where it is needed
  return new Date(utc - offsetAt(utc - offsetAt(utc)))
}

/** Returns the last millisecond of a day of the firm. */
export const endOfDay = (day: string): Date => {
  const start = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(start)) return new Date(Number.NaN)
  return new Date(startOfDay(new Date(start + 86_400_000).toISOString().slice(0, 10)).getTime() - 1)
}
