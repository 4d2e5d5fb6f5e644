import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIB } from '../../../platform/bytes.ts'
import { openReader, openWriter } from '../../../platform/sqlite.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { watchQueries } from './sandbox.jobs.ts'
import { createRunning, getRunningQueries } from './sandbox.running.ts'
import { findRefusal } from './sandbox.statement.ts'

let app: TestApp
let firm: Firm
let other: Firm
beforeAll(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  other = await app.firm('beta')
})
afterAll(() => app.close())

const ask = (sql: string, as: Caller = firm.as.owner) =>
  app.call('POST', '/v1/admin/reports/sql', { as, body: { sql } })

describe('the SQL page', () => {
  test('the SQL page runs a query over the firm’s own rows, and the audit has its text', async () => {
    const trader = await firm.trader({ email: 'ada@example.com' })
    await other.trader()
    const body = { traderId: trader, currency: 'EUR', amount: '12.5', method: 'bank' }
    await app.call('POST', '/v1/deposits', { as: firm.as.admin, body })
    firm.effects()
    const sql = `SELECT t.email, d.amount, d.amount_decimal, d.created_day, count(*) OVER () AS n, 1.5 AS x, NULL AS y
      FROM deposits d JOIN traders t ON t.id = d.trader_id; -- all of them`
    const answer = await ask(sql)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toStartWith('application/json')
    expect(answer.body).toEqual({
      columns: [
        { name: 'email', type: 'text' },
        { name: 'amount', type: 'integer' },
        { name: 'amount_decimal', type: 'text' },
        { name: 'created_day', type: 'text' },
        { name: 'n', type: 'integer' },
        { name: 'x', type: 'number' },
        { name: 'y', type: 'empty' },
      ],
      rows: [['ada@example.com', 1250, '12.50', '2026-01-15', 1, 1.5, null]],
      rowCount: 1,
      truncated: false,
      elapsedMs: expect.any(Number),
    })
    expect(firm.effects()).toEqual({ events: [], actions: ['sandbox.query'] })
    const history = await app.call('GET', `/v1/audit?action=sandbox.query&actorId=${firm.as.owner.id}&limit=1`, {
      as: firm.as.owner,
    })
    expect(history.body.data[0].after).toEqual({ sql })
  })

  test('the SQL page refuses other statements and closed tables at once, with a clear answer', async () => {
    firm.effects()
    const refused = async (sql: string) => {
      const { status, body } = await ask(sql)
      return [status, body.code, body.errors[0]?.path, body.detail]
    }
    expect(await refused('/* SELECT */ DELETE FROM traders')).toEqual([
      422,
      'sandbox.not_a_query',
      'sql',
      'Only a query can be run: it begins with SELECT, WITH or VALUES. Nothing can be changed here.',
    ])
    expect((await refused('SELECT 1; DROP TABLE traders'))[1]).toBe('sandbox.not_a_query')
    // none of these statements was run
    expect(firm.effects().actions).toEqual([])
    expect(await refused('SELECT * FROM sessions')).toEqual([
      422,
      'sandbox.not_readable',
      'sql',
      '“sessions” cannot be read here. The list of tables shows what can.',
    ])
    expect((await refused('WITH x AS (SELECT 1) DELETE FROM main.traders'))[1]).toBe('sandbox.not_readable')
    expect((await refused('SELECT randomblob(9)'))[3]).toBe('The function “randomblob” cannot be used here.')
    expect(await refused('SELECT colour FROM traders')).toEqual([
      422,
      'sandbox.failed',
      'sql',
      'SQLite says: no such column: colour',
    ])
    expect(firm.effects().actions.every((action) => action === 'sandbox.query')).toBe(true)
    const long = await ask(`SELECT '${'x'.repeat(20_000)}'`)
    expect([long.status, long.body.errors[0].path]).toEqual([422, 'sql'])
  })

  test('the SQL page is for owners and their keys', async () => {
    expect((await ask('SELECT 1', firm.as.admin)).status).toBe(403)
    expect((await ask('SELECT 1', await firm.key(['reports:read'], 'admin'))).status).toBe(403)
    expect((await ask('SELECT 1', await firm.key(['audit:read']))).status).toBe(403)
    expect((await ask('SELECT 1', await firm.key(['reports:read']))).status).toBe(200)
    expect((await app.call('GET', '/v1/admin/reports/sql/schema', { as: firm.as.admin })).status).toBe(403)
  })

  test('the SQL page lists every table and column that it can read, and can read each of them', async () => {
    const { status, body } = await app.call('GET', '/v1/admin/reports/sql/schema', { as: firm.as.owner })
    expect(status).toBe(200)
    expect(body.tables.length).toBeGreaterThan(15)
    expect(body.tables.every(({ description }: { description?: string }) => description !== undefined)).toBe(true)
    const deposits = body.tables.find(({ name }: { name: string }) => name === 'deposits')
    expect(deposits.columns.slice(5, 8)).toEqual([
      { name: 'currency', type: 'text' },
      { name: 'amount', type: 'money', description: 'announced, in minor units: 12.50 EUR is 1250' },
      { name: 'amount_decimal', type: 'decimal' },
    ])
    type Table = { name: string; columns: { name: string }[] }
    const selects = body.tables.map(
      ({ name, columns }: Table) =>
        `(SELECT count(*) FROM (SELECT ${columns.map((one) => one.name).join(', ')} FROM ${name}))`,
    )
    const read = await ask(`SELECT ${selects.join(' + ')}`)
    expect([read.status, read.body.rowCount]).toEqual([200, 1])
  })

  test('one query of a firm runs at a time, and two of all firms', async () => {
    const held = Promise.withResolvers<null>()
    const running = getRunningQueries(app.platform.capabilities)
    const first = running.run(firm.tenantId, () => held.promise)
    expect(running.oldestMs()).toBeGreaterThan(0)
    const second = await ask('SELECT 1')
    expect([second.status, second.body.code, second.headers.get('retry-after')]).toEqual([429, 'sandbox.busy', '5'])
    expect((await ask('SELECT 1', other.as.owner)).status).toBe(200)
    const third = running.run('another firm', () => held.promise)
    const fourth = await ask('SELECT 1', other.as.owner)
    expect([fourth.status, fourth.body.code]).toEqual([429, 'sandbox.box_busy'])
    held.resolve(null)
    await Promise.all([first, third])
    expect(running.oldestMs()).toBe(0)
    expect((await ask('SELECT 1')).status).toBe(200)
  })

  test('a query that fails frees its place', async () => {
    const running = createRunning({ logBytes: () => 0 })
    const failed = running.run('firm', () => Promise.reject(new Error('no'))).catch(() => 'failed')
    expect(await failed).toBe('failed')
    expect(await running.run('firm', () => Promise.resolve('next'))).toBe('next')
  })

  test('the next free place for a query is kept for a refused firm while it goes on asking', async () => {
    let now = 0
    const running = createRunning({ logBytes: () => 0, now: () => now })
    const begin = (firm: string) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      return { end: resolve, done: running.run(firm, () => promise).catch(({ code }: { code: string }) => code) }
    }
    const [a, b] = [begin('a'), begin('b')]
    expect(await begin('c').done).toBe('sandbox.box_busy')
    a.end()
    await a.done
    // the free place is kept for the firm that was refused
    expect(await begin('a').done).toBe('sandbox.box_busy')
    const c = begin('c')
    b.end()
    c.end()
    expect(await Promise.all([b.done, c.done])).toEqual([undefined, undefined])
    const again = begin('b')
    const others = begin('a')
    again.end()
    others.end()
    expect(await Promise.all([again.done, others.done])).toEqual([undefined, undefined])
    const held = [begin('a'), begin('b')]
    await begin('c').done
    await begin('d').done
    for (const { end, done } of held) {
      end()
      await done
    }
    now += 16_000
    const last = begin('a')
    last.end()
    expect(await last.done).toBeUndefined()
  })

  test('a query that keeps SQLite from restarting a large log is ended', async () => {
    let [now, logBytes] = [0, 0]
    const running = createRunning({ logBytes: () => logBytes, now: () => now })
    const told = running
      .run('a', (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))
      .catch(({ code }: { code: string }) => code)
    now = 20_000
    expect(running.makeWay()).toBe(0)
    logBytes = 300 * MIB
    expect(running.makeWay()).toBe(1)
    expect(await told).toBe('sandbox.box_busy')
  })

  test('the log stays small while queries follow each other without a gap', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'brokerbase-sandbox-'))
    const path = join(directory, 'log.db')
    const writer = openWriter(path)
    writer.run('CREATE TABLE rows (id INTEGER PRIMARY KEY, bytes BLOB)')
    const logBytes = () => statSync(`${path}-wal`).size
    let now = 0
    const running = createRunning({ logBytes, largeLog: 4 * MIB, now: () => now })
    const read = () => {
      const ended = Promise.withResolvers<void>()
      const reader = openReader(path)
      const done = running
        .run(crypto.randomUUID(), async () => {
          reader.exec('BEGIN')
          reader.all('SELECT count(*) FROM rows')
          await ended.promise
        })
        .catch(({ code }: { code: string }) => code)
        .finally(() => reader.close())
      return { done, end: ended.resolve }
    }
    const refused: unknown[] = []
    let largest = 0
    let last = read()
    for (let turn = 0; turn < 60; turn += 1) {
      // the next query begins before the last one ends
      const next = read()
      for (let row = 0; row < 10; row += 1) writer.run('INSERT INTO rows (bytes) VALUES (randomblob(100000))')
      last.end()
      refused.push(await last.done)
      largest = Math.max(largest, logBytes())
      now += 1000
      last = next
    }
    last.end()
    await last.done
    writer.close()
    rmSync(directory, { recursive: true })
    expect(largest).toBeLessThan(10 * MIB)
    expect(refused).toContain('sandbox.box_busy')
    expect(refused).toContain(undefined)
  })

  test('the operator is warned about a query that takes long, and about a large log', async () => {
    const warned: unknown[][] = []
    let logBytes = 0
    const capabilities = { ...app.platform.capabilities, app: {}, logBytes: () => logBytes }
    const log = { ...app.platform.log, warn: (...said: unknown[]) => void warned.push(said) }
    const look = () =>
      watchQueries.run({ platform: { ...app.platform, capabilities, log }, signal: new AbortController().signal })
    await look()
    expect(warned).toEqual([])
    logBytes = 300 * MIB
    await look()
    expect(warned).toEqual([[{ oldestQueryMs: 0, logBytes }, 'the database log is large']])
    let at = 1000
    const clock = spyOn(performance, 'now').mockImplementation(() => at)
    const held = Promise.withResolvers<null>()
    const query = getRunningQueries(capabilities).run(firm.tenantId, () => held.promise)
    at = 7000
    await look()
    expect(warned[1]).toEqual([
      { oldestQueryMs: 6000, logBytes },
      'a query keeps the database log from being begun anew',
    ])
    held.resolve(null)
    await query
    clock.mockRestore()
  })
})

test.each([
  ['', 'empty'],
  ['  -- nothing\n/* at all */ ;', 'empty'],
  ['PRAGMA table_list', 'not_a_query'],
  ['(SELECT 1)', 'not_a_query'],
  ['SELECTED', 'not_a_query'],
  ["'SELECT 1'", 'not_a_query'],
  ['EXPLAIN SELECT 1', 'not_a_query'],
  ['SELECT 1; SELECT 2', 'several'],
  ["SELECT ';' ; /* ; */ x", 'several'],

  ['select 1', null],
  [';;SELECT 1;;', null],
  ['-- a; b\nWITH x AS (SELECT 1) SELECT * FROM x; -- c; d', null],
  [`SELECT 'it''s; fine', ";", \`;\`, [;] /* ; */`, null],
  ['VALUES (1), (2)', null],
  ['SELECT /* never ended ; SELECT 2', null],
  ["SELECT 'never ended; SELECT 2", null],
])('the check of the statement “%s” returns %p', (sql, refusal) =>
  expect<string | null>(findRefusal(sql)).toBe(refusal),
)

test('the check refuses a text with a character of code zero', () => expect(findRefusal('SELECT 1\0; x')).toBe('nul'))
