import { expect, jest, test } from 'bun:test'
import { turn } from '../../testing/until.ts'
import { sleepUntil } from './sleep-until.ts'

const LONG = 60_000

test('a sleep ends after its time', async () => {
  jest.useFakeTimers()
  let isOver = false
  const sleeping = sleepUntil(LONG, new AbortController().signal).then(() => {
    isOver = true
  })
  jest.advanceTimersByTime(LONG - 1)
  await turn()
  expect(isOver).toBe(false)
  jest.advanceTimersByTime(1)
  await sleeping
  jest.useRealTimers()
})

test('a sleep ends at once when its signal aborts, also if that was before it began', async () => {
  const controller = new AbortController()
  const sleeping = sleepUntil(LONG, controller.signal)
  controller.abort()
  await sleeping
  await sleepUntil(LONG, controller.signal)
  expect(controller.signal.aborted).toBe(true)
})
