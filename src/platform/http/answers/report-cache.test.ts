import { expect, test } from 'bun:test'
import { createReportCache } from './report-cache.ts'

const ask = (firm: string, asked: string, now: number, gone: AbortSignal | null = null) => ({ firm, asked, now, gone })
const answer = (n: number, size = 10) => ({ n, text: 'x'.repeat(size) })

test('an answer is reused for a minute, and shared by callers who ask while it is made', async () => {
  const memory = createReportCache()
  let made = 0
  const make = async () => {
    made += 1
    return answer(made)
  }
  const both = await Promise.all([memory.recall(ask('a', 'q', 0), make), memory.recall(ask('a', 'q', 5), make)])
  expect(both.map(({ n }) => n)).toEqual([1, 1])
  expect((await memory.recall(ask('a', 'q', 59_999), make)).n).toBe(1)
  expect((await memory.recall(ask('a', 'q', 60_000), make)).n).toBe(2)
  expect((await memory.recall(ask('b', 'q', 60_000), make)).n).toBe(3)
})

test('an answer that could not be made is made again for the next caller', async () => {
  const memory = createReportCache()
  await expect(memory.recall(ask('a', 'q', 0), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await memory.recall(ask('a', 'q', 0), async () => answer(1))).toEqual(answer(1))
})

test('the cached answers of a firm keep to its share, and those of all firms to the total', async () => {
  const memory = createReportCache({ entries: 3, bytes: 20_000 }, 50_000)
  for (let n = 0; n < 5; n += 1) await memory.recall(ask('a', `q${n}`, 0), async () => answer(n))
  expect(memory.held('a').entries).toBe(3)
  // the oldest was removed first
  expect((await memory.recall(ask('a', 'q4', 1), async () => answer(99))).n).toBe(4)
  expect((await memory.recall(ask('a', 'q0', 1), async () => answer(99))).n).toBe(99)
  for (let n = 0; n < 3; n += 1) await memory.recall(ask('b', `q${n}`, 0), async () => answer(n, 9000))
  expect(memory.held('b').bytes).toBeLessThanOrEqual(20_000)
  await memory.recall(ask('c', 'too large', 0), async () => answer(1, 30_000))
  expect(memory.held('c').entries).toBe(0)
  for (let n = 0; n < 9; n += 1) await memory.recall(ask(`firm ${n}`, 'q', 0), async () => answer(n, 9000))
  expect(memory.held().bytes).toBeLessThanOrEqual(50_000)
  await memory.recall(ask('d', 'q', 70_000), async () => answer(1))
  expect(memory.held().entries).toBe(1)
})

test('making an answer stops once no caller waits, and begins again for the next caller', async () => {
  const memory = createReportCache()
  const signals: AbortSignal[] = []
  const make = (signal: AbortSignal) => {
    signals.push(signal)
    const { promise, reject } = Promise.withResolvers<object>()
    signal.addEventListener('abort', () => reject(new Error('stopped')))
    return promise
  }
  const [one, other] = [new AbortController(), new AbortController()]
  const asked = [one, other].map(({ signal }) => memory.recall(ask('a', 'q', 0, signal), make))
  one.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([false])
  other.abort()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  expect(await memory.recall(ask('a', 'q', 0), async () => answer(2))).toEqual(answer(2))
  for (const { reason } of (await Promise.allSettled(asked)).filter((one) => one.status === 'rejected'))
    expect(reason.message).toBe('stopped')
  expect(await memory.recall(ask('a', 'q', 1), async () => answer(3))).toEqual(answer(2))
})
