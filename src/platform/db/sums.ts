import { type Column, type SQL, sql } from 'drizzle-orm'

/**
 * 2^26: of an amount within ±2^53 the quotient fits 27 bits and the rest 26, so billions of rows add up without
 * overflow.
 */
const PART = 67_108_864

const part = sql.raw(String(PART))

const parts = (expression: Column | SQL, where: SQL | undefined): readonly [quotients: SQL, rests: SQL] => {
  const filtered = where ? sql` FILTER (WHERE ${where})` : sql``
  const sum = (operator: '/' | '%') => sql`coalesce(sum((${expression}) ${sql.raw(operator)} ${part})${filtered}, 0)`
  return [sum('/'), sum('%')]
}

/**
 * SQL of the sum of an integer expression as text, for `readSum`. SQLite's own `sum()` is an error once it passes 2^63,
 * which a thousand rows of the largest amount do; here quotients and rests are added up apart. Nothing to add up is
 * zero.
 */
export const sumOf = (expression: Column | SQL, where?: SQL): SQL => {
  const [quotients, rests] = parts(expression, where)
  return sql`(${quotients} || ' ' || ${rests})`
}

/**
 * SQL of whether a sum is another number than `other`: past 2^63 SQLite goes on in floating point, and that is another
 * one for sure.
 */
export const sumDiffers = (expression: Column | SQL, other: Column | SQL, where?: SQL): SQL => {
  const [quotients, rests] = parts(expression, where)
  return sql`${quotients} * ${part} + ${rests} <> ${other}`
}

/** The exact value of what `sumOf` selected. */
export function readSum(text: string): bigint {
  const [quotients = '0', rests = '0'] = text.split(' ')
  return BigInt(quotients) * BigInt(PART) + BigInt(rests)
}
