import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { SECOND } from '../clock.ts'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'

let pages: number[]
let checkpoints: Checkpoints
beforeEach(() => {
  jest.useFakeTimers()
  pages = []
  checkpoints = createCheckpoints((count) => void pages.push(count))
})
afterEach(() => void jest.useRealTimers())

test('an engine that lives checkpoints; before it the log may grow', async () => {
  checkpoints.begin()
  checkpoints.engineLives(true)
  jest.advanceTimersByTime(10 * SECOND)
  expect(pages).toEqual([65_536, 0])
})

test('an engine that stays dead leaves it to the database', async () => {
  checkpoints.begin()
  checkpoints.engineLives(true)
  checkpoints.engineLives(false)
  jest.advanceTimersByTime(10 * SECOND)
  expect(pages).toEqual([65_536, 0, 1000])
})

test('once stopped, nothing is set any more', async () => {
  checkpoints.begin()
  checkpoints.stop()
  checkpoints.engineLives(true)
  checkpoints.engineLives(false)
  jest.advanceTimersByTime(10 * SECOND)
  expect(pages).toEqual([65_536])
})
