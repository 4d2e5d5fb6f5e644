import { expect, test } from 'bun:test'
import { nameParts, readDay, readDecimal } from './imports.cell-values.ts'

test.each([
  ['13/12/1990', '1990-12-13'],
  ['12/13/1990', '1990-12-13'],
  ['12/12/1990', '1990-12-12'],
  ['1/1/1990', '1990-01-01'],
  ['11/12/1990', '11/12/1990'],
  ['12/11/1990', '12/11/1990'],
])('the day %s is read as %s: 12 can be a month, and 13 cannot', (text, day) => {
  expect(readDay(text)).toBe(day)
})

test('a point before three digits separates thousands, or decimals only of a currency with three or more', () => {
  expect([2, 3, 4].map((scale) => readDecimal('1.234', scale))).toEqual(['1.234', '1,234', '1,234'])
})

test('the word after the last blank is the family name, and so is a single word', () => {
  expect(nameParts('Ada King Byron')).toEqual({ firstName: 'Ada King', lastName: 'Byron' })
  expect(nameParts('Byron')).toEqual({ lastName: 'Byron' })
  expect(nameParts(' Byron')).toEqual({ firstName: '', lastName: 'Byron' })
})
