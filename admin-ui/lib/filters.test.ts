import { expect, test } from 'bun:test'
import { dayShown, type Filter, hasWrongDay, listQuery, notUnderstood } from './filters.ts'
import { ApiError } from './http.ts'

const FILTERS: readonly Filter[] = [
  { key: 'from', label: 'From', kind: 'from' },
  { key: 'to', label: 'To', kind: 'to' },
]

test('a day is that of the viewer, a moment is taken as it is', () => {
  const [from, to] = ['2026-03-01T22:00:00.000Z', '2026-03-02T22:00:00.000Z']
  expect(listQuery({ from, to }, FILTERS)).toEqual({ from, to })
  const days = listQuery({ from: '2026-03-01', to: '2026-03-01' }, FILTERS)
  expect(Date.parse(String(days.to)) - Date.parse(String(days.from))).toBe(86_400_000 - 1)
})

test('what is no day is asked for as it is, since the server names it', () => {
  const wrong = { from: 'soon', to: '2026-99-01T00:00:00Z' }
  expect(listQuery(wrong, FILTERS)).toEqual(wrong)
  expect([hasWrongDay(wrong, FILTERS), hasWrongDay({ from: '2026-03-01', q: 'soon' }, FILTERS)]).toEqual([true, false])
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

test('what the address says and the API did not understand has the name that the reader knows', () => {
  const errors = ['query.from', 'query.sort', 'query.cursor', 'query.to'].map((path) => ({
    path,
    code: '',
    message: '',
  }))
  const refused = new ApiError({ status: 422, title: 'Invalid input', errors })
  expect(notUnderstood(refused, { from: 'x', sort: 'foo', cursor: 'abc' }, FILTERS)).toEqual([
    { key: 'from', label: 'From' },
    { key: 'sort', label: 'Order' },
  ])
  expect(notUnderstood(new Error('no answer'), { from: 'x' }, FILTERS)).toEqual([])
})
