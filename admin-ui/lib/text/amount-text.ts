import { groupDigits } from './format.ts'
import { say } from './words.ts'

/** The result of reading a typed text as an amount. `amount` is in the API's form, with the currency's decimals. */
export type Reading =
  | { state: 'empty' }
  | { state: 'ok'; amount: string }
  | { state: 'doubt'; readings: readonly [grouped: string, decimal: string] }
  | { state: 'bad'; why: string }

/** The kind of number: how many digits the API accepts, and an example. */
export type Kind = { whole: number; decimals: number; example: string }
export const AMOUNT: Kind = { whole: 16, decimals: 8, example: say('parts.amount.example') }
export const RATE: Kind = { whole: 18, decimals: 18, example: say('parts.rate.example') }

const bad = (why: string): Reading => ({ state: 'bad', why })
const noNumber = ({ example }: Kind): Reading => bad(say('parts.amount.unreadable', { example }))

// Groups are separated by a point, a comma, an apostrophe or one of the printed spaces.
const SPACES = /[\s\u00a0\u2009\u202f]/gu
const APOSTROPHES = /['\u2019]/gu
const SHAPE = /^\d[\d., ']*$|^[.,]\d+$/
const GROUPED = /^\d{1,3}(?:[., ']\d{3})+$/

/** Returns the whole digits of a text, grouped by one separator or not; null if the groups are no thousands. */
const readWhole = (text: string): string | null => {
  if (/^\d*$/.test(text)) return text
  const signs = new Set(text.replace(/\d/g, ''))
  return signs.size === 1 && GROUPED.test(text) ? text.replace(/\D/g, '') : null
}

/**
 * Returns an amount in the API's form: no leading zeros, with the currency's decimals. `scale` is null while no
 * currency is chosen.
 */
const toAmount = (whole: string, fraction: string, scale: number | null, kind: Kind): Reading => {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  if (digits.length > kind.whole) return bad(say('parts.amount.too_large'))
  const kept = scale ?? Math.min(fraction.length, kind.decimals)
  if (/[1-9]/.test(fraction.slice(kept)))
    return bad(kept === 0 ? say('parts.amount.no_decimals') : say('parts.amount.too_many_decimals', { kept }))
  const decimals = fraction.slice(0, kept).padEnd(kept, '0')
  return { state: 'ok', amount: decimals === '' ? digits : `${digits}.${decimals}` }
}

/** Returns a plain decimal as an amount of another currency. */
export const fitAmount = (amount: string, scale: number | null, kind = AMOUNT): Reading => {
  const [whole = '', fraction = ''] = amount.replace('-', '').split('.')
  const reading = toAmount(whole, fraction, scale, kind)
  return amount.startsWith('-') ? negative(reading) : reading
}

const negative = (reading: Reading): Reading => {
  if (reading.state === 'ok')
    return /[1-9]/.test(reading.amount) ? { ...reading, amount: `-${reading.amount}` } : reading
  if (reading.state !== 'doubt') return reading
  const [grouped, decimal] = reading.readings
  return { state: 'doubt', readings: [`-${grouped}`, `-${decimal}`] }
}

/**
 * Reads an amount as people write it: 1,500.00 · 1.500,00 · 1 500,00 · 1'500.00. Of a point and a comma the last one is
 * the decimal separator. One separator before three digits may be either, so both readings are returned if the currency
 * has so many decimals.
 */
export const readAmount = (typed: string, scale: number | null, kind = AMOUNT): Reading => {
  const text = typed.trim().replace(SPACES, ' ').replace(APOSTROPHES, "'")
  if (text === '') return { state: 'empty' }
  return /^[-−]/.test(text) ? negative(readPlain(text.slice(1), scale, kind)) : readPlain(text, scale, kind)
}

/** Reads a text for `readAmount`, which has removed its sign, outer spaces and odd characters. */
const readPlain = (text: string, scale: number | null, kind: Kind): Reading => {
  if (!SHAPE.test(text)) return noNumber(kind)
  const points = text.replace(/[^.,]/g, '')
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const before = text.slice(0, Math.max(last, 0))
  const behind = text.slice(last + 1)
  const mixed = points.includes('.') && points.includes(',')
  // Without a separator, or with the same one repeated, there are only groups. Otherwise the last one may be decimal.
  if (last < 0 || (!mixed && points.length > 1)) {
    const whole = readWhole(text)
    return whole === null ? noNumber(kind) : toAmount(whole, '', scale, kind)
  }
  const whole = readWhole(before)
  if (whole === null || !/^\d*$/.test(behind) || before.includes(text.charAt(last))) return noNumber(kind)
  const decimal = toAmount(whole, behind, scale, kind)
  const couldGroup = !mixed && /^[1-9]\d{0,2}$/.test(before) && behind.length === 3
  if (!couldGroup) return decimal
  const grouped = toAmount(before + behind, '', scale, kind)
  // In a currency of two decimals nobody writes a third one, so the three digits are thousands.
  if (decimal.state !== 'ok' || (scale !== null && scale < 3) || grouped.state !== 'ok') return grouped
  return { state: 'doubt', readings: [grouped.amount, decimal.amount] }
}

/** Returns an amount as the console prints it. */
export const printAmount = (amount: string): string => groupDigits(amount)

/** Returns two readings of one text that cannot be confused: 1,500.00 and 1.50, not 1,500 and 1.500. */
export const printApart = (readings: readonly string[]): string[] =>
  readings.map((amount) => {
    const [whole = '', fraction = ''] = amount.split('.')
    return printAmount(`${whole}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`)
  })

/** It precedes a text that is no amount, so that every check and the server refuse it. */
const UNREAD = '?'

/** Returns the form's value for a typed text: the amount, nothing, or the text marked as unread. */
export const heldAs = (reading: Reading, typed: string): string =>
  reading.state === 'ok' ? reading.amount : reading.state === 'empty' ? '' : UNREAD + typed

/** Checks a form's amount: it must be readable and more than zero. */
export const amountRule =
  (missing = say('parts.amount.required'), kind = AMOUNT) =>
  (held: string): string | null => {
    if (held === '') return missing
    if (!held.startsWith(UNREAD)) return /^[^-]*[1-9]/.test(held) ? null : missing
    const reading = readAmount(held.slice(1), null, kind)
    if (reading.state === 'doubt') return say('parts.amount.doubt.required')
    return reading.state === 'bad' ? reading.why : say('parts.amount.fewer_decimals')
  }
