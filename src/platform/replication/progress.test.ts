import { beforeEach, expect, test } from 'bun:test'
import { createProgress, type Progress } from './progress.ts'

let time: number
let progress: Progress
const done = async (): Promise<void> => {}
/** Brings the replicas of both databases up to date. */
const reachAll = async (): Promise<void> => {
  await progress.reach('brokerbase.db', done)
  await progress.reach('files.db', done)
}
beforeEach(() => {
  time = 1000
  progress = createProgress({ now: () => 7 }, () => time)
})

test('at the start the replica may lack what an earlier process committed', async () => {
  time = 1300
  expect(progress.longestLag()).toBe(300)
  expect(progress.seen()).toEqual([
    { name: 'brokerbase.db', lagMs: 300, syncedAt: null },
    { name: 'files.db', lagMs: 300, syncedAt: null },
  ])
  await reachAll()
  expect(progress.seen()).toEqual([
    { name: 'brokerbase.db', lagMs: 0, syncedAt: 7 },
    { name: 'files.db', lagMs: 0, syncedAt: 7 },
  ])
})

test('a replica that has everything is not synced', async () => {
  await reachAll()
  let calls = 0
  await progress.reach('files.db', async () => {
    calls += 1
  })
  expect(calls).toBe(0)
})

test('the lag counts from the first commit that the replica lacks, for each database', async () => {
  await reachAll()
  time = 2000
  progress.committed('files.db')
  time = 2100
  progress.committed('files.db')
  time = 2500
  expect(progress.seen().map(({ lagMs }) => lagMs)).toEqual([0, 500])
})

test('the replica lacks a commit made during a sync, and its lag counts from the beginning of that sync', async () => {
  await reachAll()
  progress.committed('files.db')
  time = 3000
  await progress.reach('files.db', async () => {
    time = 3200
    progress.committed('files.db')
  })
  time = 3300
  expect(progress.longestLag()).toBe(300)
})

test('a sync that fails rejects, and the lag grows on', async () => {
  time = 1400
  const failed = progress.reach('files.db', () => Promise.reject(new Error('no route')))
  expect(await failed.catch(String)).toBe('Error: no route')
  expect(progress.seen()[1]).toEqual({ name: 'files.db', lagMs: 400, syncedAt: null })
})

test('recorded commits count as replicated once the replica has them, even if it lacks later ones', async () => {
  const isPaid = progress.owe()
  expect(isPaid()).toBe(false)
  await reachAll()
  progress.committed('brokerbase.db')
  expect(isPaid()).toBe(true)
})
