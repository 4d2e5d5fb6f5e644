import { type Column, type SQL, sql } from 'drizzle-orm'

/**
 * 2^26: of an amount within ±2^53 the quotient fits 27 bits and the rest 26, so sums of billions of rows do not
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
 * Returns SQL of the sum of an integer expression as text, for `readSum`. SQLite's own `sum()` fails above 2^63, which
 * a thousand of the largest amounts exceed, so quotients and rests are summed separately. An empty sum is zero.
 */
export const sumAsText = (expression: Column | SQL, where?: SQL): SQL => {
  const [quotients, rests] = parts(expression, where)
  return sql`(${quotients} || ' ' || ${rests})`
}

/** Returns SQL of whether a sum differs from `other`: above 2^63 SQLite uses floating point, which differs for sure. */
export const sumDiffers = (expression: Column | SQL, other: Column | SQL, where?: SQL): SQL => {
  const [quotients, rests] = parts(expression, where)
  return sql`${quotients} * ${part} + ${rests} <> ${other}`
}

/** Returns the exact value of what `sumAsText` selected. */
export function readSum(text: string): bigint {
  const [quotients = '0', rests = '0'] = text.split(' ')
  return BigInt(quotients) * BigInt(PART) + BigInt(rests)
}
