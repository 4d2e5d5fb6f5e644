import { beforeEach, expect, test } from 'bun:test'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'

const PATIENCE = 10
let pages: number[]
let checkpoints: Checkpoints
beforeEach(() => {
  pages = []
  checkpoints = createCheckpoints((count) => void pages.push(count), PATIENCE)
})

test('an engine that lives checkpoints; before it the log may grow', async () => {
  checkpoints.begin()
  checkpoints.engineLives(true)
  await Bun.sleep(3 * PATIENCE)
  expect(pages).toEqual([65_536, 0])
})

test('an engine that stays dead leaves it to the database', async () => {
  checkpoints.begin()
  checkpoints.engineLives(true)
  checkpoints.engineLives(false)
  await Bun.sleep(3 * PATIENCE)
  expect(pages).toEqual([65_536, 0, 1000])
})

test('once stopped, nothing is set any more', async () => {
  checkpoints.begin()
  checkpoints.stop()
  checkpoints.engineLives(true)
  checkpoints.engineLives(false)
  await Bun.sleep(3 * PATIENCE)
  expect(pages).toEqual([65_536])
})
