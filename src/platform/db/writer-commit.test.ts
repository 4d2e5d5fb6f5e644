import { afterEach, beforeEach, expect, test } from 'bun:test'
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../log.ts'
import { type Connection, openWriter } from '../sqlite.ts'
import { CommitFailed, type Commits, createCommits } from './writer-commit.ts'
import type { Queued, ReplicaGate } from './writer-queue.ts'

let directory: string
let connection: Connection
let commits: Commits
let lines: { level: string; msg: string }[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'brokerbase-commits-'))
  connection = openWriter(join(directory, 'test.db'))
  connection.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY) STRICT')
  lines = []
  commits = createCommits(connection, createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) }))
})
afterEach(() => {
  connection.close()
  rmSync(directory, { recursive: true, force: true })
})

const insert = (id: number) => connection.run('INSERT INTO rows (id) VALUES (?)', [id])
const ids = (): number[] => connection.all<{ id: number }>('SELECT id FROM rows ORDER BY id').map(({ id }) => id)
/** Makes a write, and a list of its rejections. */
function write(): { item: Queued; rejected: unknown[] } {
  const rejected: unknown[] = []
  const item: Queued = {
    work: { run: () => null },
    within: AsyncLocalStorage.snapshot(),
    local: false,
    resolve: () => {},
    reject: (error) => void rejected.push(error),
  }
  return { item, rejected }
}
/** Makes a gate that waits for money, and a list of its calls. */
function gate(): { calls: string[]; gate: ReplicaGate } {
  const calls: string[] = []
  return {
    calls,
    gate: {
      wants: (isMoney) => isMoney,
      demand: () => void calls.push('demand'),
      committed: () => void calls.push('committed'),
      demandOwed: () => void calls.push('demandOwed'),
      reached: async () => void calls.push('reached'),
    },
  }
}

test('a finisher of the whole group writes in its transaction', () => {
  commits.finishers.push(() => insert(2))
  commits.begin()
  insert(1)
  commits.commit(1)
  expect(ids()).toEqual([1, 2])
  expect(connection.raw.inTransaction).toBe(false)
})

test('a failed COMMIT rolls back, rejects every write, notifies the caches, and logs one line', () => {
  let lost = 0
  commits.lostListeners.push(() => {
    lost += 1
  })
  const { item, rejected } = write()
  for (let times = 1; times <= 2; times += 1) {
    commits.begin()
    insert(1)
    commits.lose([item], new Error('disk full'))
  }
  expect(ids()).toEqual([])
  expect(rejected.map((error) => error instanceof CommitFailed)).toEqual([true, true])
  expect([lost, commits.failures(), commits.isFailing()]).toEqual([2, 2, true])
  commits.begin()
  commits.commit(0)
  commits.committed()
  expect(commits.isFailing()).toBe(false)
  expect(lines.map(({ msg }) => msg)).toEqual(['commit failed', 'commits succeed again'])
})

test('a write of another process makes the caches read again', () => {
  let lost = 0
  commits.lostListeners.push(() => {
    lost += 1
  })
  const turn = (): void => {
    commits.begin()
    commits.commit(0)
  }
  turn()
  turn()
  expect(lost).toBe(0)
  const other = openWriter(join(directory, 'test.db'))
  other.run('INSERT INTO rows (id) VALUES (7)')
  other.close()
  turn()
  expect(lost).toBe(1)
})

test('the replica is asked once for a whole group, and only for writes that wait', async () => {
  const { calls, gate: given } = gate()
  expect(commits.mustWait({ local: false }, { isMoney: true })).toBe(false)
  commits.waitFor(given)
  expect(commits.mustWait({ local: false }, { isMoney: false })).toBe(false)
  expect(commits.mustWait({ local: true }, { isMoney: true })).toBe(false)
  expect(calls).toEqual([])
  expect(commits.mustWait({ local: false }, { isMoney: true })).toBe(true)
  const reached = commits.committed()
  await Promise.all([reached(), reached()])
  expect(calls).toEqual(['demand', 'committed', 'reached'])
})
