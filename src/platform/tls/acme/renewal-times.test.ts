import { expect, test } from 'bun:test'
import { momentIn } from './renewal-times.ts'

const half = () => 0.5
const asked = { start: 100, end: 200, askAgainIn: null }

test('a moment is drawn within the window, and one that was drawn within it stays', () => {
  expect(momentIn(asked, 180, false, half)).toBe(150)
  expect(momentIn(asked, 180, true, half)).toBe(180)
  expect([momentIn(asked, 99, true, half), momentIn(asked, 201, true, half)]).toEqual([150, 150])
})

test('without a window the moment that is kept stays', () => {
  expect(momentIn(null, 300, false, half)).toBe(300)
})
