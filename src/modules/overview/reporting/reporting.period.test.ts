import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { toDay } from '../../../platform/zone.ts'
import { dayFinder } from './reporting.period.ts'

test('dayFinder returns the day that clocks in the time zone show', () => {
  // zones with half hours, at both ends of the world, with a skipped midnight, and Samoa, which skipped a whole day in
  // 2011
  const zones = ['UTC', 'Asia/Kolkata', 'Asia/Beirut', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Pacific/Apia']
  const moment = fc.integer({ min: Date.UTC(2011, 11, 28), max: Date.UTC(2012, 0, 3) })
  const later = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) })
  for (const zone of zones) {
    const find = dayFinder(zone)
    fc.assert(fc.property(fc.oneof(moment, later), (at) => find(at) === toDay(at, zone)))
  }
  expect(dayFinder('Pacific/Apia')(Date.UTC(2011, 11, 30, 12))).toBe('2011-12-31')
})
