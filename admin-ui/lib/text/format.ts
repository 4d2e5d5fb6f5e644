import { dayText } from './day-text.ts'
import { language, locale } from './language.ts'
import { say } from './words.ts'
import { zoned } from './zone.ts'

/**
 * Groups a decimal string's whole part by thousands. The digits are those of the API: nothing is parsed, so nothing is
 * rounded.
 */
export const groupDigits = (amount: string): string => {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? []
  if (!whole) return amount
  const [group, point] = language === 'de' ? ['.', ','] : [',', '.']
  return `${sign ? '−' : ''}${whole.replace(/\B(?=(\d{3})+(?!\d))/g, group)}${fraction.replace('.', point)}`
}

/**
 * Writes the amounts and dates in a sentence of the server as the reader does: “below 10,000.00 EUR”, “of Jan 5, 2026”.
 * Other numbers, such as years, stay unchanged.
 */
export const groupInSentence = (sentence: string): string =>
  sentence.replace(AMOUNTS, groupDigits).replace(MOMENTS, formatDateTime).replace(DAYS, dayText)

const MOMENTS = /(?<![\w-])\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z/g
const DAYS = /(?<![\w-])\d{4}-\d{2}-\d{2}(?![\w-])/g

const WITH_DECIMALS = /(?<![\w.,-])\d{4,16}\.\d{1,8}\b(?! *[\d-])/
// Below a thousand there is nothing to group, but the point is a comma in other languages.
const WITH_CURRENCY = /(?<![\w.,-])\d{1,16}(?:\.\d{1,8})?(?= [A-Z]{3,5}\b)/
// Matches the amounts in "(bank 20000, card 184.28)", whose currency was named before.
const OF_METHOD = /(?<=\b(?:[Bb]ank|card|Karte|[Ww]allet|crypto|Krypto) )\d{1,16}(?:\.\d{1,8})?(?=[,)])/
const AMOUNTS = new RegExp([WITH_DECIMALS, WITH_CURRENCY, OF_METHOD].map(({ source }) => source).join('|'), 'g')

const dateTime = zoned({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const withZone = zoned({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})
const dateOnly = zoned({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const toSecond = zoned({
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const timeOnly = zoned({ hour: '2-digit', minute: '2-digit' })
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
const counts = new Intl.NumberFormat(locale)

export const formatDateTime = (iso: string): string => dateTime(new Date(iso))
/** Returns the moment with the name of the firm's zone, such as “CET”. */
export const formatZoned = (iso: string): string => withZone(new Date(iso))
export const formatDate = (iso: string): string => dateOnly(new Date(iso))
export const formatTime = (iso: string): string => timeOnly(new Date(iso))
/** Returns day and time to the second, for events that follow each other within seconds. */
export const formatSecond = (iso: string): string => toSecond(new Date(iso))
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const sizes = UNITS.map(
  (unit) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }),
)

/** Returns a number of bytes in the largest unit that it fills, such as 1.4 MB. */
export const formatBytes = (bytes: number): string => {
  const size = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1)
  return sizes[size]?.format(bytes / 1000 ** size) ?? String(bytes)
}

export const formatCount = (count: number): string => counts.format(count)

/** Returns the same moment in UTC, to the second. */
export const formatUtc = (iso: string): string =>
  say('parts.utc', {
    time: new Date(iso)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.\d+Z$/, ''),
  })

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Returns "5 minutes ago" or "in 2 days", and a plain date from a month on. */
export const formatAgo = (iso: string, now: number = Date.now()): string => {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  if (Math.abs(seconds) > 30 * 86_400) return formatDate(iso)
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size)
  return step ? relative.format(Math.trunc(seconds / step[1]), step[0]) : say('parts.just_now')
}

/** Returns a code in plain letters: `partially_settled` → "Partially settled". */
export const humanize = (word: string): string => {
  const text = word.replace(/[_.-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the first letters of up to two words, for an avatar. */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word].slice(0, 1).join('').toUpperCase())
    .join('')
