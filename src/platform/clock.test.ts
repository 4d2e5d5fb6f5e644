import { describe, expect, jest, test } from 'bun:test'
import { DAY, HOUR, MINUTE, SECOND, systemClock, toIso } from './clock.ts'

describe('the clock', () => {
  test('the clock has units up to a day', () => {
    expect([SECOND, MINUTE, HOUR, DAY]).toEqual([1000, 60_000, 3_600_000, 86_400_000])
  })

  test('a time is written as ISO 8601 with milliseconds and zone', () => {
    expect(toIso(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(toIso(Date.UTC(2026, 0, 31, 9, 5, 0, 7))).toBe('2026-01-31T09:05:00.007Z')
    expect(() => toIso(Number.NaN)).toThrow(RangeError)
  })

  test('the system clock is that of the machine, in milliseconds', () => {
    jest.useFakeTimers({ now: 1_700_000_000_123 })
    expect(systemClock.now()).toBe(1_700_000_000_123)
    jest.useRealTimers()
  })
})
