import { expect, test } from 'bun:test'
import { DAY } from './clock.ts'
import { mergeDifference, type SinkDifference } from './event-sink.ts'

const gap: SinkDifference = { tenantId: 'tnt_a', kind: 'gone', from: 5, to: 7, unsent: 0, at: 10 }

test('gaps of one firm and day are one, from the first number to the last; what was known is not told anew', () => {
  expect(mergeDifference([gap], { ...gap, from: 9, to: 12, at: 20 })).toEqual([{ ...gap, to: 12, at: 20 }])
  expect(mergeDifference([gap], { ...gap, from: 6, at: 20 })).toEqual([gap])
})

test('a difference of another firm, kind or day stands for itself', () => {
  const other = { ...gap, tenantId: 'tnt_b', at: 20 }
  expect(mergeDifference([gap], other)).toEqual([gap, other])
  const restored = { ...gap, kind: 'restored' as const, at: 20 }
  expect(mergeDifference([gap], restored)).toEqual([gap, restored])
  expect(mergeDifference([gap], { ...gap, from: 90, to: 91, at: 10 + DAY - 1 })).toMatchObject([{ from: 5, to: 91 }])
  const later = { ...gap, from: 90, to: 91, at: 10 + DAY }
  expect(mergeDifference([gap], later)).toEqual([later])
})
