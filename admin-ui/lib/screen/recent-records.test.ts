import { expect, test } from 'bun:test'
import { noteRecent, readRecent } from './recent-records.ts'

const createStorage = (texts: Record<string, string> = {}) => ({
  texts,
  getItem: (key: string) => texts[key] ?? null,
  setItem: (key: string, text: string) => {
    texts[key] = text
  },
})
const record = (n: number) => ({ to: `/traders/${n}`, label: `Client ${n}`, list: 'Clients' })

test('recent records are the last five that were opened, the newest first, each once', () => {
  const shelf = createStorage()
  for (const n of [1, 2, 3, 4, 5, 6, 3]) noteRecent('ann', record(n), shelf)
  expect(readRecent('ann', shelf)).toEqual([3, 6, 5, 4, 2].map(record))
  noteRecent('ann', { ...record(6), label: 'Renamed' }, shelf)
  expect(readRecent('ann', shelf)[0]).toEqual({ ...record(6), label: 'Renamed' })
})

test('recent records of one user are not shown to another', () => {
  const shelf = createStorage()
  noteRecent('ann', record(1), shelf)
  expect(readRecent('bob', shelf)).toEqual([])
})

test('foreign entries of recent records are ignored, and a full storage is no error', () => {
  const foreign = JSON.stringify([record(1), { to: 'https://elsewhere.test', label: 'x', list: 'y' }, null, 7])
  expect(readRecent('ann', createStorage({ 'recent:ann': foreign }))).toEqual([record(1)])
  expect(readRecent('ann', createStorage({ 'recent:ann': '{' }))).toEqual([])
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error('full')
    },
  }
  expect(() => noteRecent('ann', record(1), full)).not.toThrow()
  expect(readRecent('ann', null)).toEqual([])
})
