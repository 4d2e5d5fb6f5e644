import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatAgo, formatBytes, formatUtc, groupDigits, groupInSentence, humanize, initials } from './format.ts'

test('amounts in sentences are grouped, and other numbers are left unchanged', () => {
  expect(groupInSentence('Deposited 10184.28 USD (bank 10000.00, card 184.28), paid out 0.00 USD')).toBe(
    'Deposited 10,184.28 USD (bank 10,000.00, card 184.28), paid out 0.00 USD',
  )
  expect(groupInSentence('Deposited 548900 JPY (bank 20000, wallet 528900)')).toBe(
    'Deposited 548,900 JPY (bank 20,000, wallet 528,900)',
  )
  expect(groupInSentence('below 10000 JPY')).toBe('below 10,000 JPY')
  expect(groupInSentence('wdr_01234567 of 2026')).toBe('wdr_01234567 of 2026')
})

test('dates in sentences of the server are written as the reader writes them', () => {
  expect(groupInSentence('No hit; the newest list is of 2026-01-15')).toBe('No hit; the newest list is of Jan 15, 2026')
  expect(groupInSentence('possible from 2026-01-15T09:30:00.000Z on')).toStartWith('possible from Jan 15, 2026, 09:30')
  expect(groupInSentence('reference WIRE-2026-01-15')).toBe('reference WIRE-2026-01-15')
})

test.each([
  ['0', '0'],
  ['999', '999'],
  ['1000', '1,000'],
  ['-1500.25', '−1,500.25'],
  ['12345678901234567890.12345678', '12,345,678,901,234,567,890.12345678'],
  ['', ''],
  ['1e21', '1e21'],
  ['1,000', '1,000'],
])('the amount %j is printed as %j', (amount, printed) => {
  expect(groupDigits(amount)).toBe(printed)
})

test('grouping changes no digit, and puts at most three digits together before the point', () => {
  const amount = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.stringMatching(/^(\.\d{1,8})?$/))
  fc.assert(
    fc.property(amount, fc.boolean(), ([whole, fraction], isNegative) => {
      const text = `${isNegative ? '-' : ''}${whole}${fraction}`
      const printed = groupDigits(text)
      expect(printed.replaceAll(',', '').replace('−', '-')).toBe(text)
      expect(printed.split('.')[0]).not.toMatch(/\d{4}/)
    }),
  )
})

const NOW = Date.parse('2026-01-31T12:00:00.000Z')
const after = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString()
test.each([
  [-5, 'just now'],
  [59, 'just now'],
  [-60, '1 minute ago'],
  [-3599, '59 minutes ago'],
  [7200, 'in 2 hours'],
  [-86_400, 'yesterday'],
  [86_400 * 3, 'in 3 days'],
  [-86_400 * 30, '30 days ago'],
  [-86_400 * 31, 'Dec 31, 2025'],
])('%d seconds from now is shown as “%s”', (seconds, words) => {
  expect(formatAgo(after(seconds), NOW).toLowerCase()).toBe(words.toLowerCase())
})

test.each([
  [0, '0 byte'],
  [999, '999 byte'],
  [1000, '1 kB'],
  [1_440_000, '1.4 MB'],
  [25_000_000_000, '25 GB'],
  [5e18, '5,000,000 TB'],
])('%d bytes are shown as %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words)
})

test.each([
  ['partially_settled', 'Partially settled'],
  ['deposit.first_word', 'Deposit first word'],
  ['__', ''],
  ['EUR', 'EUR'],
])('the name %s of the interface is shown as “%s”', (word, words) => {
  expect(humanize(word)).toBe(words)
})

test.each([
  ['Elena Rossi', 'ER'],
  ['  ana   maria lima ', 'AM'],
  ['x', 'X'],
  ['', ''],
  ['🦊 Fox', '🦊F'],
])('the initials of “%s” are “%s”', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

test('a moment in UTC is shown to the second', () => {
  expect(formatUtc('2026-01-31T12:00:05.678Z')).toBe('2026-01-31 12:00:05 UTC')
})
