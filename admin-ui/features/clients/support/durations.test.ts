import { expect, test } from 'bun:test'
import { span, workingSpan } from './durations.ts'

const MINUTE = 60_000

test('a duration is shown in the largest unit that is not too rough', () => {
  expect([10, 40 * MINUTE, 120 * MINUTE, -125 * MINUTE, 72 * 60 * MINUTE].map(span)).toEqual([
    '1 min',
    '40 min',
    '2 h',
    '2 h 5 min',
    '3 days',
  ])
})

test('working time is shown in hours, however long it is', () => {
  expect([45, 90, 72 * 60].map(workingSpan)).toEqual(['45 min', '1 h 30 min', '72 h'])
})
