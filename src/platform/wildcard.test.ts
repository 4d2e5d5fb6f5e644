import { expect, test } from 'bun:test'
import { fitsWildcard } from './wildcard.ts'

test.each([
  ['EUR*', 'EURUSD', true],
  ['eur*', 'EURusd', true],
  ['*', '', true],
  ['EURUSD', 'EURUSD.m', false],
  ['*USD', 'EURUSD', true],
  ['E*U*D', 'EURUSD', true],
  ['E*X*D', 'EURUSD', false],
  ['AA*AA', 'AAA', false],
  ['A.C', 'ABC', false],
  ['real\\*', 'Real\\EUR', true],
  ['real\\*', 'demo\\eur', false],
])(
  'in a pattern a star is any text, case does not matter, the rest is literal: %s and %s: %p',
  (pattern, text, fits) => {
    expect(fitsWildcard(pattern, text)).toBe(fits)
  },
)
