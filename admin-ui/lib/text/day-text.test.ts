import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { daysText, dayText, HALF_DAY, neededDay, shiftDay, wholeDay } from './day-text.ts'

test.each([
  ['2026-02-28', 1, '2026-03-01'],
  ['2024-02-28', 1, '2024-02-29'],
  ['2026-01-01', -1, '2025-12-31'],
  ['2026-03-29', 1, '2026-03-30'],
])('the day %s moved by %d days is %s, whatever clock changes are in between', (day, by, then) => {
  expect(shiftDay(day, by)).toBe(then)
})

test('a day that is moved on and back is the same day', () => {
  const day = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  fc.assert(
    fc.property(day, fc.integer({ min: -4000, max: 4000 }), (one, by) => {
      expect(shiftDay(shiftDay(one, by), -by)).toBe(one)
    }),
  )
})

test('a day is the same in every time zone', () => {
  expect(dayText('2026-12-31')).toBe('Dec 31, 2026')
  expect(daysText('2026-11-02', '2026-11-21').replaceAll(/[\u2009\u202f]/g, ' ')).toBe('Nov 2 – 21, 2026')
})

test('an incomplete day is refused, and an empty one only if it is required', () => {
  expect([wholeDay(''), wholeDay('2026-01-05')]).toEqual([null, null])
  expect(wholeDay(HALF_DAY)).not.toBeNull()
  const needed = neededDay('Choose a day')
  expect([needed(''), needed(HALF_DAY), needed('2026-01-05')]).toEqual(['Choose a day', 'Choose a day', null])
})
