import { beforeEach, expect, test } from 'bun:test'
import { HOUR, MINUTE, SECOND } from '../clock.ts'
import { createStallWatch, type Remedy } from './stall-watch.ts'

let now = 0
let look: (reach: number, applied: number) => Remedy
beforeEach(() => {
  now = 0
  look = createStallWatch(() => now)
})
/** Looks after a time has passed. */
const after = (ms: number, reach: number, applied: number): Remedy => {
  now += ms
  return look(reach, applied)
}

test('a follower that is always behind by some changes, and applies them within 30 seconds, needs nothing', () => {
  for (let change = 1; change < 100; change += 1) expect(after(29 * SECOND, change * 10, change * 10 - 9)).toBe('none')
})

test('one that has not applied a change for 30 seconds is started anew, and 30 seconds later its history is fetched', () => {
  expect(after(0, 7, 6)).toBe('none')
  expect(after(30 * SECOND - 1, 9, 6)).toBe('none')
  expect(after(1, 9, 6)).toBe('restart')
  expect(after(30 * SECOND - 1, 9, 6)).toBe('none')
  expect(after(1, 9, 6)).toBe('fetch')
})

test('one that goes on after its new start is not fetched', () => {
  after(0, 7, 6)
  expect(after(30 * SECOND, 7, 6)).toBe('restart')
  expect(after(29 * SECOND, 9, 7)).toBe('none')
  expect(after(29 * SECOND, 9, 7)).toBe('none')
  expect(after(SECOND, 9, 7)).toBe('restart')
})

test('a history that does not help is fetched again after ten minutes, and from then on each hour', () => {
  const fetches: number[] = []
  for (; now < 3 * HOUR; now += SECOND) if (look(9, 6) === 'fetch') fetches.push(now)
  expect(fetches).toEqual([MINUTE, 11 * MINUTE, HOUR + 11 * MINUTE, 2 * HOUR + 11 * MINUTE])
})

test('after a fetch has helped, the next one may come ten minutes later', () => {
  const fetch = (): number => {
    const began = now
    while (look(9, 6) !== 'fetch') now += SECOND
    return now - began
  }
  expect([fetch(), fetch()]).toEqual([MINUTE, 10 * MINUTE])
  look(9, 9)
  expect(fetch()).toBe(10 * MINUTE)
})
