import { expect, test } from 'bun:test'
import { batchReads } from './batched-reads.ts'

test('reads that start at once share one request, and each gets its own answer', async () => {
  const asked: (readonly string[])[] = []
  const read = batchReads(async (ids) => {
    asked.push(ids)
    return ids.filter((id) => id !== 'gone').map((id) => ({ id, name: id.toUpperCase() }))
  }, 1)
  const first = await Promise.all([read('a'), read('b'), read('a'), read('gone')])
  expect(first.map((one) => one?.name)).toEqual(['A', 'B', 'A', undefined])
  expect((await read('c'))?.name).toBe('C')
  expect(asked).toEqual([['a', 'b', 'gone'], ['c']])
})

test('a failed batch rejects each of its reads, and the next read sends a new request', async () => {
  let fails = true
  const read = batchReads(async (ids) => {
    if (fails) throw new Error('away')
    return ids.map((id) => ({ id }))
  }, 1)
  const both = await Promise.allSettled([read('a'), read('b')])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await read('a')).toEqual({ id: 'a' })
})

test('an id whose readers have all left is not read', async () => {
  const asked: (readonly string[])[] = []
  const read = batchReads(async (ids) => {
    asked.push(ids)
    return ids.map((id) => ({ id }))
  }, 1)
  const [left, alone] = [new AbortController(), new AbortController()]
  const reads = [read('a', left.signal), read('b', left.signal), read('b')]
  left.abort()
  await Promise.all(reads)
  const last = read('c', alone.signal)
  alone.abort()
  await last
  expect(asked).toEqual([['b']])
})
