import { expect, test } from 'bun:test'
import { ApiError } from '../../lib/api/http.ts'
import { type BulkResult, sendEach, sendInGroups } from './send-in-groups.ts'

const refused = (status: number, code: string): ApiError =>
  new ApiError({ status, code, title: code, detail: `${code}.` })
const quiet = { onProgress: () => undefined, isStopped: () => false }
const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const NOT_SENT = 'Not sent: the one before it failed.'

test('ids are sent in groups, one after another, and the progress is told', async () => {
  const sent: string[][] = []
  const told: string[] = []
  const send = async (ids: string[]) => {
    sent.push(ids)
    return ids.map((id) => ({ id, ok: true }))
  }
  const watch = { onProgress: (done: number, all: number) => void told.push(`${done}/${all}`), isStopped: () => false }
  const results = await sendInGroups(['a', 'b', 'c', 'd', 'e'], 2, send, watch)
  expect(sent).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  expect(told).toEqual(['2/5', '4/5', '5/5'])
  expect(results).toHaveLength(5)
})

test('a later group that fails ends the run, and the results of the groups before it are kept', async () => {
  const results = await sendInGroups(
    ['a', 'b', 'c'],
    1,
    async ([id = '']) => {
      if (id === 'b') throw refused(401, 'signed_out')
      return [{ id, ok: true }]
    },
    quiet,
  )
  expect(results).toEqual([
    { id: 'a', ok: true },
    { id: 'b', ok: false, message: 'signed_out.' },
    { id: 'c', ok: false, message: NOT_SENT },
  ])
})

test('a first group that fails is thrown, since nothing was done', async () => {
  const failing = sendInGroups(['a', 'b'], 1, () => Promise.reject(refused(403, 'forbidden')), quiet)
  expect(await failing.catch((error: unknown) => error)).toBeInstanceOf(ApiError)
})

test('the rows after a stop are not sent, and their results say so', async () => {
  const sent: string[] = []
  const results = await sendEach(
    rows,
    async ({ id }): Promise<BulkResult> => {
      sent.push(id)
      return { id, ok: true }
    },
    { onProgress: () => undefined, isStopped: () => sent.length === 2 },
  )
  expect(sent).toEqual(['a', 'b'])
  expect(results.slice(2).map(({ message }) => message)).toEqual(Array(2).fill('Not sent: you stopped before it.'))
})

test.each([
  [412, 'version_mismatch'],
  [409, 'wrong_state'],
  [403, 'own_client'],
  [404, 'not_found'],
])('a refusal of one row (%d %s) is that row’s result, and the next row follows', async (status, code) => {
  const results = await sendEach(
    rows,
    async ({ id }): Promise<BulkResult> => {
      if (id === 'a') throw refused(status, code)
      return { id, ok: true }
    },
    quiet,
  )
  expect(results.map(({ ok }) => ok)).toEqual([false, true, true, true])
  expect(results[0]?.message).toBe(`${code}.`)
})

test.each([
  [403, 'reauthentication_required'],
  [401, 'signed_out'],
  [429, 'rate_limited'],
  [0, 'no_answer'],
  [503, 'unavailable'],
])('a failure that would meet every row (%d %s) ends the run', async (status, code) => {
  const sent: string[] = []
  const results = await sendEach(
    rows,
    async ({ id }): Promise<BulkResult> => {
      sent.push(id)
      if (id === 'b') throw refused(status, code)
      return { id, ok: true }
    },
    quiet,
  )
  expect(sent).toEqual(['a', 'b'])
  expect(results.map(({ ok }) => ok)).toEqual([true, false, false, false])
  expect(results.at(-1)?.message).toBe(NOT_SENT)
})

test('a run pauses between calls after fifty of them, which leaves colleagues part of the rate limit', async () => {
  const waits: number[] = []
  const wait = async (ms: number): Promise<void> => void waits.push(ms)
  const send = async ([id = '']: string[]) => [{ id, ok: true }]
  const ids = Array.from({ length: 53 }, (_, at) => `i${at}`)
  expect(await sendInGroups(ids, 1, send, { ...quiet, wait })).toHaveLength(53)
  expect(waits).toEqual([500, 500, 500])
})
