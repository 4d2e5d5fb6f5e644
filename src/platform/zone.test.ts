import { expect, test } from 'bun:test'
import { addDays, startOfDay, toDay } from './zone.ts'

const at = (iso: string): number => Date.parse(iso)

test('a day begins at midnight of its zone, through changes of the clocks', () => {
  expect(startOfDay('2026-01-15', 'UTC')).toBe(at('2026-01-15T00:00:00Z'))
  expect(startOfDay('2026-03-29', 'Europe/Nicosia')).toBe(at('2026-03-28T22:00:00Z'))
  expect(startOfDay('2026-03-30', 'Europe/Nicosia')).toBe(at('2026-03-29T21:00:00Z'))
  expect(startOfDay('2026-06-01', 'America/New_York')).toBe(at('2026-06-01T04:00:00Z'))
  expect(startOfDay('2026-06-01', 'Pacific/Kiritimati')).toBe(at('2026-05-31T10:00:00Z'))
})

test('a day whose midnight the clocks skip begins at one o’clock', () => {
  // Beirut goes from 00:00 to 01:00.
  const start = startOfDay('2026-03-29', 'Asia/Beirut')
  expect([toDay(start - 1, 'Asia/Beirut'), toDay(start, 'Asia/Beirut')]).toEqual(['2026-03-28', '2026-03-29'])
})

test('each day of a year begins where the day before it ends, in every zone', () => {
  for (const zone of ['UTC', 'Europe/Nicosia', 'Asia/Beirut', 'America/Santiago', 'Australia/Lord_Howe']) {
    for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
      const start = startOfDay(day, zone)
      expect([toDay(start - 1, zone), toDay(start, zone)]).toEqual([addDays(day, -1), day])
    }
  }
})
