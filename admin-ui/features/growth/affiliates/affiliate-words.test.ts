import { expect, test } from 'bun:test'
import { percentOf, shareOf } from './affiliate-words.tsx'

test('a share becomes a percentage and back, digit for digit', () => {
  for (const [share, percent] of [
    ['0.25', '25'],
    ['0.255', '25.5'],
    ['1', '100'],
    ['0', '0'],
    ['0.005', '0.5'],
    ['0.0001', '0.01'],
  ] as const) {
    expect(percentOf(share)).toBe(percent)
    expect(shareOf(percent)).toBe(share)
  }
  expect(percentOf('1.0')).toBe('100')
  expect(shareOf(' 25,5 % ')).toBe('0.255')
  expect(shareOf('abc')).toBe('abc')
  expect(shareOf('')).toBe('')
})
