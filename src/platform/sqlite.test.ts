import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { turn } from '../testing/until.ts'
import { type Connection, openTickReader, openWriter, type TickReader } from './sqlite.ts'

let directory: string
let ours: Connection
let theirs: Connection
let reader: TickReader

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'brokerbase-client-'))
  const path = join(directory, 'test.db')
  ours = openWriter(path, () => reader?.refresh())
  ours.exec('CREATE TABLE counts (n INTEGER NOT NULL) STRICT; INSERT INTO counts VALUES (0)')
  theirs = openWriter(path)
  reader = openTickReader(path)
})
afterEach(() => {
  reader.close()
  ours.close()
  theirs.close()
  rmSync(directory, { recursive: true, force: true })
})

const count = () => reader.get<{ n: number }>('SELECT n FROM counts')?.n

test('a commit of the program’s own connection is read at once, in the same tick', () => {
  expect(count()).toBe(0)
  ours.run('UPDATE counts SET n = 1')
  expect(count()).toBe(1)
  ours.run('BEGIN IMMEDIATE')
  ours.run('UPDATE counts SET n = 2')
  expect(count()).toBe(1)
  ours.run('COMMIT')
  expect(count()).toBe(2)
  expect(reader.all<{ n: number }>('SELECT n FROM counts')).toEqual([{ n: 2 }])
})

test('the reads of a tick see one state; those of the next tick see commits of another process', async () => {
  expect(count()).toBe(0)
  theirs.run('UPDATE counts SET n = 3')
  expect(count()).toBe(0)
  await turn()
  await turn()
  expect(count()).toBe(3)
})

test('between ticks no lock is held, so that the log can be truncated; after a failed read the next one works', async () => {
  expect(count()).toBe(0)
  expect(() => reader.get('SELECT nonsense')).toThrow()
  ours.run('UPDATE counts SET n = 4')
  await turn()
  await turn()
  expect(ours.get<Record<string, number>>('PRAGMA wal_checkpoint(TRUNCATE)')).toMatchObject({ busy: 0, log: 0 })
  expect(count()).toBe(4)
})

test('reads beside writes do not make the log grow without end', () => {
  for (let index = 0; index < 4000; index += 1) {
    count()
    ours.run('UPDATE counts SET n = n + 1')
  }
  expect(count()).toBe(4000)
  // a checkpoint runs every 1,000 pages; one that meets an open read cannot reset the log
  expect(statSync(join(directory, 'test.db-wal')).size).toBeLessThan(6_000_000)
  // 4,000 commits wait for the disk, which other programs may use
}, 180_000)

test('a tick reader cannot write', () => {
  expect(() => reader.run('UPDATE counts SET n = 9')).toThrow()
  expect(count()).toBe(0)
})

test('a recalled answer is used until this or another process commits, and no longer', async () => {
  let asked = 0
  const recalled = () =>
    reader.recall('n', () => {
      asked += 1
      return reader.get<{ n: number }>('SELECT n FROM counts')
    })?.n
  expect([recalled(), recalled()]).toEqual([0, 0])
  await turn()
  expect([recalled(), asked]).toEqual([0, 1])
  ours.run('BEGIN IMMEDIATE')
  ours.run('UPDATE counts SET n = 1')
  expect(recalled()).toBe(0)
  ours.run('COMMIT')
  expect([recalled(), asked]).toEqual([1, 2])
  ours.run('BEGIN IMMEDIATE')
  ours.run('UPDATE counts SET n = 9')
  ours.run('ROLLBACK')
  expect(recalled()).toBe(1)
  theirs.run('UPDATE counts SET n = 2')
  await turn()
  await turn()
  expect(recalled()).toBe(2)
})

test('an answer that is undefined is not recalled but read again each time', () => {
  const answers = [undefined, { n: 1 }, { n: 2 }]
  const recalled = () => reader.recall('key', () => answers.shift())
  expect([recalled(), recalled(), recalled()]).toEqual([undefined, { n: 1 }, { n: 1 }])
})
