import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY } from '../../../platform/clock.ts'
import { SNAPSHOT_ID, snapshotId, superfluous, takenAt } from './backups.places.ts'

test('a snapshot’s name has its time, to the second, and its reason', () => {
  const at = Date.UTC(2026, 10, 23, 2, 0, 7, 900)
  expect(snapshotId(at, 'nightly')).toBe('20261123-020007-nightly')
  expect(takenAt(snapshotId(at, 'nightly'))).toBe(at - 900)
  expect(snapshotId(at, 'upgrade')).toMatch(new RegExp(SNAPSHOT_ID))
})

test('of a year’s nightly snapshots, those of seven days and four weeks are kept', () => {
  const ids = Array.from({ length: 365 }, (_, day) => snapshotId(Date.UTC(2026, 0, 1, 2) + day * DAY, 'nightly'))
  const gone = new Set(superfluous(ids))
  const kept = ids.filter((id) => !gone.has(id)).map((id) => id.slice(0, 8))
  // 31 December 2026 is a Thursday; the weeks before end on the Sundays of the 27th, 20th and 13th
  expect(kept).toEqual([
    '20261213',
    '20261220',
    '20261225',
    '20261226',
    '20261227',
    '20261228',
    '20261229',
    '20261230',
    '20261231',
  ])
})

test('the newest snapshot is always kept, eleven are kept at most, and removing again removes nothing', () => {
  const moments = fc.array(fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) }), { minLength: 1 })
  fc.assert(
    fc.property(moments, (times) => {
      const ids = [...new Set(times.map((at) => snapshotId(at, 'manual')))]
      const gone = superfluous(ids)
      const kept = ids.filter((id) => !gone.includes(id))
      expect(kept).toContain(ids.toSorted().at(-1) ?? '')
      expect(kept.length).toBeLessThanOrEqual(11)
      expect(superfluous(kept)).toEqual([])
    }),
  )
})

test('a snapshot before an upgrade is kept beside the nightly one of its day, for four weeks', () => {
  const upgrade = snapshotId(Date.UTC(2026, 0, 1, 1), 'upgrade')
  const nights = (days: number) =>
    Array.from({ length: days }, (_, day) => snapshotId(Date.UTC(2026, 0, 1, 2) + day * DAY, 'nightly'))
  expect(superfluous([upgrade, ...nights(28)])).not.toContain(upgrade)
  expect(superfluous([upgrade, ...nights(29)])).toContain(upgrade)
})

test('a snapshot dated in the future by a wrong clock does not replace another one', () => {
  const now = Date.UTC(2026, 0, 8, 12)
  const upgrade = snapshotId(Date.UTC(2026, 0, 1, 1), 'upgrade')
  const nights = Array.from({ length: 7 }, (_, day) => snapshotId(Date.UTC(2026, 0, 2, 2) + day * DAY, 'nightly'))
  const ids = [upgrade, ...nights, snapshotId(Date.UTC(2046, 0, 1), 'nightly')]
  expect(superfluous(ids)).toContain(upgrade)
  expect(superfluous(ids, now)).toEqual([])
})
