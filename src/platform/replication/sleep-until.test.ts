import { expect, test } from 'bun:test'
import { sleepUntil } from './sleep-until.ts'

const LONG = 60_000

test('it ends with its time', async () => {
  const begun = performance.now()
  await sleepUntil(20, new AbortController().signal)
  expect(performance.now() - begun).toBeGreaterThan(15)
})

test('the signal ends it, before it begins and while it lasts', async () => {
  const controller = new AbortController()
  const sleeping = sleepUntil(LONG, controller.signal)
  controller.abort()
  await sleeping
  await sleepUntil(LONG, controller.signal)
  expect(controller.signal.aborted).toBe(true)
})
