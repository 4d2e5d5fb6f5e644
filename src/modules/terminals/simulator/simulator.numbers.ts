/** Lots, prices and rates are whole numbers of this part of one: 1.00 lot is 100,000,000. */
export const UNIT = 100_000_000
export const PLACES = 8

const ZERO = 0n

/** Returns a decimal text as a whole number of units; null if it is none, has more places, or is too large. */
export function readDecimal(text: string, places: number): number | null {
  const parts = /^(-?)(\d{1,17})(?:\.(\d{1,12}))?$/.exec(text)
  if (parts === null) return null
  const [, sign = '', whole = '', fraction = ''] = parts
  const kept = fraction.replace(/0+$/, '')
  if (kept.length > places) return null
  const value = Number(`${sign}${whole}${kept.padEnd(places, '0')}`)
  return Number.isSafeInteger(value) ? value + 0 : null
}

/** Returns a decimal text as a whole number of units; throws if it is none. */
export function mustReadDecimal(text: string, places: number): number {
  const value = readDecimal(text, places)
  if (value === null) throw new Error(`${text} is no decimal number with ${places} places`)
  return value
}

/** Returns a whole number with so many places as decimal text. */
export function writeDecimal(value: number, places: number): string {
  if (places === 0) return String(value)
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  const at = digits.length - places
  return `${value < 0 ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}`
}

/** Returns a price with the places of its symbol, or with all of them where it is an average between two prices. */
export function writePrice(price: number, digits: number): string {
  const scale = 10 ** (PLACES - digits)
  return price % scale === 0 ? writeDecimal(price / scale, digits) : writeDecimal(price, PLACES)
}

/** Divides and rounds half away from zero. */
function divide(value: bigint, by: bigint): number {
  const half = by / 2n
  const rounded = value < ZERO ? -((-value + half) / by) : (value + half) / by
  const result = Number(rounded)
  if (!Number.isSafeInteger(result)) throw new Error('an amount of the simulator is too large')
  return result
}

/** Returns `value × part / whole`, rounded half away from zero. */
export function share(value: number, part: number, whole: number): number {
  if (value === 0 || part === whole) return value
  return divide(BigInt(value) * BigInt(part), BigInt(whole))
}

const CUBE = BigInt(UNIT) ** 3n

/** Returns what a difference of prices is worth, in minor units of the currency to which `rate` converts. */
export function valueMove(parts: {
  difference: number
  lots: number
  contract: number
  rate: number
  digits: number
}): number {
  const { difference, lots, contract, rate, digits } = parts
  if (difference === 0 || lots === 0) return 0
  const minor = BigInt(10 ** digits)
  return divide(BigInt(difference) * BigInt(lots) * BigInt(contract) * BigInt(rate) * minor, CUBE)
}

/** Returns the price of two amounts of lots together. */
export function averagePrice(a: { price: number; lots: number }, b: { price: number; lots: number }): number {
  return divide(BigInt(a.price) * BigInt(a.lots) + BigInt(b.price) * BigInt(b.lots), BigInt(a.lots + b.lots))
}
