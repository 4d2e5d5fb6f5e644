import { divHalfEven, getScale } from '../../../platform/money.ts'
import type { Quote } from '../../books/fx/fx.quotes.ts'

/** An exact number; `d` is positive. Commissions are rounded once, at the end. */
export type Fraction = { n: bigint; d: bigint }

export const ZERO: Fraction = { n: 0n, d: 1n }
export const whole = (n: bigint): Fraction => ({ n, d: 1n })
export const plus = (a: Fraction, b: Fraction): Fraction => {
  // thousands of trades are summed, so a denominator that contains the other is kept instead of multiplied
  if (a.d % b.d === 0n) return { n: a.n + b.n * (a.d / b.d), d: a.d }
  if (b.d % a.d === 0n) return { n: a.n * (b.d / a.d) + b.n, d: b.d }
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d }
}
export const minus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d })
export const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d })
/** Returns the part of `a` that `b` is of `all`. */
export const takePart = (a: Fraction, b: Fraction, all: Fraction): Fraction =>
  times(a, { n: b.n * all.d, d: b.d * all.n })
export const isLess = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d
export const larger = (a: Fraction, b: Fraction): Fraction => (isLess(a, b) ? b : a)
export const isZero = ({ n }: Fraction): boolean => n === 0n

/** Parses checked decimal text to a fraction: `0.25` is 25/100. */
export function parseFraction(text: string): Fraction {
  const [integer = '0', decimals = ''] = text.replace('-', '').split('.')
  const n = BigInt(integer + decimals)
  return { n: text.startsWith('-') ? -n : n, d: 10n ** BigInt(decimals.length) }
}

/** Rounds minor units half to even. */
export const rounded = ({ n, d }: Fraction): bigint => divHalfEven(n, d)
/** Rounds minor units down; they must not be negative. */
export const cutDown = ({ n, d }: Fraction): bigint => n / d

/** Returns a fraction as decimal text with up to 10 places, for people; calculations use the fraction. */
export function formatFraction(fraction: Fraction): string {
  const scaled = divHalfEven(fraction.n * 10n ** 10n, fraction.d)
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(11, '0')
  const text = `${digits.slice(0, -10)}.${digits.slice(-10)}`.replace(/\.?0+$/, '')
  return scaled < 0n ? `-${text}` : text
}

/** Converts minor units of one currency to exact minor units of another. */
export const converted = (minor: Fraction, from: string, to: string, { ratio }: Quote): Fraction =>
  times(minor, { n: ratio.n * 10n ** BigInt(getScale(to)), d: ratio.d * 10n ** BigInt(getScale(from)) })

/** Converts decimal text of a currency's units to exact minor units. */
export const toMinor = (text: string, currency: string): Fraction =>
  times(parseFraction(text), whole(10n ** BigInt(getScale(currency))))

/** Converts minor units to exact units of the currency. */
export const toUnits = (minor: Fraction, currency: string): Fraction =>
  times(minor, { n: 1n, d: 10n ** BigInt(getScale(currency)) })
