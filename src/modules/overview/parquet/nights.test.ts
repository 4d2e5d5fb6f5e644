import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { DAY, HOUR } from '../../../platform/clock.ts'
import { lockAnalysis } from '../../../platform/db/lock.ts'
import { migrations } from '../../../platform/db/migrations.ts'
import { createScheduler } from '../../../platform/jobs/scheduler.ts'
import { TaskFailed, taskRunner } from '../../../platform/query-runner/task.ts'
import { noteHeartbeat } from '../../../platform/replication/heartbeat.ts'
import { openReader } from '../../../platform/sqlite.ts'
import { createSight } from '../../../platform/standby/sight.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { startS3 } from '../../../testing/fakes/s3.ts'
import { postMoney } from '../../../testing/ledger-desk.ts'
import { takeClicks } from '../../growth/affiliates/affiliates.jobs.ts'
import { makeNights } from './parquet.jobs.ts'

let root: string
let app: TestApp
let alpha: Firm
let beta: Firm
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-nights-'))
  app = createTestApp({ config: { parquet: { place: { kind: 'file', directory: root }, keys: {} } } })
  alpha = await app.firm('alpha')
  beta = await app.firm('beta')
  for (const firm of [alpha, beta]) {
    const trader = await firm.trader({ email: `ada@${firm.slug}.test` })
    await postMoney(app, firm, trader, { EUR: [1250n, -250n], JPY: [700n], BTC: [1n] })
  }
})
afterEach(async () => {
  await app.close()
  rmSync(root, { recursive: true })
})

const run = (of = app): Promise<string | null> =>
  makeNights.run({ platform: of.platform, signal: new AbortController().signal })
// biome-ignore lint/suspicious/noExplicitAny: a test looks into a manifest; assertions are its types
const readManifest = (date: string): any => JSON.parse(readFileSync(join(root, date, 'manifest.json'), 'utf8'))
const readRows = (path: string) => parquetReadObjects({ file: new Uint8Array(readFileSync(path)).buffer })
const isNight = (date: string): boolean => existsSync(join(root, date, 'manifest.json'))

describe('the files of a night', () => {
  test('a night has a file of every table and firm, and a manifest that tells them and the ledger', async () => {
    const said = await run()
    const manifest = readManifest('2026-01-15')
    expect(manifest).toMatchObject({ format: 1, date: '2026-01-15', at: '2026-01-15T12:00:00.000Z', withPeople: false })
    expect(manifest.firms.map(({ slug }: Firm) => slug)).toEqual(['alpha', 'beta'])
    expect(said).toStartWith(`${manifest.tables.length * 2} files for analysis`)
    for (const { id, files, ledger } of manifest.firms) {
      expect(files).toHaveLength(manifest.tables.length)
      for (const { path, rows, bytes, sha256 } of files) {
        expect(path).toEndWith(`/tenant=${id}/part-0.parquet`)
        const content = readFileSync(join(root, '2026-01-15', path))
        expect([content.length, new Bun.CryptoHasher('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
        expect(await readRows(join(root, '2026-01-15', path))).toHaveLength(rows)
      }
      expect(ledger).toEqual([
        { account: 'client_available', currency: 'BTC', entries: 1, minor: '1' },
        { account: 'client_available', currency: 'EUR', entries: 2, minor: '1000' },
        { account: 'client_available', currency: 'JPY', entries: 1, minor: '700' },
        { account: 'gateway_clearing', currency: 'BTC', entries: 1, minor: '-1' },
        { account: 'gateway_clearing', currency: 'EUR', entries: 2, minor: '-1000' },
        { account: 'gateway_clearing', currency: 'JPY', entries: 1, minor: '-700' },
      ])
    }
    const [table] = manifest.tables.filter(({ name }: { name: string }) => name === 'ledger_entries')
    expect(table.columns.slice(5, 8)).toEqual([
      { name: 'currency', type: 'string' },
      { name: 'amount', type: 'decimal(38,8)' },
      { name: 'amount_minor', type: 'int64' },
    ])
  })

  test('what a stranger writes into a click is in no file', async () => {
    const body = { traderId: await alpha.trader(), code: 'good' }
    const made = await app.call('POST', '/v1/affiliates', { as: alpha.as.manager, body })
    const active = { as: alpha.as.manager, body: { status: 'active' } }
    await app.call('PATCH', `/v1/affiliates/${made.body.id}`, active)
    const told = { url: 'https://x.test/open?name=Jane+Doe', referrer: 'Jane Doe', utm: { term: 'Jane Doe +441234' } }
    await app.call('POST', '/v1/affiliates/clicks/track', { body: { code: 'good', firm: alpha.slug, ...told } })
    await createScheduler(app.platform, [takeClicks]).runNow('affiliates.clicks')
    await run()
    const path = join(root, '2026-01-15', 'affiliate_clicks', `tenant=${alpha.tenantId}`, 'part-0.parquet')
    const rows = await readRows(path)
    expect(rows.map((row) => Object.keys(row))).toEqual([['id', 'affiliate_id', 'created_at', 'created_day']])
    expect(rows[0]?.affiliate_id).toBe(made.body.id)
  })

  test('rows of another firm are never in a firm’s files', async () => {
    await run()
    const read = async (table: string, { tenantId }: Firm): Promise<unknown[]> =>
      (await readRows(join(root, '2026-01-15', table, `tenant=${tenantId}`, 'part-0.parquet'))).map(({ id }) => id)
    for (const table of ['traders', 'wallets', 'ledger_entries', 'ledger_transactions', 'users', 'audit']) {
      const of = (firm: Firm) =>
        app.platform.reader
          .all<{ id: string }>(`SELECT id FROM ${table} WHERE tenant_id = ?`, [firm.tenantId])
          .map(({ id }) => id)
          .sort()
      for (const firm of [alpha, beta]) {
        expect(of(firm).length).toBeGreaterThan(0)
        expect((await read(table, firm)).map(String).sort()).toEqual(of(firm))
      }
    }
  })

  test('a night is due at 04:00 UTC, is made once, and seven of them stay', async () => {
    app.clock.set(Date.UTC(2026, 0, 16, 3, 59))
    await run()
    expect(isNight('2026-01-15')).toBe(true)
    app.clock.advance(HOUR)
    expect(await run()).not.toBeNull()
    expect(await run()).toBeNull()
    mkdirSync(join(root, 'notes'))
    writeFileSync(join(root, '2026-01-15', 'mine.txt'), 'of the operator')
    for (let night = 0; night < 7; night += 1) {
      app.clock.advance(DAY)
      await run()
    }
    const all = readdirSync(root).sort()
    expect(all.filter(isNight)).toEqual([17, 18, 19, 20, 21, 22, 23].map((day) => `2026-01-${day}`))
    // what the operator put there stays, and nothing else
    expect(all.filter((name) => !isNight(name))).toEqual(['2026-01-15', 'notes'])
    expect(readdirSync(join(root, '2026-01-15'))).toEqual(['mine.txt'])
  })
})

describe('a night that fails', () => {
  test('an interrupted night has no manifest, and the next run removes it', async () => {
    const left = join(root, '2026-01-14/deposits/tenant=x')
    mkdirSync(left, { recursive: true })
    writeFileSync(join(left, 'part-0.parquet'), 'half')
    writeFileSync(join(root, '2026-01-14/manifest.json.0a.partial'), '{')
    await run()
    expect(readdirSync(root)).toEqual(['2026-01-15'])
  })

  test('a full disk is told, leaves nothing behind, and the next run makes the night', async () => {
    const { run: truly } = taskRunner
    let calls = 0
    const full = spyOn(taskRunner, 'run').mockImplementation(async (...given) => {
      calls += 1
      if (calls === 2) throw new TaskFailed('ENOSPC: no space left on device, write')
      return truly(...given)
    })
    await expect(run()).rejects.toThrow(`The disk of ${root} is full`)
    full.mockRestore()
    expect(readdirSync(root)).toEqual([])
    expect(await run()).not.toBeNull()
  })

  test('a directory that is not there is told, and not made', async () => {
    rmSync(root, { recursive: true })
    await expect(run()).rejects.toThrow(`There is no directory ${root}`)
    expect(existsSync(root)).toBe(false)
    mkdirSync(root)
  })

  test('two processes do not write at once', async () => {
    const lock = lockAnalysis(app.platform.config.dataDir)
    await expect(run()).rejects.toThrow('being written already')
    lock.close()
    expect(await run()).not.toBeNull()
  })
})

test('a standby makes the night of its copy, and the server that it follows makes none', async () => {
  const { platform, clock } = app
  const path = join(root, 'generation.db')
  platform.connection.raw.run('VACUUM INTO ?', [path])
  const facts = { history: 'h', url: '', schema: migrations.length, version: '1', wait: 'off' } as const
  const heartbeat = { at: clock.now(), ...facts }
  await platform.writer.submit(() => noteHeartbeat(platform.connection, heartbeat))
  expect(await run()).toBeNull()
  let released = 0
  const sight = createSight({
    standby: {
      take: async () => ({
        generation: { path, heartbeat },
        release: () => {
          released += 1
        },
      }),
      seen: () => {
        throw new Error('nothing is asked')
      },
    },
    empty: () => openReader(path),
    schema: migrations.length,
    maxAgeSeconds: 60,
    now: clock.now,
  })
  const standby = createTestApp({ config: { parquet: platform.config.parquet }, sight })
  const scheduler = createScheduler(standby.platform, [makeNights])
  await scheduler.runNow('parquet.night')
  await scheduler.stop()
  expect(scheduler.list()[0]?.lastRun).toMatchObject({ status: 'done' })
  expect(readManifest('2026-01-15').firms.map(({ slug }: Firm) => slug)).toEqual(['alpha', 'beta'])
  // a copy that is too old is told, and nothing is made of it
  standby.clock.advance(DAY)
  clock.advance(DAY)
  await expect(run(standby)).rejects.toThrow()
  expect(readdirSync(root).filter(isNight)).toEqual(['2026-01-15'])
  await standby.close()
  expect(released).toBeGreaterThan(0)
  // its server makes the next night by itself once nobody follows
  expect(await run()).not.toBeNull()
})

test('a bucket has the same files, by the keys of the replica’s, and nothing stays on this machine', async () => {
  const s3 = startS3()
  const place = { kind: 's3', bucket: 'lake', prefix: 'office', endpoint: s3.url, region: null } as const
  const keys = { s3: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey } }
  const other = createTestApp({ config: { parquet: { place, keys } } })
  try {
    const firm = await other.firm('gamma')
    await run(other)
    const names = [...s3.objects.keys()]
    expect(names).toContain('lake/office/2026-01-15/manifest.json')
    const path = `lake/office/2026-01-15/users/tenant=${firm.tenantId}/part-0.parquet`
    const file = new Uint8Array(s3.objects.get(path)?.bytes ?? []).buffer
    expect((await parquetReadObjects({ file })).length).toBeGreaterThan(0)
    expect(existsSync(join(other.platform.config.dataDir, 'parquet'))).toBe(false)
    for (let night = 0; night < 7; night += 1) {
      other.clock.advance(DAY)
      await run(other)
    }
    expect([...s3.objects.keys()].filter((name) => name.includes('2026-01-15'))).toEqual([])
    s3.objects.delete('lake/office/2026-01-22/manifest.json')
    s3.be('refusing')
    await expect(run(other)).rejects.toThrow()
    s3.be('well')
    expect(await run(other)).not.toBeNull()
  } finally {
    await other.close()
    await s3.stop()
  }
})
