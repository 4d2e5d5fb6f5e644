import { expect, test } from 'bun:test'
import { HOUR } from '../../../platform/clock.ts'
import { isDueAt } from './backups.due.ts'

const NIGHT = Date.UTC(2026, 10, 23, 2)

test('a snapshot is due from two o’clock until one is taken', () => {
  expect(isDueAt('snapshot', NIGHT, null)).toBe(true)
  expect(isDueAt('snapshot', NIGHT, NIGHT - 1)).toBe(true)
  expect(isDueAt('snapshot', NIGHT + HOUR, NIGHT)).toBe(false)
  // before two o'clock, the night before counts
  expect(isDueAt('snapshot', NIGHT - 1, NIGHT - HOUR)).toBe(false)
  expect(isDueAt('snapshot', NIGHT - 1, NIGHT - 25 * HOUR)).toBe(true)
})

test('a drill is due an hour after the snapshot, and not before', () => {
  expect(isDueAt('drill', NIGHT + HOUR - 1, null)).toBe(false)
  expect(isDueAt('drill', NIGHT + HOUR, null)).toBe(true)
  expect(isDueAt('drill', NIGHT + HOUR, NIGHT + HOUR - 1)).toBe(true)
  expect(isDueAt('drill', NIGHT + 2 * HOUR, NIGHT + HOUR)).toBe(false)
})

test('a copy or drill dated in the future counts for no night', () => {
  expect(isDueAt('snapshot', NIGHT + HOUR, NIGHT + HOUR + 1)).toBe(true)
  expect(isDueAt('drill', NIGHT + HOUR, NIGHT + 9 * HOUR)).toBe(true)
})
