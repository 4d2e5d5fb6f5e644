import { afterEach, expect, test } from 'bun:test'
import { dayShown, listQuery } from '../lists/filters.ts'
import { formatDateTime } from './format.ts'
import { endOfDay, setZone, startOfDay, toDay } from './zone.ts'

afterEach(() => setZone(undefined))

test('a moment is shown by the clock of the firm, and belongs to its day', () => {
  setZone('Europe/Nicosia')
  const late = '2026-11-25T22:53:00.000Z'
  expect(formatDateTime(late)).toBe('Nov 26, 2026, 12:53 AM')
  expect(toDay(new Date(late))).toBe('2026-11-26')
  setZone('America/New_York')
  expect(formatDateTime(late)).toBe('Nov 25, 2026, 05:53 PM')
  expect(toDay(new Date(late))).toBe('2026-11-25')
})

test.each([
  ['Europe/Nicosia', '2026-11-26', '2026-11-25T22:00:00.000Z', '2026-11-26T21:59:59.999Z'],
  // the clock goes forward, and back, within the day
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  // there is no midnight on this day: it begins at one
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z', '2026-03-29T20:59:59.999Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T09:59:59.999Z'],
  ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z', '2026-01-01T18:14:59.999Z'],
  ['UTC', '2026-12-31', '2026-12-31T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
])('in %s the day %s has its own beginning and end', (zone, day, begins, ends) => {
  setZone(zone)
  expect([startOfDay(day), endOfDay(day)].map((at) => at.toISOString())).toEqual([begins, ends])
  expect([startOfDay(day), endOfDay(day)].map(toDay)).toEqual([day, day])
})

test('days of a filter are those of the firm, and a link with moments shows them', () => {
  setZone('Pacific/Kiritimati')
  const filters = [{ key: 'from', until: 'to', label: 'Since', kind: 'days' as const }]
  const query = listQuery({ from: '2026-01-01', to: '2026-01-02' }, filters)
  expect(query).toEqual({ from: '2025-12-31T10:00:00.000Z', to: '2026-01-02T09:59:59.999Z' })
  expect([dayShown('2025-12-31T10:00:00.000Z', false), dayShown('2026-01-02T10:00:00.000Z', true)]).toEqual([
    '2026-01-01',
    '2026-01-02',
  ])
})

test('a text that is no day becomes no date', () => {
  setZone('Europe/Nicosia')
  expect([startOfDay('soon').getTime(), endOfDay('2026-13-40').getTime()]).toEqual([Number.NaN, Number.NaN])
})
