import { expect, test } from 'bun:test'
import type { Conversion } from './fx.api.ts'
import { quoteChange } from './quotes.ts'

const comesTo = (result: string): Conversion => ({
  amount: '10000.00',
  base: 'EUR',
  quote: 'USD',
  result,
  rate: '1.1',
  via: 'direct',
  pool: 'tenant',
  source: 'test',
  asOf: '2026-01-05T12:00:00.000Z',
  rateIds: [],
  ageSeconds: 60,
})

test('a conversion asks for a second press if its result changed or was not shown yet, and not otherwise', () => {
  expect(quoteChange(comesTo('11000.00'), comesTo('11000.00'))).toBeNull()
  expect(quoteChange(comesTo('11000.00'), comesTo('10800.00'))).toBe(
    'The rate changed: 10,800.00 USD instead of 11,000.00 USD. Press again if that is right.',
  )
  expect(quoteChange(undefined, comesTo('10800.00'))).toBe('It comes to 10,800.00 USD. Press again if that is right.')
})
