import { describe, expect, test } from 'bun:test'
import { createIds, createRequestIds, randomToken } from './ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const readTime = (id: string): number =>
  [...id.slice(id.indexOf('_') + 1).slice(0, 10)].reduce((n, character) => n * 32 + alphabet.indexOf(character), 0)

const isStrictlyIncreasing = (ids: string[]): boolean => ids.every((id, n) => n === 0 || (ids[n - 1] ?? '') < id)

describe('ids', () => {
  test('an id has a prefix and 26 Crockford characters, with the time in the first ten', () => {
    const id = createIds({ now: () => 1_800_000_000_123 }).next('trd')
    expect(id).toMatch(/^trd_[0-9a-hjkmnp-tv-z]{26}$/)
    expect(readTime(id)).toBe(1_800_000_000_123)
  })

  test('an id can have any time of 48 bits', () => {
    for (const ms of [0, 1, 2 ** 20, 2 ** 40 - 1, 2 ** 40, 2 ** 48 - 1]) {
      expect(readTime(createIds({ now: () => ms }).next('x'))).toBe(ms)
    }
  })

  test('200,000 ids in one frozen millisecond are distinct and strictly increasing', () => {
    const ids = createIds({ now: () => 5 })
    expect(isStrictlyIncreasing(Array.from({ length: 200_000 }, () => ids.next('a')))).toBe(true)
  })

  test('ids do not go back when the clock does', () => {
    const times = [1000, 1001, 900, 900, 1001, 1002, 3]
    let n = 0
    const ids = createIds({ now: () => times[n++ % times.length] ?? 0 })
    expect(isStrictlyIncreasing(Array.from({ length: 700 }, () => ids.next('a')))).toBe(true)
  })

  test('two generators of ids make different random parts at the same time', () => {
    const clock = { now: () => 7 }
    const first = new Set(Array.from({ length: 1000 }, () => createIds(clock).next('a')))
    expect(first.size).toBe(1000)
  })

  test('ids of the same millisecond do not follow one another by one', () => {
    const ids = createIds({ now: () => 7 })
    const tails = Array.from({ length: 100 }, () => ids.next('a').slice(0, -3))
    expect(new Set(tails).size).toBeGreaterThan(90)
  })

  test('randomToken has the requested entropy and is URL-safe', () => {
    expect(randomToken(32)).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(new Set(Array.from({ length: 500 }, () => randomToken(16))).size).toBe(500)
  })
})

test('ids of requests are 12 characters that reveal nothing of one another', () => {
  const next = createRequestIds()
  const ids = Array.from({ length: 50_000 }, next)
  expect(ids.filter((id) => !/^[0-9a-hjkmnp-tv-z]{12}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
  // each place takes every character, and about half of all ids sort before the one made before them
  for (let place = 0; place < 12; place += 1) expect(new Set(ids.map((id) => id[place])).size).toBe(32)
  const back = ids.filter((id, n) => id < (ids[n - 1] ?? '')).length
  expect(Math.abs(back / ids.length - 0.5)).toBeLessThan(0.05)
})
