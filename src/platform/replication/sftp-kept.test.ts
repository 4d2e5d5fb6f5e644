import { beforeEach, expect, jest, test } from 'bun:test'
import type { Connection } from './sftp-connection.ts'
import { keepConnection } from './sftp-kept.ts'

let told: string[]
let dialled: number
beforeEach(() => {
  told = []
  dialled = 0
})

/** Makes numbered connections that record the calls of their methods. */
const dial = async (): Promise<Connection<number>> => {
  dialled += 1
  const sftp = dialled
  const tell = (what: string) => () => void told.push(`${what} ${sftp}`)
  return { sftp, end: tell('end'), destroy: tell('destroy'), hold: tell('hold'), release: tell('release') }
}

test('two calls by SFTP share one connection, which keeps the process alive only during the calls', async () => {
  const over = keepConnection(dial, 1000)
  expect(await Promise.all([over(async (sftp) => sftp), over(async (sftp) => sftp)])).toEqual([1, 1])
  expect(told.toSorted()).toEqual(['hold 1', 'hold 1', 'release 1', 'release 1'])
})

test('a connection by SFTP is kept after a missing file, and replaced by a new one after a failure', async () => {
  const over = keepConnection(dial, 1000)
  const absent = Object.assign(new Error('absent'), { code: 'ENOENT' })
  await expect(over(() => Promise.reject(absent))).rejects.toThrow('absent')
  expect(await over(async (sftp) => sftp)).toBe(1)
  await expect(over(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await over(async (sftp) => sftp)).toBe(2)
  expect(told.filter((what) => what.startsWith('destroy'))).toEqual(['destroy 1'])
})

test('a call by SFTP is given up if the host sends nothing in time, but not while data comes', async () => {
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

test('a connection by SFTP that failed to open is opened again by the next call', async () => {
  let isAway = true
  const over = keepConnection(() => (isAway ? Promise.reject(new Error('away')) : dial()), 1000)
  await expect(over(async () => 'x')).rejects.toThrow('away')
  isAway = false
  expect(await over(async (sftp) => sftp)).toBe(1)
})
