import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createDigits, HALF_DAY } from './day-text.ts'
import { readDay, readTime } from './day-typing.ts'

const now = new Date('2026-11-15T12:00:00Z')

describe('a typed day', () => {
  test.each([
    ['de', '31.12.2026', '2026-12-31'],
    ['de', '1.2.2026', '2026-02-01'],
    ['de', '31122026', '2026-12-31'],
    ['de', '2026-12-31', '2026-12-31'],
    ['en-GB', '31/12/2026', '2026-12-31'],
    ['en-GB', '31-12-2026', '2026-12-31'],
    ['en-GB', '2026-12-31', '2026-12-31'],
    ['en-US', '12/31/2026', '2026-12-31'],
    ['en-US', '2026-2-1', '2026-02-01'],
    ['en-US', '31/12/2026', HALF_DAY],
    ['de', '31.02.2026', HALF_DAY],
    ['de', '31.12.', HALF_DAY],
    ['de', '31.12.0026', HALF_DAY],
    ['de', 'morgen', HALF_DAY],
    ['de', ' ', ''],
  ])('in %s %j is %j', (language, typed, day) => {
    expect(readDay(typed, { language, now })).toBe(day)
  })

  test('has a year of two digits only once the typing has ended', () => {
    expect(readDay('31.12.26', { language: 'de', now })).toBe(HALF_DAY)
    const left = ['31.12.26', '31.12.85', '01.02.36', '01.02.37'].map((typed) =>
      readDay(typed, { language: 'de', now, isLeft: true }),
    )
    expect(left).toEqual(['2026-12-31', '1985-12-31', '2036-02-01', '1937-02-01'])
  })

  test('is read back from what the console writes, in every form of a language', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(
        days,
        fc.constantFrom('de', 'de-AT', 'de-CH', 'en-GB', 'en-US', 'en-CA', 'en-ZA'),
        (date, language) => {
          const typed = createDigits(language).format(date)
          expect(readDay(typed, { language, now })).toBe(date.toISOString().slice(0, 10))
        },
      ),
    )
  })
})

test.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['9.30', '09:30'],
  ['18:05', '18:05'],
  ['9:30 pm', '21:30'],
  ['12 am', '00:00'],
  ['24:00', ''],
  ['9:75', ''],
  ['', ''],
])('the typed time %j is %j', (typed, time) => {
  expect(readTime(typed)).toBe(time)
})
