import { expect, test } from 'bun:test'
import { createMemory } from './reporting.memory.ts'

const answer = (n: number, size = 10) => ({ n, text: 'x'.repeat(size) })

test('an answer is given again for a minute, and to whoever asks while it is made', async () => {
  const memory = createMemory()
  let made = 0
  const make = async () => {
    made += 1
    return answer(made)
  }
  const both = await Promise.all([memory.recall('a', 'q', 0, make), memory.recall('a', 'q', 5, make)])
  expect(both.map(({ n }) => n)).toEqual([1, 1])
  expect((await memory.recall('a', 'q', 59_999, make)).n).toBe(1)
  expect((await memory.recall('a', 'q', 60_000, make)).n).toBe(2)
  expect((await memory.recall('b', 'q', 60_000, make)).n).toBe(3)
})

test('one that failed is made again', async () => {
  const memory = createMemory()
  await expect(memory.recall('a', 'q', 0, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await memory.recall('a', 'q', 0, async () => answer(1))).toEqual(answer(1))
})

test('no firm keeps more than its share, nor all of them more than theirs', async () => {
  const memory = createMemory({ entries: 3, bytes: 20_000 }, 50_000)
  for (let n = 0; n < 5; n += 1) await memory.recall('a', `q${n}`, 0, async () => answer(n))
  expect(memory.held('a').entries).toBe(3)
  // the oldest went first
  expect((await memory.recall('a', 'q4', 1, async () => answer(99))).n).toBe(4)
  expect((await memory.recall('a', 'q0', 1, async () => answer(99))).n).toBe(99)
  for (let n = 0; n < 3; n += 1) await memory.recall('b', `q${n}`, 0, async () => answer(n, 9000))
  expect(memory.held('b').bytes).toBeLessThanOrEqual(20_000)
  await memory.recall('c', 'too large', 0, async () => answer(1, 30_000))
  expect(memory.held('c').entries).toBe(0)
  for (let n = 0; n < 9; n += 1) await memory.recall(`firm ${n}`, 'q', 0, async () => answer(n, 9000))
  expect(memory.held().bytes).toBeLessThanOrEqual(50_000)
  await memory.recall('d', 'q', 70_000, async () => answer(1))
  expect(memory.held().entries).toBe(1)
})
