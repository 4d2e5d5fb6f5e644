import { expect, test } from 'bun:test'
import type { MonthsDone } from './commissions.table.ts'
import { createMonthBorders, nextMonth, previousMonth, toMonth } from './month-borders.ts'

const borders = (done: MonthsDone) => createMonthBorders('Europe/Berlin', (name) => done[name])

test('a moment belongs to a month of the time zone, and a month has neighbours', () => {
  expect(toMonth(Date.parse('2026-01-31T23:30:00Z'), 'Europe/Berlin')).toBe('2026-02')
  expect([previousMonth('2026-01'), nextMonth('2026-01'), nextMonth('2026-12')]).toEqual([
    '2025-12',
    '2026-02',
    '2027-01',
  ])
})

test('a month without a run has the borders of the time zone', () => {
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
