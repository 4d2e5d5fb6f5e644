import { expect, test } from 'bun:test'
import type { Quote } from '../../books/fx/fx.quotes.ts'
import * as fraction from './fraction.ts'

const { ZERO, converted, formatFraction, parseFraction, isLess, isZero, toMinor, plus, rounded, toUnits, whole } =
  fraction
const part = (n: bigint, d: bigint): fraction.Fraction => ({ n, d })

test('a sum of fractions keeps the larger denominator if it contains the other one', () => {
  expect(plus(part(1n, 4n), part(1n, 2n))).toEqual(part(3n, 4n))
  expect(plus(part(1n, 2n), part(1n, 4n))).toEqual(part(3n, 4n))
  expect(plus(part(1n, 2n), part(1n, 3n))).toEqual(part(5n, 6n))
  expect(plus(part(1n, 3n), part(1n, 2n))).toEqual(part(5n, 6n))
  expect(plus(ZERO, part(1n, 7n))).toEqual(part(1n, 7n))
})

test('equal fractions are not less, and only zero is zero', () => {
  expect([isLess(part(1n, 2n), part(2n, 4n)), isLess(part(1n, 3n), part(1n, 2n))]).toEqual([false, true])
  expect([isZero(ZERO), isZero(whole(1n))]).toEqual([true, false])
})

test.each([
  ['0.25', part(25n, 100n), '0.25'],
  ['-1.50', part(-150n, 100n), '-1.5'],
  ['12', part(12n, 1n), '12'],
  ['0', part(0n, 1n), '0'],
])('the text %s becomes an exact fraction and the same text again', (text, exact, again) => {
  expect(parseFraction(text)).toEqual(exact)
  expect(formatFraction(exact)).toBe(again)
})

test('the text of a fraction has up to ten decimals, half to even', () => {
  expect([part(1n, 3n), part(2n, 3n), part(-2n, 3n)].map(formatFraction)).toEqual([
    '0.3333333333',
    '0.6666666667',
    '-0.6666666667',
  ])
  const unit = 10n ** 10n
  expect([part(1n, unit), part(3n, 2n * unit), part(1n, 2n * unit)].map(formatFraction)).toEqual([
    '0.0000000001',
    '0.0000000002',
    '0',
  ])
  expect([part(1n, 2n), part(3n, 2n)].map(rounded)).toEqual([0n, 2n])
})

test('units, minor units and those of another currency are converted exactly', () => {
  expect([toMinor('1.5', 'EUR'), toMinor('15', 'JPY')]).toEqual([part(1500n, 10n), part(15n, 1n)])
  expect([toUnits(whole(150n), 'EUR'), toUnits(whole(15n), 'JPY')]).toEqual([part(150n, 100n), part(15n, 1n)])
  const quote: Quote = { ratio: part(150n, 1n), via: 'direct', rates: [] }
  expect(formatFraction(converted(whole(200n), 'USD', 'JPY', quote))).toBe('300')
  expect(formatFraction(converted(whole(2n), 'JPY', 'USD', quote))).toBe('30000')
})
