import { expect, test } from 'bun:test'
import { findDayEnd, findReport, keepEnded } from './day-end.ts'

const at = (text: string): number => Date.parse(text)
const report = (readAt: string) => ({ balance: 500n, credit: 20n, equity: null, readAt: at(readAt) })

test.each([
  ['UTC', '2026-01-15T00:00:00Z', '2026-01-15T00:00:00Z', '2026-01-14'],
  ['UTC', '2026-01-14T23:59:59Z', '2026-01-14T00:00:00Z', '2026-01-13'],
  ['Asia/Tokyo', '2026-01-14T15:00:00Z', '2026-01-14T15:00:00Z', '2026-01-14'],
  ['Asia/Tokyo', '2026-07-14T14:59:59Z', '2026-07-13T15:00:00Z', '2026-07-13'],
  // the clocks of Berlin are put forward in this night, and back in that one
  ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-30T12:00:00Z', '2026-03-29T22:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-10-26T12:00:00Z', '2026-10-25T23:00:00Z', '2026-10-25'],
])('in %s the last midnight before %s is %s and ends %s', (zone, now, midnight, day) => {
  expect(findDayEnd(at(now), zone)).toEqual({ at: at(midnight), day })
})

test('the first writing after a midnight keeps what was reported before it, also after days without a reading', () => {
  const end = findDayEnd(at('2026-01-15T00:01:00Z'), 'UTC')
  const kept = { endedDay: '2026-01-14', endedBalance: 500n, endedCredit: 20n, endedEquity: null }
  for (const readAt of ['2026-01-14T23:59:30Z', '2026-01-11T08:00:00Z'])
    expect(keepEnded(report(readAt), end)).toEqual({ ...kept, endedAt: at(readAt) })
  for (const readAt of ['2026-01-15T00:00:00Z', '2026-01-15T00:00:30Z'])
    expect(keepEnded(report(readAt), end)).toEqual({})
})

test('what was reported before a midnight is said by the row, or by what it kept', () => {
  const midnight = at('2026-01-15T00:00:00Z')
  const kept = { endedBalance: 300, endedCredit: 0, endedEquity: 310, endedAt: midnight - 5 }
  const row = { balance: 500, credit: 20, equity: null, ...kept }
  expect(findReport({ ...row, readAt: midnight - 1 }, midnight)).toEqual({
    balance: 500,
    credit: 20,
    equity: 520,
    at: midnight - 1,
  })
  const ended = { balance: 300, credit: 0, equity: 310, at: midnight - 5 }
  expect(findReport({ ...row, readAt: midnight }, midnight)).toEqual(ended)
  const none = { endedBalance: null, endedCredit: null, endedEquity: null, endedAt: null }
  expect(findReport({ ...row, ...none, readAt: midnight + 9 }, midnight).at).toBe(midnight + 9)
})
