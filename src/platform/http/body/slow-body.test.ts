import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { KIB, MIB } from '../../bytes.ts'
import { SECOND } from '../../clock.ts'
import { Problem } from '../../problem.ts'
import { createPatience, dueAfter } from './slow-body.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const outcome = (promise: Promise<unknown>) =>
  promise.catch((error: unknown) => (error instanceof Problem ? error.status : error))

test('a sender who sends nothing is given up after the time limit, and others are still awaited', async () => {
  const given: string[] = []
  const [short, long] = [createPatience(10), createPatience()]
  const wait = (name: string, promise: Promise<string>, patienceWith: typeof short) =>
    outcome(patienceWith(() => given.push(name)).wait(promise))
  const never = new Promise<string>(() => {})
  const slow = Promise.withResolvers<string>()
  const waits = [wait('silent', never, short), wait('slow', slow.promise, long), wait('quick', slow.promise, short)]
  jest.advanceTimersByTime(SECOND)
  slow.resolve('arrived')
  expect(await Promise.all(waits)).toEqual([408, 'arrived', 408])
  expect(given).toEqual(['silent', 'quick'])
})

test('each wait for a body is limited, not only the first one', async () => {
  const patience = createPatience(10)(() => {})
  await patience.wait(Promise.resolve('first'))
  const second = outcome(patience.wait(new Promise(() => {})))
  jest.advanceTimersByTime(SECOND)
  expect(await second).toBe(408)
})

test('a failure of the body itself is passed on', async () => {
  const broken = createPatience()(() => {}).wait(Promise.reject(new Error('cut off')))
  expect(broken).rejects.toThrow('cut off')
})

test('the end of a body rejects a reader who waits, or the next one', async () => {
  let stopped = 0
  const patience = createPatience()(() => {
    stopped += 1
  })
  const waiting = patience.wait(new Promise(() => {}))
  patience.end(new Problem(503, 'busy', 'x'))
  expect(await outcome(waiting)).toBe(503)
  expect(await outcome(patience.wait(Promise.resolve('late')))).toBe(503)
  expect(stopped).toBe(1)
})

/** Returns the seconds until a body in `pieces` of this many bytes, this many seconds apart, is given up. */
function seconds(pieces: number, bytes: number, apart: number): number {
  let due = 30_000
  for (let piece = 1; piece <= pieces; piece += 1) {
    const now = piece * apart * 1000
    if (due < now) return due / 1000
    due = dueAfter(due, bytes, now)
  }
  return due / 1000
}

test('any body has half a minute and a large one a second for 16 KiB; a fast start does not allow later silence', () => {
  expect(seconds(0, 0, 0)).toBe(30)
  // 15 MiB over a slow line, evenly and in bursts
  expect(seconds(960, 16 * KIB, 1)).toBeGreaterThan(960)
  expect(seconds(60, 256 * KIB, 16)).toBeGreaterThan(960)
  expect(seconds(1, MIB, 0)).toBe(30)
  expect(seconds(1000, 1, 1)).toBeLessThan(31)
})
