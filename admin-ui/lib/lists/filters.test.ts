import { expect, test } from 'bun:test'
import { ApiError } from '../api/http.ts'
import {
  AMOUNTS,
  clearAll,
  cleared,
  dayShown,
  type Filter,
  hasWrongDay,
  isNarrowed,
  isOneCurrency,
  isSet,
  listQuery,
  notUnderstood,
  opensOn,
  queueSort,
} from './filters.ts'

const FILTERS: readonly Filter[] = [{ key: 'from', until: 'to', label: 'Announced', kind: 'days' }]

test('the day of a filter is taken in the viewer’s time zone, and a moment as it is', () => {
  const [from, to] = ['2026-03-01T22:00:00.000Z', '2026-03-02T22:00:00.000Z']
  expect(listQuery({ from, to }, FILTERS)).toEqual({ from, to })
  const days = listQuery({ from: '2026-03-01', to: '2026-03-01' }, FILTERS)
  expect(Date.parse(String(days.to)) - Date.parse(String(days.from))).toBe(86_400_000 - 1)
})

test('an invalid day of a filter is sent as it is, so that the server refuses it', () => {
  const wrong = { from: 'soon', to: '2026-99-01T00:00:00Z' }
  expect(listQuery(wrong, FILTERS)).toEqual(wrong)
  expect([hasWrongDay(wrong, FILTERS), hasWrongDay({ from: '2026-03-01', q: 'soon' }, FILTERS)]).toEqual([true, false])
})

test('the field of a moment shows its day, and the field of an end the last day of the period', () => {
  const midnight = new Date(2026, 2, 2).toISOString()
  expect([dayShown(midnight, false), dayShown(midnight, true), dayShown('2026-03-05', true)]).toEqual([
    '2026-03-02',
    '2026-03-01',
    '2026-03-05',
  ])
  expect(dayShown('Thursday', true)).toBe('')
})

test('a parameter that the API refused is shown by the reader’s name for it', () => {
  const errors = ['query.from', 'query.sort', 'query.cursor', 'query.to'].map((path) => ({
    path,
    code: '',
    message: '',
  }))
  const refused = new ApiError({ status: 422, title: 'Invalid input', errors })
  expect(notUnderstood(refused, { from: 'x', sort: 'foo', cursor: 'abc' }, FILTERS)).toEqual([
    { key: 'from', label: 'Announced' },
    { key: 'sort', label: 'Order' },
  ])
  expect(notUnderstood(new Error('no answer'), { from: 'x' }, FILTERS)).toEqual([])
})

test('a relative period begins at the start of a day of the viewer, and has no end', () => {
  const start = (period: string): number => {
    const { from, to } = listQuery({ from: period }, FILTERS)
    expect(to).toBeUndefined()
    return Date.parse(String(from))
  }
  const now = new Date()
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  expect(start('today')).toBe(today.getTime())
  expect(start('month')).toBe(new Date(now.getFullYear(), now.getMonth(), 1).getTime())
  expect(start('7d')).toBe(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 6).getTime())
  expect(hasWrongDay({ from: 'today' }, FILTERS)).toBe(false)
})

test('removing a filter removes both ends of its range, and lets a queue show every status', () => {
  const [status] = opensOn('pending', [{ key: 'status', label: 'Status' }])
  if (!status || !FILTERS[0]) throw new Error('no filter')
  expect(cleared(FILTERS[0])).toEqual({ from: undefined, to: undefined })
  expect(cleared(status)).toEqual({ status: '*' })
  expect([isSet({}, status), isSet({ status: '*' }, status), isSet({ to: '2026-01-01' }, FILTERS[0])]).toEqual([
    true,
    false,
    true,
  ])
})

const MONEY: readonly Filter[] = opensOn('pending', [
  { key: 'status', label: 'Status' },
  { key: 'currency', label: 'Currency', several: true },
  AMOUNTS,
])

test.each([
  [{}, 'createdAt'],
  [{ status: 'pending' }, 'createdAt'],
  [{ status: 'settled' }, '-createdAt'],
  [{ status: '*' }, '-createdAt'],
])('with %j a list is ordered by %s: a queue longest waiting first, others newest first', (search, sort) => {
  expect(queueSort(search, MONEY)).toBe(sort)
})

test('a list that opens on a `state` is ordered as a queue, too', () => {
  const state: readonly Filter[] = [{ key: 'state', label: 'State', fallback: 'open' }]
  expect([queueSort({}, state), queueSort({ state: 'closed' }, state)]).toEqual(['createdAt', '-createdAt'])
})

test('a list without a status or state has the newest first', () => {
  expect(queueSort({}, FILTERS)).toBe('-createdAt')
})

test.each([
  [{}, false],
  [{ currency: '*' }, false],
  [{ currency: 'EUR,USD' }, false],
  [{ currency: 'EUR' }, true],
])('the filter %j selects one currency: %p', (search, is) => {
  expect(isOneCurrency(search)).toBe(is)
})

test('bounds of an amount without a currency are reported as the amount filter', () => {
  const errors = [{ path: 'query.currency', code: '', message: '' }]
  const refused = new ApiError({ status: 422, title: 'Invalid input', errors })
  expect(notUnderstood(refused, { amountFrom: '5', sort: '-amount' }, MONEY).map(({ key }) => key)).toEqual([
    'amountFrom',
    'sort',
  ])
  expect(notUnderstood(refused, { amountFrom: '5', sort: '-createdAt' }, MONEY).map(({ key }) => key)).toEqual([
    'amountFrom',
  ])
})

const refusedFor = (...paths: string[]): ApiError =>
  new ApiError({
    title: 'Invalid input',
    status: 422,
    code: 'validation',
    requestId: 'r',
    errors: paths.map((path) => ({ path, code: 'invalid', message: 'is not valid' })),
  })
const keysSaid = (error: ApiError, search: Record<string, string>): string[] =>
  notUnderstood(error, search, MONEY).map(({ key }) => key)

test('removing an invalid currency removes the filters that need one', () => {
  const search = { currency: 'XXX', amountTo: '1', sort: 'amount', status: 'settled' }
  expect(keysSaid(refusedFor('query.currency'), search)).toEqual(['currency', 'amountTo', 'sort'])
})

test('each refused parameter of an address can be removed', () => {
  const search = { q: 'ana', currency: 'EUR', status: '*', view: 'svw_1' }
  for (const error of [refusedFor('currency'), refusedFor('query.cursor'), refusedFor()])
    expect(keysSaid(error, search)).toEqual(['q', 'currency'])
  expect(keysSaid(refusedFor('currency'), {})).toEqual([])
})

test('a list is narrowed by the reader’s filters, not by its default ones', () => {
  expect(isNarrowed({}, MONEY)).toBe(false)
  expect(isNarrowed({ status: '*', sort: '-amount', view: '7' }, MONEY)).toBe(false)
  for (const search of [{ q: 'ana' }, { amountTo: '5' }, { status: 'settled' }])
    expect(isNarrowed(search, MONEY)).toBe(true)
})

test('no filter narrows the list after all were cleared', () => {
  const search = { q: 'ana', status: 'settled', currency: 'EUR', amountFrom: '1', amountTo: '2', sort: 'amount' }
  const after = { ...search, ...clearAll(MONEY) }
  const kept = Object.fromEntries(
    Object.entries(after).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  expect(kept).toEqual({ status: '*', sort: 'amount' })
  expect(isNarrowed(kept, MONEY)).toBe(false)
})
