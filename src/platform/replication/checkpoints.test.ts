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

test('before the first engine starts, the write-ahead log may grow to a limit; while one runs, only it makes checkpoints', async () => {
  checkpoints.begin()
  checkpoints.engineLives(true)
  jest.advanceTimersByTime(10 * SECOND)
  expect(pages).toEqual([65_536, 0])
})

test('the database makes the checkpoints ten seconds after the engine ended', async () => {
  checkpoints.begin()
  checkpoints.engineLives(true)
  checkpoints.engineLives(false)
  jest.advanceTimersByTime(10 * SECOND)
  expect(pages).toEqual([65_536, 0, 1000])
})

test('the limit of the write-ahead log is not set any more after the checkpoints were stopped', async () => {
  checkpoints.begin()
  checkpoints.stop()
  checkpoints.engineLives(true)
  checkpoints.engineLives(false)
  jest.advanceTimersByTime(10 * SECOND)
  expect(pages).toEqual([65_536])
})
