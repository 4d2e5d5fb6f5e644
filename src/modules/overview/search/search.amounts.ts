import { currencies, isCurrency, MoneyError, parseAmount } from '../../../platform/money.ts'

const SIGNS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY' }
/** A number with its currency before or behind it, or without one. */
const WRITTEN =
  /^(?<front>[a-z]{3,4}|[€$£¥])?\s*(?<number>\d[\d.,'’ \u00a0\u2009\u202f]*)\s*(?<back>[a-z]{3,4}|[€$£¥])?$/iu
const SEPARATORS = /[.,]/g
const GROUPS = /^[1-9]\d{0,2}(?:[.,]\d{3})+$/

/**
 * Returns how a number may be meant, as plain decimals. Of a point and a comma the last one is decimal, and a single
 * one before three digits may be either: “1,944.50”, “1.944,50” and “1944.5” are one amount, “1,944” may be two.
 */
function readNumbers(text: string): string[] {
  const number = text.replace(/['’\s]/g, '')
  const used = new Set(number.match(SEPARATORS) ?? [])
  const last = Math.max(number.lastIndexOf('.'), number.lastIndexOf(','))
  const whole = number.replace(SEPARATORS, '')
  const decimal = `${number.slice(0, last).replace(SEPARATORS, '')}.${number.slice(last + 1)}`
  if (used.size === 0) return [whole]
  const isOnce = number.indexOf(number.charAt(last)) === last
  const isGrouped = used.size === 1 && GROUPS.test(number)
  return [...(isGrouped ? [whole] : []), ...(isOnce && /^\d/.test(decimal) ? [decimal] : [])]
}

const plain = (decimal: string): string =>
  decimal.replace(/^0+(?=\d)/, '').replace(/\.?0*$/, (end) => (decimal.includes('.') ? '' : end))

function toMinor(decimal: string, currency: string): string[] {
  try {
    return [parseAmount(decimal, currency).toString()]
  } catch (error) {
    if (error instanceof MoneyError) return []
    throw error
  }
}

/** Returns the amounts that a text may mean, in minor units of each currency that has as many decimals. */
export function readAmounts(text: string): (readonly [currency: string, minor: string])[] {
  const { front, number, back } = WRITTEN.exec(text)?.groups ?? {}
  if (number === undefined || (front !== undefined && back !== undefined)) return []
  const named = front ?? back
  const currency = named === undefined ? null : (SIGNS[named] ?? named.toUpperCase())
  if (currency !== null && !isCurrency(currency)) return []
  const meant = [...new Set(readNumbers(number).map(plain))]
  return (currency === null ? currencies : [currency]).flatMap((one) =>
    meant.flatMap((decimal) => toMinor(decimal, one).map((minor) => [one, minor] as const)),
  )
}
