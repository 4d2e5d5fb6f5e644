import { expect, test } from 'bun:test'
import { toPercent, toShare } from './affiliate-words.tsx'

test('a share becomes a percentage and back, digit for digit', () => {
  for (const [share, percent] of [
    ['0.25', '25'],
    ['0.255', '25.5'],
    ['1', '100'],
    ['0', '0'],
    ['0.005', '0.5'],
    ['0.0001', '0.01'],
  ] as const) {
    expect(toPercent(share)).toBe(percent)
    expect(toShare(percent)).toBe(share)
  }
  expect(toPercent('1.0')).toBe('100')
  expect(toShare(' 25,5 % ')).toBe('0.255')
  expect(toShare('abc')).toBe('abc')
  expect(toShare('')).toBe('')
})
