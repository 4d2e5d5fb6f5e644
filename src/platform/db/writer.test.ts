import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestApp } from '../../testing/app.ts'
import { systemCtx } from '../access/ctx.ts'
import { verifyChain } from '../audit/verify.ts'
import { createLog } from '../log.ts'
import { openPlatform } from '../platform.ts'
import { type Connection, openReader, openWriter } from '../sqlite.ts'
import { createWriter, type Writer, WriterBusy } from './writer.ts'
import { CommitFailed } from './writer-commit.ts'

let directory: string
let path: string
let connection: Connection
let reader: Connection
let writer: Writer
let commits: number
let lost: number
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'brokerbase-writer-'))
  path = join(directory, 'test.db')
  connection = openWriter(path)
  connection.exec('CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT')
  connection.exec(
    'CREATE TABLE rows (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED) STRICT',
  )
  reader = openReader(path)
  writer = createWriter(connection, createLog({ level: 'silent' }))
  commits = 0
  lost = 0
  writer.onCommit(() => {
    commits += 1
  })
  writer.onLost(() => {
    lost += 1
  })
})
afterEach(async () => {
  await writer.close()
  reader.close()
  connection.close()
  rmSync(directory, { recursive: true, force: true })
})

const insert =
  (id: number, parent: number | null = null) =>
  () =>
    connection.run('INSERT INTO rows (id, parent) VALUES (?, ?)', [id, parent])
const ids = (): number[] => reader.all<{ id: number }>('SELECT id FROM rows ORDER BY id').map(({ id }) => id)
const outcomes = async (writes: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(writes)).map((one) =>
    one.status === 'fulfilled' ? 'done' : String(one.reason?.name ?? one.reason),
  )

describe('a group of writes', () => {
  test('writes that wait at the same moment share one commit, and their promises resolve after it', async () => {
    const seen: number[][] = []
    await Promise.all([1, 2, 3].map((id) => writer.submit(insert(id)).then(() => void seen.push(ids()))))
    expect(commits).toBe(1)
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  test.each([0, 1, 2])('a group undoes all of a callback that throws, and no other: %i', async (failing) => {
    const writes = [1, 2, 3].map((id, index) =>
      writer.submit(() => {
        insert(id)()
        insert(id * 10)()
        if (index === failing) throw new Error('no')
      }),
    )
    expect(await outcomes(writes)).toEqual(['done', 'done', 'done'].with(failing, 'Error'))
    expect(ids()).toEqual([1, 2, 3, 10, 20, 30].filter((id) => id !== failing + 1 && id !== (failing + 1) * 10))
    expect(commits).toBe(1)
    expect(lost).toBe(0)
  })

  test('`onKept` runs for a write that is kept, and not for one that throws', async () => {
    const promoted: string[] = []
    const write = (name: string, fails: boolean) =>
      writer.submit((hooks) => {
        hooks.onKept = () => void promoted.push(name)
        if (fails) throw new Error('no')
      })
    await outcomes([write('a', false), write('b', true), write('c', false)])
    expect(promoted).toEqual(['a', 'c'])
  })

  test('a group is rejected as a whole if its COMMIT fails, and the next group works', async () => {
    // the missing parent is noticed only at COMMIT, after its callback has ended
    const writes = [writer.submit(insert(1)), writer.submit(insert(2, 999)), writer.submit(insert(3))]
    expect(await outcomes(writes)).toEqual(['CommitFailed', 'CommitFailed', 'CommitFailed'])
    expect(ids()).toEqual([])
    expect([commits, lost]).toEqual([0, 1])
    await writer.submit(insert(4))
    expect(ids()).toEqual([4])
  })

  test('a group fails with our own error if another process holds the lock; then writing goes on', async () => {
    connection.run('PRAGMA busy_timeout = 20')
    const other = openWriter(path)
    other.run('BEGIN IMMEDIATE')
    const failed = await writer.submit(insert(1)).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(CommitFailed)
    other.run('ROLLBACK')
    await writer.submit(insert(2))
    expect(ids()).toEqual([2])
    // after another process wrote, the caches are read again
    const before = lost
    other.run('INSERT INTO rows (id) VALUES (3)')
    other.close()
    await writer.submit(insert(4))
    expect(lost).toBe(before + 1)
    expect(ids()).toEqual([2, 3, 4])
  })

  test('many writes share a few commits, keep their order, and none is lost', async () => {
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 1000 }, (_, id) =>
        writer.submit(() => {
          order.push(id)
          insert(id)()
        }),
      ),
    )
    expect(order).toEqual(Array.from({ length: 1000 }, (_, id) => id))
    expect(ids()).toHaveLength(1000)
    expect(commits).toBeLessThan(50)
  })

  test('the writer refuses too many writes at once; once closed, it commits what it has and takes no more', async () => {
    const waiting = Array.from({ length: 10_000 }, () => writer.submit(() => null))
    expect(await writer.submit(insert(1)).catch((error: unknown) => error)).toBeInstanceOf(WriterBusy)
    await Promise.all(waiting)
    const last = writer.submit(insert(2))
    await writer.close()
    await last
    expect(ids()).toEqual([2])
    expect(await writer.submit(insert(3)).catch((error: unknown) => error)).toBeInstanceOf(WriterBusy)
  })
})

describe('a long write', () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  /** Inserts `from` to `to`, a row a step, each step longer than the limit of a part. */
  function* slowly(from: number, to: number, fails = false): Generator<void, number> {
    for (let id = from; id <= to; id += 1) {
      insert(id)()
      jest.advanceTimersByTime(4)
      yield
    }
    if (fails) throw new Error('at the end')
    return to
  }

  test('a long write lets reads and timers run between its steps, is visible as a whole, and other writes wait for it', async () => {
    const seen = new Set<number>()
    let ticks = 0
    let next = setImmediate(function look() {
      ticks += 1
      seen.add(ids().length)
      next = setImmediate(look)
    })
    const long = writer.submitSteps(() => slowly(1, 15))
    const short = writer.submit(() => {
      insert(100)()
      return connection.all('SELECT id FROM rows').length
    })
    expect(await long).toBe(15)
    expect(await short).toBe(16)
    clearImmediate(next)
    expect(ticks).toBeGreaterThan(2)
    expect([...seen].filter((count) => count !== 0 && count !== 15)).toEqual([])
    expect(commits).toBe(2)
  })

  test('a long write that throws leaves nothing of itself, and does not affect the short writes', async () => {
    const writes = [
      writer.submit(insert(100)),
      writer.submitSteps(() => slowly(1, 5, true)),
      writer.submit(insert(101)),
    ]
    expect(await outcomes(writes)).toEqual(['done', 'Error', 'done'])
    expect(ids()).toEqual([100, 101])
  })

  test('a long write is rejected if its COMMIT fails, and the next one works', async () => {
    const long = writer.submitSteps(function* () {
      insert(1, 999)()
      yield
      return null
    })
    expect(await outcomes([long, writer.submit(insert(2))])).toEqual(['CommitFailed', 'done'])
    expect(ids()).toEqual([2])
  })

  test('a long write is finished before the writer closes', async () => {
    const long = writer.submitSteps(() => slowly(1, 5))
    await writer.close()
    expect(await long).toBe(5)
    expect(ids()).toHaveLength(5)
  })
})

test('the audit chain and the numbers of events go on after a write of another process', async () => {
  const app = createTestApp()
  const firm = await app.firm('alpha')
  const { config, clock } = app.platform
  const other = openPlatform({ config, clock, log: createLog({ level: 'silent' }) })
  const write = (platform: typeof other, name: string) =>
    systemCtx(platform, firm.tenantId, 'test').write('test.write', (tx) => {
      tx.audit({ entity: 'test', after: { name } })
      tx.emit('trader.created', { traderId: name, status: 'active', kycLevel: 0, version: 1 })
      return null
    })
  for (const name of ['a', 'b', 'c']) {
    await write(app.platform, `${name}1`)
    await write(other, `${name}2`)
    await write(other, `${name}3`)
  }
  await Promise.all([write(app.platform, 'd'), write(app.platform, 'e')])
  await other.close()
  const chain = await verifyChain(app.platform.reader, app.platform.secrets, firm.tenantId)
  expect([chain.intact, chain.firstBroken]).toEqual([true, null])
  const numbers = app.platform.reader
    .all<{ sequence: number }>('SELECT sequence FROM events ORDER BY position')
    .map(({ sequence }) => sequence)
  expect(numbers).toEqual(Array.from({ length: 11 }, (_, index) => index + 1))
  await app.close()
})

test('a COMMIT that fails is a 503 for every request of the group, and the chain is intact after it', async () => {
  const app = createTestApp()
  const firm = await app.firm('alpha')
  const spoil = app.platform.writer
    .submit(() => {
      app.platform.connection.run('PRAGMA defer_foreign_keys = ON')
      app.platform.connection.run(
        `INSERT INTO trader_labels (tenant_id, kind, value, trader_rid, trader_id) VALUES ('x', 'tag', 'x', 1, 'nobody')`,
      )
    })
    .catch((error: unknown) => error)
  const create = (email: string) =>
    app.call('POST', '/v1/traders', { as: firm.as.operator, body: { email, firstName: 'A' } })
  // identified and validated while the first write waits, both are in its group or in the next
  const [first, second] = await Promise.all([create('a@x.test'), create('b@x.test')])
  expect(await spoil).toBeInstanceOf(CommitFailed)
  for (const answer of [first, second]) {
    expect([201, 503]).toContain(answer.status)
    if (answer.status === 503) expect(answer.headers.get('retry-after')).toBe('1')
  }
  const there = (await app.call('GET', '/v1/traders', { as: firm.as.viewer })).body.data
  expect(there).toHaveLength([first, second].filter(({ status }) => status === 201).length)
  expect((await create('c@x.test')).status).toBe(201)
  const chain = await verifyChain(app.platform.reader, app.platform.secrets, firm.tenantId)
  expect(chain.intact).toBe(true)
  await app.close()
})

describe('a checkpoint', () => {
  const countWaiting = (): number => {
    const state = reader.get<{ log: number; checkpointed: number }>('PRAGMA wal_checkpoint(NOOP)')
    return (state?.log ?? 0) - (state?.checkpointed ?? 0)
  }

  test('it is made after so many pages of log, and after the answer of the write that made them', async () => {
    writer.checkpoint.after(4)
    const before = countWaiting()
    expect(before).toBeGreaterThan(0)
    await writer.submit(insert(1))
    const answered = countWaiting()
    expect(answered).toBeGreaterThan(before)
    await writer.submit(insert(2))
    expect(countWaiting()).toBeLessThan(answered)
    expect(ids()).toEqual([1, 2])
  })

  test('nobody makes it here while the replication engine does', async () => {
    writer.checkpoint.after(4)
    writer.checkpoint.after(0)
    for (let id = 1; id <= 20; id += 1) await writer.submit(insert(id))
    expect(countWaiting()).toBeGreaterThanOrEqual(20)
  })
})
