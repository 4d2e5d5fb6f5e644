import { expect, test } from 'bun:test'
import { DAY, MINUTE } from '../../../platform/clock.ts'
import type { Sink, SinkSeen } from '../../../platform/events/sink/sink.ts'
import { type SinkWarningParts, sinkWarnings } from './sink-warnings.ts'

const WELL: SinkSeen = {
  state: 'running',
  why: null,
  refused: null,
  taken: null,
  lag: 0,
  lagMs: 0,
  published: 0,
  stream: null,
}
const NOW = Date.UTC(2026, 0, 15, 12)
const nothing = (): void => {}

function warn(seen: Partial<SinkSeen>, differences: ReturnType<SinkWarningParts['differences']> = []) {
  const sink: Sink = {
    start: nothing,
    pause: nothing,
    wake: nothing,
    yieldTo: nothing,
    stop: async () => {},
    seen: () => ({ ...WELL, ...seen }),
  }
  return sinkWarnings({ sink, differences: () => differences, clock: { now: () => NOW, sleep: async () => {} } })
}

test('a stream that is up to date is no warning, and neither is none', () => {
  expect(warn({})).toEqual([])
  expect(sinkWarnings({ sink: null, differences: () => [], clock: { now: () => NOW, sleep: async () => {} } })).toEqual(
    [],
  )
})

test('events that wait are a warning after a minute and an alarm after fifteen, with the reason', () => {
  expect(warn({ lagMs: MINUTE - 1 })).toEqual([])
  expect(warn({ lagMs: MINUTE })).toEqual([
    { code: 'sink_behind', severity: 'warning', text: 'Events have not reached the stream for 60 seconds.' },
  ])
  expect(warn({ lagMs: 15 * MINUTE - 1 })).toMatchObject([{ severity: 'warning' }])
  expect(warn({ state: 'waiting', why: 'connection refused', lagMs: 15 * MINUTE })).toEqual([
    {
      code: 'sink_behind',
      severity: 'alarm',
      text: 'Events have not reached the stream for 900 seconds: connection refused.',
    },
  ])
  expect(warn({ state: 'off', lagMs: DAY })).toEqual([])
})

test('a refused stream and one that somebody else publishes to are alarms', () => {
  const refused = warn({ state: 'waiting', refused: 'it has other subjects', lagMs: DAY })
  expect(refused).toMatchObject([{ code: 'sink_refused', severity: 'alarm' }])
  expect(refused[0]?.text).toEndWith('it has other subjects.')
  expect(warn({ taken: 'a message of others' })).toMatchObject([{ code: 'sink_taken', severity: 'alarm' }])
})

test('numbers that stream and server do not share are an alarm for a day, with their count and time', () => {
  const gone = { tenantId: 'tnt_a', firm: 'Acme', kind: 'gone' as const, from: 3, to: 4, unsent: 0, at: NOW - DAY + 1 }
  const restored = { ...gone, kind: 'restored' as const, from: 81, to: 100, unsent: 2 }
  const [alarm, ...others] = warn({}, [gone, restored])
  expect(others).toEqual([])
  expect(alarm).toMatchObject({ code: 'sink_gap', severity: 'alarm' })
  expect(alarm?.text).toContain('lacks the events 3 to 4 of Acme')
  expect(alarm?.text).toContain('20 events of Acme')
  expect(alarm?.text).toContain('2026-01-14 12:00 UTC')
  expect(alarm?.text).toContain('2 events that were written here since then are not in the stream')
  expect(warn({}, [{ ...gone, at: NOW - DAY }])).toEqual([])
})
