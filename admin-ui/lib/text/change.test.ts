import { expect, test } from 'bun:test'
import { beforeText } from './change.ts'

test('the figure of the period before is shown with the change since then', () => {
  expect(beforeText('112.40', '100.00', 'EUR')).toBe('Before: 100.00 EUR (+12%)')
  expect(beforeText('0.00', '1234.00', 'EUR')).toBe('Before: 1,234.00 EUR (-100%)')
  expect(beforeText('3', '3')).toBe('Before: 3 (0%)')
})

test('no change is shown from zero, across zero, beyond ten times, or without one of the figures', () => {
  expect(beforeText('5', '0')).toBe('Before: 0')
  expect(beforeText('5.00', '-2.00', 'EUR')).toBe('Before: −2.00 EUR')
  expect(beforeText('-5.00', '2.00', 'EUR')).toBe('Before: 2.00 EUR')
  expect(beforeText('11', '1')).toBe('Before: 1 (+1,000%)')
  expect(beforeText('12', '1')).toBe('Before: 1')
  expect(beforeText(null, '2.00', 'EUR')).toBe('Before: 2.00 EUR')
  expect(beforeText('2.00', null, 'EUR')).toBe('Before: a rate is missing')
})
