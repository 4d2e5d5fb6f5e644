/** A JSON number about money may have this many significant digits, since programs print no double with more. */
export const MAX_NUMBER_DIGITS = 17

const texts = new WeakMap<object, Map<string, string>>()

/** Parses JSON like `JSON.parse`, and remembers the written form of every number. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, function (this: object, key: string, value: unknown, { source }: { source?: string } = {}) {
    if (typeof value !== 'number' || source === undefined) return value
    const known = texts.get(this) ?? new Map<string, string>()
    texts.set(this, known.set(key, source))
    return value
  })
}

/** Returns the written form of a number of a parsed object; undefined if `parseExact` did not read it. */
export const numberText = (holder: object, key: string): string | undefined => texts.get(holder)?.get(key)

/**
 * Returns JSON that differs if the written form of a number that `parseExact` read differs: 7.4000000000000001 and
 * 7.4000000000000002 are one double. A number that is written as JSON prints it is unchanged.
 */
export const exactJson = (value: unknown): string =>
  JSON.stringify(value, function (this: object, key: string, item: unknown) {
    const text = typeof item === 'number' ? numberText(this, key) : undefined
    // no text of a body begins with a null byte
    return text === undefined || text === String(item) ? item : `\0${text}`
  })

/** Returns a number's text without an exponent: 1.25e-7 is 0.000000125. */
export function plainDecimal(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d+)$/i.exec(number) ?? []
  if (exponent === undefined) return number
  const shift = Number(exponent)
  // no value here is that large or small, and no caller may make this write so many zeros
  if (Math.abs(shift) > 400) return number
  const digits = whole + fraction
  const point = whole.length + shift
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  const before = digits
    .padEnd(point, '0')
    .slice(0, point)
    .replace(/^0+(?=\d)/, '')
  return sign + before + (digits.length > point ? `.${digits.slice(point)}` : '')
}

/** Returns how many digits a written number has, from the first that is not zero, without the exponent. */
export const significantDigits = (number: string): number =>
  number.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '').length
