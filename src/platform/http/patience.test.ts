import { expect, test } from 'bun:test'
import { KIB, MIB } from '../bytes.ts'
import { createPatience, deadlineOf } from './patience.ts'
import { Problem } from './problem.ts'

test('who sends nothing is given up when the time is over, the others are waited for', async () => {
  const patiently = createPatience()
  const given: string[] = []
  const wait = (name: string, promise: Promise<string>, ms: number) =>
    patiently(promise, performance.now() + ms, () => given.push(name)).catch((error: unknown) =>
      error instanceof Problem ? error.status : error,
    )
  const never = new Promise<string>(() => {})
  const slow = Bun.sleep(1500).then(() => 'arrived')
  expect(await Promise.all([wait('silent', never, 10), wait('slow', slow, 60_000), wait('quick', slow, 10)])).toEqual([
    408,
    'arrived',
    408,
  ])
  expect(given).toEqual(['silent', 'quick'])
})

test('what the body itself fails with is told as it is', async () => {
  const broken = createPatience()(Promise.reject(new Error('cut off')), performance.now() + 60_000, () => {})
  expect(broken).rejects.toThrow('cut off')
})

test('half a minute for any body, 16 KiB a second for a large one', () => {
  const seconds = (bytes: number) => Math.round((deadlineOf(bytes) - performance.now()) / 1000)
  expect([0, 16 * KIB, MIB, 64 * MIB].map(seconds)).toEqual([30, 30, 92, 4124])
})
