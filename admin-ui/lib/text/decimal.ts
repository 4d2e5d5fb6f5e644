const DECIMAL = /^-?\d{1,16}(\.\d{1,8})?$/

/** Returns whether a text is a plain decimal that the API accepts. */
export const isDecimal = (text: string): boolean => DECIMAL.test(text)

const countDecimals = (text: string): number => text.split('.')[1]?.length ?? 0

const units = (text: string, scale: number): bigint => {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole + fraction.padEnd(scale, '0'))
  return text.startsWith('-') ? -value : value
}

const toText = (value: bigint, scale: number): string => {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return value < 0n ? `-${text}` : text
}

/** Returns a + b of decimal strings exactly, with the longer of the two fractions. */
export const addDecimal = (a: string, b: string): string => {
  const scale = Math.max(countDecimals(a), countDecimals(b))
  return toText(units(a, scale) + units(b, scale), scale)
}

/** Returns a − b of decimal strings exactly. */
export const subtractDecimal = (a: string, b: string): string => {
  const scale = Math.max(countDecimals(a), countDecimals(b))
  return toText(units(a, scale) - units(b, scale), scale)
}

/** Returns a number that is negative, zero or positive as a is less than, equal to or more than b. */
export const compareDecimal = (a: string, b: string): number => {
  const scale = Math.max(countDecimals(a), countDecimals(b))
  const difference = units(a, scale) - units(b, scale)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** Sums up amounts by currency, in the order in which the currencies first come; currencies are never mixed. */
export const sumByCurrency = (
  rows: readonly { amount: string; currency: string }[],
): [currency: string, sum: string][] => {
  const sums = new Map<string, string>()
  for (const { amount, currency } of rows) sums.set(currency, addDecimal(sums.get(currency) ?? '0', amount))
  return [...sums]
}
