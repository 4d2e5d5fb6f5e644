import { expect, test } from 'bun:test'
import { dayShown, type Filter, listQuery } from './filters.ts'

const FILTERS: readonly Filter[] = [
  { key: 'from', label: 'From', kind: 'from' },
  { key: 'to', label: 'To', kind: 'to' },
]

test('a day is that of the viewer, a moment is taken as it is', () => {
  const [from, to] = ['2026-03-01T22:00:00.000Z', '2026-03-02T22:00:00.000Z']
  expect(listQuery({ from, to }, FILTERS)).toEqual({ from, to })
  const days = listQuery({ from: '2026-03-01', to: '2026-03-01' }, FILTERS)
  expect(Date.parse(String(days.to)) - Date.parse(String(days.from))).toBe(86_400_000 - 1)
  expect(listQuery({ from: 'soon', to: '2026-99-01T00:00:00Z' }, FILTERS)).toEqual({ from: undefined, to: undefined })
})

test('the field of a moment shows its day, of an end the last day within', () => {
  const midnight = new Date(2026, 2, 2).toISOString()
  expect([dayShown(midnight, false), dayShown(midnight, true), dayShown('2026-03-05', true)]).toEqual([
    '2026-03-02',
    '2026-03-01',
    '2026-03-05',
  ])
  expect(dayShown('Thursday', true)).toBe('')
})
