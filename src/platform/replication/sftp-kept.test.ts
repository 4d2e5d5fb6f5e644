import { beforeEach, expect, jest, test } from 'bun:test'
import type { Connection } from './sftp-connection.ts'
import { keepConnection } from './sftp-kept.ts'

let told: string[]
let dialled: number
beforeEach(() => {
  told = []
  dialled = 0
})

/** Connections by their number, that say what is done to them. */
const dial = async (): Promise<Connection<number>> => {
  dialled += 1
  const sftp = dialled
  const tell = (what: string) => () => void told.push(`${what} ${sftp}`)
  return { sftp, end: tell('end'), destroy: tell('destroy'), hold: tell('hold'), release: tell('release') }
}

test('one connection does for all, and holds the process no longer than something is done', async () => {
  const over = keepConnection(dial, 1000)
  expect(await Promise.all([over(async (sftp) => sftp), over(async (sftp) => sftp)])).toEqual([1, 1])
  expect(told.toSorted()).toEqual(['hold 1', 'hold 1', 'release 1', 'release 1'])
})

test('a file that is not there is an answer; after a failure the next one has a new connection', async () => {
  const over = keepConnection(dial, 1000)
  const absent = Object.assign(new Error('absent'), { code: 'ENOENT' })
  await expect(over(() => Promise.reject(absent))).rejects.toThrow('absent')
  expect(await over(async (sftp) => sftp)).toBe(1)
  await expect(over(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await over(async (sftp) => sftp)).toBe(2)
  expect(told.filter((what) => what.startsWith('destroy'))).toEqual(['destroy 1'])
})

test('a host that says nothing is given up; one that gets on is not', async () => {
  jest.useFakeTimers()
  const over = keepConnection(dial, 300)
  const long = over(async (_, alive) => {
    for (let pieces = 0; pieces < 4; pieces += 1) {
      jest.advanceTimersByTime(299)
      alive()
    }
    return 'whole'
  })
  expect(await long).toBe('whole')
  const silent = over(async () => {
    jest.advanceTimersByTime(300)
    await new Promise(() => {})
  })
  await expect(silent).rejects.toThrow('did not answer in time')
  jest.useRealTimers()
})

test('a dial that fails is tried again by the next one', async () => {
  let isAway = true
  const over = keepConnection(() => (isAway ? Promise.reject(new Error('away')) : dial()), 1000)
  await expect(over(async () => 'x')).rejects.toThrow('away')
  isAway = false
  expect(await over(async (sftp) => sftp)).toBe(1)
})
