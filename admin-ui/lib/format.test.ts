import { expect, test } from 'bun:test'
import { groupInSentence } from './format.ts'

test('amounts in sentences are grouped, other numbers are left alone', () => {
  expect(groupInSentence('Deposited 10184.28 USD (bank 10000.00, card 184.28), paid out 0.00 USD')).toBe(
    'Deposited 10,184.28 USD (bank 10,000.00, card 184.28), paid out 0.00 USD',
  )
  expect(groupInSentence('Deposited 548900 JPY (bank 20000, wallet 528900)')).toBe(
    'Deposited 548,900 JPY (bank 20,000, wallet 528,900)',
  )
  expect(groupInSentence('below 10000 JPY')).toBe('below 10,000 JPY')
  expect(groupInSentence('No hit; the newest list is of 2026-01-15')).toBe('No hit; the newest list is of 2026-01-15')
  expect(groupInSentence('wdr_01234567 of 2026')).toBe('wdr_01234567 of 2026')
})
