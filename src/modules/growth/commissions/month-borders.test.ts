import { expect, test } from 'bun:test'
import type { MonthsDone } from './commissions.table.ts'
import { createMonthBorders, nextMonth, previousMonth, toMonth } from './month-borders.ts'

const borders = (done: MonthsDone, booked: Record<string, number> = {}) =>
  createMonthBorders({ timeZone: 'Europe/Berlin', known: (name) => done[name], bookedEnd: (name) => booked[name] })

test('a moment has a month in the zone, and a month has neighbours', () => {
  expect(toMonth(Date.parse('2026-01-31T23:30:00Z'), 'Europe/Berlin')).toBe('2026-02')
  expect([previousMonth('2026-01'), nextMonth('2026-01'), nextMonth('2026-12')]).toEqual([
    '2025-12',
    '2026-02',
    '2027-01',
  ])
})

test('a month without a run has the borders of the zone', () => {
  expect(borders({}).getPeriod('2026-03')).toEqual({
    from: Date.parse('2026-02-28T23:00:00Z'),
    to: Date.parse('2026-03-31T22:00:00Z'),
  })
})

test('the borders that a run found for a month stay, and limit its neighbours', () => {
  const march = { from: 1000, to: 2000, waiting: [] }
  const { getPeriod, endOfMonth } = borders({ '2026-03': march })
  expect(getPeriod('2026-03')).toBe(march)
  expect(getPeriod('2026-04').from).toBe(2000)
  expect([endOfMonth('2026-02'), endOfMonth('2026-03')]).toEqual([1000, 2000])
})

test('booked lines give a month’s end if no run found one, and are read once', () => {
  let asked = 0
  const { endOfMonth } = createMonthBorders({
    timeZone: 'UTC',
    known: (name) => (name === '2026-03' ? { from: 1000, to: 2000, waiting: [] } : undefined),
    bookedEnd: () => {
      asked += 1
      return 900
    },
  })
  expect([endOfMonth('2026-02'), endOfMonth('2026-02'), endOfMonth('2026-03'), asked]).toEqual([900, 900, 2000, 1])
})
