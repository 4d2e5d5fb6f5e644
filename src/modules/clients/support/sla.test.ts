import { describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { DAY, HOUR, MINUTE } from '../../../platform/clock.ts'
import { checkPolicies, deadlines, lateBy, type Policies, SlaPolicies, slaPolicies } from './sla.ts'

const DEFAULTS: Policies = slaPolicies.fallback
const buildHours = (...times: readonly [from: string, to: string][]): Policies['hours'] =>
  times.map(([from, to]) => ({ day: 1, from, to }))
const target = (firstReplyMinutes: number, resolutionMinutes: number, roundTheClock = false) => ({
  firstReplyMinutes,
  resolutionMinutes,
  roundTheClock,
})
/** Makes policies with these hours; every ticket that is not urgent must be resolved within one minute. */
const buildPolicies = (hours: Policies['hours'], urgent = target(1, 1)): Policies => {
  const [high, normal, low] = [target(1, 1), target(1, 1), target(1, 1)]
  return { ...DEFAULTS, hours, targets: { urgent, high, normal, low } }
}
const isTaken = (policies: Policies): boolean => {
  try {
    checkPolicies(policies)
    return true
  } catch {
    return false
  }
}

test('the default policies are those of RULES, with all hours for urgent tickets', () => {
  const hours = Object.entries(DEFAULTS.targets).map(([priority, { firstReplyMinutes, resolutionMinutes }]) => {
    return [priority, firstReplyMinutes / 60, resolutionMinutes / 60]
  })
  expect(hours).toEqual([
    ['urgent', 1, 4],
    ['high', 4, 8],
    ['normal', 8, 24],
    ['low', 24, 72],
  ])
  expect(Object.values(DEFAULTS.targets).map(({ roundTheClock }) => roundTheClock)).toEqual([true, false, false, false])
})

describe('policies', () => {
  test('service levels have targets from 1 to 100,000 minutes and days from 1 to 7', () => {
    const fits = (policies: Policies): boolean => Value.Check(SlaPolicies, policies)
    const withTarget = (...minutes: [number, number]) => fits(buildPolicies([], target(...minutes)))
    for (const minutes of [1, 100_000]) expect([withTarget(minutes, 5), withTarget(5, minutes)]).toEqual([true, true])
    for (const minutes of [0, 100_001]) expect([withTarget(minutes, 5), withTarget(5, minutes)]).toEqual([false, false])
    const onDay = (day: number) => fits({ ...DEFAULTS, hours: [{ day, from: '09:00', to: '10:00' }] })
    expect([0, 1, 7, 8].map(onDay)).toEqual([false, true, true, false])
  })

  test('opening hours of one minute are accepted, and hours that end as they begin are refused', () => {
    expect(isTaken(buildPolicies(buildHours(['09:00', '09:01'])))).toBe(true)
    expect(isTaken(buildPolicies(buildHours(['09:00', '09:00'])))).toBe(false)
  })

  test('opening hours may follow one another in either order, but may not overlap', () => {
    expect(isTaken(buildPolicies(buildHours(['09:00', '12:00'], ['12:00', '15:00'])))).toBe(true)
    expect(isTaken(buildPolicies(buildHours(['12:00', '15:00'], ['09:00', '12:00'])))).toBe(true)
    expect(isTaken(buildPolicies(buildHours(['09:00', '12:00'], ['11:59', '15:00'])))).toBe(false)
    expect(isTaken(buildPolicies(buildHours(['11:59', '15:00'], ['09:00', '12:00'])))).toBe(false)
  })

  test('opening hours may end at 24:00 or on the next day, but not within the hours of that day', () => {
    const fits = (from: string, to: string) => Value.Check(SlaPolicies, buildPolicies(buildHours([from, to])))
    expect([fits('00:00', '24:00'), fits('21:00', '02:00')]).toEqual([true, true])
    expect([fits('24:00', '02:00'), fits('00:00', '24:01'), fits('00:00', '25:00')]).toEqual([false, false, false])
    const nights = (day: number, to: string, next: string) =>
      isTaken(
        buildPolicies([
          { day, from: '21:00', to },
          { day: (day % 7) + 1, from: next, to: '24:00' },
        ]),
      )
    for (const day of [1, 7]) {
      expect(nights(day, '02:00', '02:00')).toBe(true)
      expect(nights(day, '02:01', '02:00')).toBe(false)
      expect(nights(day, '24:00', '00:00')).toBe(true)
    }
  })

  test('opening hours of three whole days have 4,320 minutes, and those of a night count on both sides of midnight', () => {
    const everyDay = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))
    // 5 January 1970 is a Monday
    const monday = 4 * DAY
    const due = (hours: Policies['hours'], start: number, minutes: number): number =>
      deadlines(buildPolicies(hours, target(1, minutes)), 'urgent', start).resolutionDueAt
    expect(due(everyDay, monday, 4320)).toBe(monday + 3 * DAY)
    const night = [{ day: 1, from: '21:00', to: '02:00' }]
    expect(due(night, monday, 300)).toBe(monday + 26 * HOUR)
    expect(due(night, monday + 25 * HOUR, 60)).toBe(monday + 26 * HOUR)
    expect(due(night, monday + 25 * HOUR, 61)).toBe(monday + 7 * DAY + 21 * HOUR + MINUTE)
    // the night of Sunday continues at the beginning of Monday
    expect(due([{ day: 7, from: '21:00', to: '02:00' }], monday, 120)).toBe(monday + 2 * HOUR)
  })

  test('a first reply may be due with the resolution, but not later', () => {
    expect(isTaken(buildPolicies([], target(60, 60)))).toBe(true)
    expect(isTaken(buildPolicies([], target(61, 60)))).toBe(false)
  })

  test('a resolution may be due within 52 weeks of working time; urgent ones, and firms without hours, count all hours', () => {
    const hour = buildHours(['09:00', '10:00'])
    expect(isTaken(buildPolicies(hour, target(1, 52 * 60)))).toBe(true)
    expect(isTaken(buildPolicies(hour, target(1, 52 * 60 + 1)))).toBe(false)
    expect(isTaken(buildPolicies(hour, target(1, 52 * 60 + 1, true)))).toBe(true)
    expect(isTaken(buildPolicies([], target(1, 52 * 60 + 1)))).toBe(true)
    expect(isTaken(buildPolicies(buildHours(['09:00', '09:01']), target(1, 53)))).toBe(false)
  })
})

test('a deadline that is reached as a pause begins does not move', () => {
  const pauses: [number, number][] = [[HOUR, 10 * HOUR]]
  const policies = { ...DEFAULTS, targets: { ...DEFAULTS.targets, urgent: target(60, 61, true) } }
  expect(deadlines(policies, 'urgent', 0, pauses)).toEqual({
    firstReplyDueAt: HOUR,
    resolutionDueAt: 10 * HOUR + MINUTE,
  })
})

test('work done at its deadline is not late; a moment later it is one minute late, and each begun minute counts', () => {
  const done = [HOUR, HOUR + 1, HOUR + MINUTE, HOUR + MINUTE + 1]
  expect(done.map((at) => lateBy(HOUR, at))).toEqual([null, 1, 1, 2])
})
