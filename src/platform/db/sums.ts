/**
 * 2^26: of an amount within ±2^53 the quotient fits 27 bits and the rest 26, so billions of rows add up without
 * overflow.
 */
const PART = 67_108_864

const parts = (expression: string, where: string): readonly [quotients: string, rests: string] => {
  const filtered = where === '' ? '' : ` FILTER (WHERE ${where})`
  const sum = (operator: string) => `coalesce(sum((${expression}) ${operator} ${PART})${filtered}, 0)`
  return [sum('/'), sum('%')]
}

/**
 * SQL of the sum of an integer expression as text, for `readSum`. SQLite's own `sum()` is an error once it passes 2^63,
 * which a thousand rows of the largest amount do; here quotients and rests are added up apart. Nothing to add up is
 * zero.
 */
export const sumOf = (expression: string, where = ''): string => `(${parts(expression, where).join(" || ' ' || ")})`

/**
 * SQL of whether a sum is another number than `other`: past 2^63 SQLite goes on in floating point, and that is another
 * one for sure.
 */
export const sumDiffers = (expression: string, other: string, where = ''): string => {
  const [quotients, rests] = parts(expression, where)
  return `${quotients} * ${PART} + ${rests} <> ${other}`
}

/** The exact value of what `sumOf` selected. */
export function readSum(text: string): bigint {
  const [quotients = '0', rests = '0'] = text.split(' ')
  return BigInt(quotients) * BigInt(PART) + BigInt(rests)
}
