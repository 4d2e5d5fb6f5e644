import { expect, test } from 'bun:test'
import { COUNTRIES, countryName } from './countries.ts'

test('a country is shown by its name, and an unknown code as it is', () => {
  expect([countryName('PT'), countryName('nonsense'), countryName('')]).toEqual(['Portugal', 'nonsense', ''])
  expect(new Set(COUNTRIES.map(({ value }) => value)).size).toBe(COUNTRIES.length)
  expect(COUNTRIES.filter(({ label, value }) => label === value)).toEqual([])
})
