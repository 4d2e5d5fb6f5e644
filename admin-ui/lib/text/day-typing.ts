import { createDigits, HALF_DAY } from './day-text.ts'
import { locale } from './language.ts'
import { say } from './words.ts'

type Part = 'day' | 'month' | 'year'
const isPart = (type: string): type is Part => type === 'day' || type === 'month' || type === 'year'

const listParts = (format: Intl.DateTimeFormat): Part[] =>
  format.formatToParts(0).flatMap(({ type }) => (isPart(type) ? [type] : []))

const LETTERS: Record<Part, string> = {
  day: say('parts.day.letters_day'),
  month: say('parts.day.letters_month'),
  year: say('parts.day.letters_year'),
}

/** The form of a day in the reader's language, such as `dd/mm/yyyy` or `TT.MM.JJJJ`. */
export const DAY_FORM = createDigits(locale)
  .formatToParts(0)
  .map(({ type, value }) => (isPart(type) ? LETTERS[type] : value))
  .join('')

const ISO = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const PARTED = /^(\d{1,4})[./\s-]+(\d{1,2})[./\s-]+(\d{1,4})$/
const EIGHT = /^\d{8}$/

const LENGTHS: Record<Part, number> = { day: 2, month: 2, year: 4 }

/** Splits a text into the numbers of a day, in the order of `order` or as an ISO day. */
function splitDay(text: string, order: readonly Part[]): Partial<Record<Part, string>> | null {
  const [, year, month, day] = ISO.exec(text) ?? []
  if (year && month && day) return { year, month, day }
  const [, ...numbers] = PARTED.exec(text) ?? []
  if (numbers.length > 0) return Object.fromEntries(order.map((part, at) => [part, numbers[at]]))
  if (!EIGHT.test(text)) return null
  const ends = order.map((_, at) => order.slice(0, at + 1).reduce((sum, part) => sum + LENGTHS[part], 0))
  return Object.fromEntries(order.map((part, at) => [part, text.slice((ends[at] ?? 0) - LENGTHS[part], ends[at])]))
}

/** Returns the year of two digits that is next to the present, at most ten years ahead: 85 is 1985. */
const findYear = (year: string, now: Date): string => {
  const ahead = now.getUTCFullYear() + 10
  const of = Math.floor(ahead / 100) * 100 + Number(year)
  return String(of > ahead ? of - 100 : of)
}

type Reading = {
  /** Whether the typing has ended, so that a year may have two digits. */
  isLeft?: boolean
  now?: Date
  language?: string
}

/**
 * Reads a typed day, in the form of the reader's language or as 2026-12-31. An empty text stays empty, and anything
 * that is no whole day is HALF_DAY.
 */
export function readDay(typed: string, { isLeft = false, now = new Date(), language = locale }: Reading = {}): string {
  const text = typed.trim().replace(/\.$/, '')
  if (text === '') return ''
  const { day = '', month = '', year = '' } = splitDay(text, listParts(createDigits(language))) ?? {}
  const whole = year.length === 2 && isLeft ? findYear(year, now) : year
  if (!/^[1-9]\d{3}$/.test(whole)) return HALF_DAY
  const iso = `${whole}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = Date.parse(`${iso}T00:00:00Z`)
  // a day such as February 31 would become one of March
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(iso) ? iso : HALF_DAY
}

const CLOCK = /^(\d{1,2})(?:[:.h ]?(\d{2}))?\s*([ap])?\.?m?\.?$/i

/** Reads a typed time, such as 9, 930, 9:30 or 9:30 pm, as 09:30; an empty text is none. */
export function readTime(typed: string): string {
  const [, hour = '', minute = '00', half] = CLOCK.exec(typed.trim()) ?? []
  const at = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const isTime = hour !== '' && at < 24 && Number(minute) < 60
  return isTime ? `${String(at).padStart(2, '0')}:${minute}` : ''
}
