import { expect, test } from 'bun:test'
import { CURRENCIES } from './currencies.ts'
import { findScale } from './currency-scale.ts'

test('currencies are offered once each, the usual ones first', () => {
  expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length)
  expect(CURRENCIES.slice(0, 3)).toEqual(['EUR', 'USD', 'GBP'])
})

test.each([
  [undefined, null],
  ['EU', null],
  ['EUR', 2],
  ['JPY', 0],
  ['KWD', 3],
  ['BTC', 8],
])('the currency %s has %p decimals', (currency, scale) => {
  expect(findScale(currency)).toBe(scale)
})
