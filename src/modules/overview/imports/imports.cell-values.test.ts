import { expect, test } from 'bun:test'
import { dayOf, decimalOf, nameParts } from './imports.cell-values.ts'

test.each([
  ['13/12/1990', '1990-12-13'],
  ['12/13/1990', '1990-12-13'],
  ['12/12/1990', '1990-12-12'],
  ['1/1/1990', '1990-01-01'],
  ['11/12/1990', '11/12/1990'],
  ['12/11/1990', '12/11/1990'],
])('the day %s is read as %s: of 12 and 13 the second is no month', (text, day) => {
  expect(dayOf(text)).toBe(day)
})

test('a point before three digits parts thousands or decimals only where the currency has three decimals or more', () => {
  expect([2, 3, 4].map((scale) => decimalOf('1.234', scale))).toEqual(['1.234', '1,234', '1,234'])
})

test('what stands behind the last blank is the family name, and a single word is one too', () => {
  expect(nameParts('Ada King Byron')).toEqual({ firstName: 'Ada King', lastName: 'Byron' })
  expect(nameParts('Byron')).toEqual({ lastName: 'Byron' })
  expect(nameParts(' Byron')).toEqual({ firstName: '', lastName: 'Byron' })
})
