import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, loadConfig } from '../config.ts'
import { backupsBy } from '../modules/box/backups/backups.jobs.ts'
import { snapshotPath } from '../modules/box/backups/backups.places.ts'
import { readKeyFile } from '../platform/key-file.ts'
import { keyToWords } from '../platform/recovery-words.ts'
import { openReader, openWriter } from '../platform/sqlite.ts'
import { foundFirm } from '../testing/app.ts'
import { enginePath, makePlace, momentBetween, type Place } from '../testing/replica.ts'
import { until } from '../testing/until.ts'
import { type RestoreFlags, restoreNow } from './restore.ts'
import { type RestoreReport, restore } from './restore-data.ts'
import { withPlatform } from './with-platform.ts'

setDefaultTimeout(180_000)

describe.skipIf(enginePath === undefined)('restore', () => {
  let place: Place
  beforeEach(() => {
    place = makePlace()
  })
  afterEach(() => place.close())

  const path = (...names: string[]): string => join(place.root, ...names)
  const restored = async (
    name: string,
    flags: RestoreFlags,
    { answers = [], settings = {} }: { answers?: string[]; settings?: Record<string, string> } = {},
  ): Promise<RestoreReport> =>
    JSON.parse(
      await restoreNow(place.config(name, settings), { ...flags, json: true }, () => ({
        ask: async () => answers.shift() ?? '',
        tell: () => {},
      })),
    )
  const countIn = (name: string, table: string): number | undefined => {
    const db = openReader(path(name, 'brokerbase.db'))
    const count = db.get<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n
    db.close()
    return count
  }

  /** Starts a server with a firm, some clients and a logo, all of it in the replica. */
  async function furnished(name: string, settings: Record<string, string> = {}) {
    const server = await place.start(name, settings)
    const { platform } = server
    const firm = await foundFirm(platform, 'first')
    const traderId = await firm.trader({ firstName: 'Kept' })
    await firm.trader({ firstName: 'Other' })
    const attach = (id: string): void => {
      platform.blobs.put(firm.tenantId, id, new TextEncoder().encode(`paper ${id}`), 1)
      platform.connection.run(
        `INSERT INTO files (tenant_id, id, trader_id, purpose, content_type, size, status, public, created_at, expires_at)
          VALUES (?, ?, ?, 'kyc', 'image/png', 9, 'attached', 0, 1, 1)`,
        [firm.tenantId, id, traderId],
      )
    }
    await platform.writer.submit(() => attach('fil_1'))
    const seen = () => platform.replication?.seen()
    const caughtUp = () => until('no lag', () => seen()?.databases.every(({ lagMs }) => lagMs === 0) ?? false)
    await caughtUp()
    return { server, firm, traderId, attach, caughtUp }
  }

  test('restore brings a machine that was lost with its key back by the recovery words, and proves everything', async () => {
    const { server, firm } = await furnished('a')
    const words = keyToWords(readKeyFile(path('a/secret.key')) ?? new Uint8Array())
    await server.stop()
    rmSync(path('a'), { recursive: true })
    const report = await restored('a', { keyWords: true }, { answers: [words.join(' ')] })
    expect(report).toMatchObject({
      done: true,
      replaced: null,
      check: { firms: 1, papers: 1, missing: [], faults: [] },
    })
    expect(report.check.auditEntries).toBeGreaterThan(0)
    expect(readdirSync(path('a')).sort()).toEqual(['brokerbase.db', 'files.db', 'secret.key', 'serve.lock'])
    const again = await place.start('a')
    const paper = again.platform.blobs.get(firm.tenantId, 'fil_1')
    expect(new TextDecoder().decode(paper)).toBe('paper fil_1')
    expect(countIn('a', 'traders')).toBe(2)
    // all sessions ended
    expect(countIn('a', 'sessions')).toBe(0)
  })

  test('restore fetches nothing without the key, and distinguishes a wrong key, too few words and wrong words', async () => {
    const { server } = await furnished('a')
    await server.stop()
    await expect(restored('b', {})).rejects.toThrow('The key of the installation is needed')
    await expect(restored('b', { keyWords: true }, { answers: ['zoo zoo'] })).rejects.toThrow('24 words; 2 were given')
    const other = keyToWords(new Uint8Array(32).fill(7)).join(' ')
    await expect(restored('b', { keyWords: true }, { answers: [other] })).rejects.toThrow('secret key is not the one')
    expect(existsSync(path('b/brokerbase.db'))).toBe(false)
    const keyFile = path('a/secret.key')
    expect((await restored('b', { keyFile })).done).toBe(true)
    expect(readFileSync(path('b/secret.key'), 'utf8')).toBe(readFileSync(keyFile, 'utf8'))
  })

  test('restore opens the key beside the replica by its passphrase alone', async () => {
    const settings = { BROKERBASE_RECOVERY_PASSPHRASE: 'a long sentence that nobody guesses' }
    const { server } = await furnished('a', settings)
    await server.stop()
    expect((await restored('b', {}, { settings })).done).toBe(true)
    const wrong = { BROKERBASE_RECOVERY_PASSPHRASE: 'another sentence that nobody guesses' }
    await expect(restored('c', {}, { settings: wrong })).rejects.toThrow('does not open the key')
  })

  test('the old key stays beside the replica although a new machine was started before its restore', async () => {
    const settings = { BROKERBASE_RECOVERY_PASSPHRASE: 'a long sentence that nobody guesses' }
    const { server } = await furnished('a', settings)
    const history = server.platform.replication?.seen().lineage ?? ''
    const key = readFileSync(path('a/secret.key'), 'utf8')
    await server.stop()
    rmSync(path('a'), { recursive: true })
    await (await place.start('a', settings)).stop()
    expect(readFileSync(path('a/secret.key'), 'utf8')).not.toBe(key)
    // the newest history is that of an empty installation
    await expect(restored('a', { replace: true }, { settings })).rejects.toThrow(
      `--history names the one that is meant: ${history}`,
    )
    expect(await restored('a', { history, replace: true }, { settings })).toMatchObject({
      done: true,
      check: { firms: 1, faults: [] },
    })
    expect(readFileSync(path('a/secret.key'), 'utf8')).toBe(key)
    // another passphrase seals the same key again
    const other = { BROKERBASE_RECOVERY_PASSPHRASE: 'another sentence that nobody guesses' }
    await (await place.start('a', other)).stop()
    expect((await restored('b', {}, { settings: other })).done).toBe(true)
  })

  test('restore also keeps documents without their books, and a key that differs', async () => {
    const { server, firm } = await furnished('a')
    await server.stop()
    const keyFile = path('key')
    cpSync(path('a/secret.key'), keyFile)
    const alone = loadConfig({ 'data-dir': path('a'), port: '0' }, { env: {} })
    await withPlatform(alone, async ({ blobs }) => blobs.put(firm.tenantId, 'late', new Uint8Array([1]), 1))
    for (const name of readdirSync(path('a'))) if (name.startsWith('brokerbase.db')) rmSync(path('a', name))
    await expect(restored('a', {})).rejects.toThrow('holds data already')
    const report = await restored('a', { replace: true })
    const papers = openReader(join(report.replaced ?? '', 'files.db'))
    expect(papers.get(`SELECT key FROM blobs WHERE key = 'late'`)).toEqual({ key: 'late' })
    papers.close()
    mkdirSync(path('b'))
    writeFileSync(path('b/secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 })
    const beside = await restored('b', { keyFile })
    expect(readFileSync(join(beside.replaced ?? '', 'secret.key'), 'utf8')).toStartWith('BwcH')
    // a key that equals the restored one is not kept twice
    mkdirSync(path('c'))
    cpSync(keyFile, path('c/secret.key'))
    expect((await restored('c', {})).replaced).toBeNull()
  })

  test('restore brings a client back who was deleted by mistake, and their documents open', async () => {
    const { server, firm, traderId, caughtUp } = await furnished('a')
    const before = await momentBetween()
    const { platform } = server
    await platform.writer.submit(() => platform.connection.run('DELETE FROM files'))
    await platform.writer.submit(() => platform.connection.run('DELETE FROM traders WHERE id = ?', [traderId]))
    await firm.trader({ firstName: 'Later' })
    await caughtUp()
    await server.stop()
    const report = await restored('b', { at: before, keyFile: path('a/secret.key') })
    expect(report.source).toContain(before)
    expect(report.check).toMatchObject({ papers: 1, missing: [] })
    const db = openReader(path('b/brokerbase.db'))
    expect(db.all<{ name: string }>('SELECT first_name AS name FROM traders ORDER BY name')).toEqual([
      { name: 'Kept' },
      { name: 'Other' },
    ])
    db.close()
  })

  test('restore refuses a running server, existing data and invalid times, and changes nothing', async () => {
    const { server } = await furnished('a')
    await expect(restored('a', { replace: true })).rejects.toThrow('Another Brokerbase is serving')
    await server.stop()
    const bytes = readFileSync(path('a/brokerbase.db'))
    await expect(restored('a', {})).rejects.toThrow('holds data already')
    await expect(restored('a', { at: 'yesterday' })).rejects.toThrow('--at: “yesterday” is no moment')
    await expect(restored('a', { at: '2026-01-01T10:00:00' })).rejects.toThrow('with its zone')
    await expect(restored('a', { at: '2199-01-01T10:00:00Z' })).rejects.toThrow('in the future')
    await expect(restored('a', { at: '2020-01-01T10:00:00Z', replace: true })).rejects.toThrow(
      'has no history of 2020-01-01T10:00:00.000Z; it has ',
    )
    await expect(restored('a', { history: 'x', replace: true })).rejects.toThrow('no such history; it has ')
    await expect(restored('a', { history: 'x', snapshot: true })).rejects.toThrow('of its own moment')
    // a wrong option ends the program with 2
    for (const flags of [
      { at: 'yesterday' },
      { at: '2199-01-01T10:00:00Z' },
      { history: 'x', snapshot: true },
      { keyFile: path('nowhere') },
    ] as const)
      await expect(restored('a', flags)).rejects.toThrow(ConfigError)
    expect((await restored('a', { dryRun: true })).done).toBe(false)
    expect(readFileSync(path('a/brokerbase.db'))).toEqual(bytes)
    expect(readdirSync(path('a')).filter((name) => name.startsWith('restore'))).toEqual([])
  })

  test('a dry run leaves nothing behind, from a snapshot, from the replica or beside a server', async () => {
    const { server } = await furnished('a')
    const { id } = await backupsBy(server.platform, null).take('manual')
    const snapshot = snapshotPath(path('a'), id)
    const keyFile = path('a/secret.key')
    expect((await restored('deep/er/b', { dryRun: true, snapshot, keyFile })).done).toBe(false)
    expect((await restored('deep/er/b', { dryRun: true, keyFile })).done).toBe(false)
    expect(existsSync(path('deep'))).toBe(false)
    mkdirSync(path('c'))
    await restored('c', { dryRun: true, snapshot, keyFile })
    await restored('c', { dryRun: true, keyFile })
    expect(readdirSync(path('c'))).toEqual([])
    const before = readdirSync(path('a')).toSorted()
    expect((await restored('a', { dryRun: true })).done).toBe(false)
    expect(readdirSync(path('a')).toSorted()).toEqual(before)
  })

  test('restore keeps the former data, and the next start begins another history', async () => {
    const { server, firm } = await furnished('a')
    const lineage = server.platform.replication?.seen().lineage
    await server.stop()
    const report = await restored('a', { replace: true })
    expect(existsSync(join(report.replaced ?? '', 'brokerbase.db'))).toBe(true)
    expect(existsSync(join(report.replaced ?? '', 'secret.key'))).toBe(true)
    const again = await place.start('a')
    expect(again.platform.replication?.seen().lineage).not.toBe(lineage ?? '')
    expect(new TextDecoder().decode(again.platform.blobs.get(firm.tenantId, 'fil_1'))).toBe('paper fil_1')
  })

  test('restore refuses a manipulated copy, and names missing documents', async () => {
    const { server, attach } = await furnished('a')
    const { platform } = server
    await platform.writer.submit(() => attach('fil_2'))
    platform.blobs.remove(platform.reader.get<{ id: string }>('SELECT id FROM tenants')?.id ?? '', 'fil_2')
    await server.stop()
    const again = await place.start('a')
    await again.stop()
    expect((await restored('b', { keyFile: path('a/secret.key') })).check.missing).toMatchObject([{ fileId: 'fil_2' }])
    const db = openWriter(path('a/brokerbase.db'))
    const triggers = db.all<{ name: string; sql: string }>(
      `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'`,
    )
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`)
    db.run(`UPDATE audit SET action = 'nothing.happened' WHERE seq = 2`)
    for (const { sql } of triggers) db.exec(sql)
    db.close()
    const third = await place.start('a')
    await until('no lag', () => third.platform.replication?.seen().databases.every(({ lagMs }) => lagMs === 0) ?? false)
    await third.stop()
    const keyFile = path('a/secret.key')
    await expect(restored('c', { keyFile })).rejects.toThrow('rows of audit are not those that this program wrote')
    // even if the rows are accepted, the chain of the audit is checked
    await expect(restored('c', { keyFile, trustContents: true })).rejects.toThrow('the entry was altered')
    expect(existsSync(path('c/brokerbase.db'))).toBe(false)
  })

  test('the next start continues an interrupted exchange of the data', async () => {
    const { server } = await furnished('a')
    await server.stop()
    await restored('b', { keyFile: path('a/secret.key') })
    // the disk after all old files were moved away, and before all new ones were moved in
    rmSync(path('a/files.db'))
    const from = path('a/restore-x')
    Bun.spawnSync([
      'sh',
      '-c',
      `mkdir ${from} ${path('a/kept')} && touch ${path('a/kept/.out')} && cp ${path('b')}/*.db ${from}`,
    ])
    rmSync(path('a/brokerbase.db'))
    // the rest of a restore that was killed before its exchange
    mkdirSync(path('a/brokerbase-scratch-restore-2026-11-23T09-00-00'))
    writeFileSync(path('a/swap.json'), JSON.stringify({ from: 'restore-x', keep: 'kept' }))
    const config = loadConfig({ 'data-dir': path('a') }, { env: {} })
    const { createKey } = await import('./api-key.ts')
    await expect(createKey(config, { tenant: 'first', label: 'x', scopes: 'traders:read' })).rejects.toThrow(
      'ended in the middle',
    )
    await place.start('a')
    expect(countIn('a', 'traders')).toBe(2)
    expect(existsSync(path('a/swap.json'))).toBe(false)
    expect(existsSync(from)).toBe(false)
    expect(existsSync(path('a/brokerbase-scratch-restore-2026-11-23T09-00-00'))).toBe(false)
  })

  test('an exchange that the disk stops loses nothing, and continues at the next start', async () => {
    const { server } = await furnished('a')
    await server.stop()
    const key = readKeyFile(path('a/secret.key')) ?? new Uint8Array()
    const now = Date.parse('2026-11-23T09:05:00Z')
    // an obstacle is in the place to which the old engine should move
    const obstacle = path('a/before-restore-2026-11-23T09-05-00/engine')
    mkdirSync(join(obstacle, 'other'), { recursive: true })
    const once = restore({
      config: place.config('a', {}),
      source: { kind: 'replica', at: null, lineage: null },
      target: path('a'),
      keys: [key],
      keepKey: true,
      replace: true,
      dryRun: false,
      now: () => now,
      tell: () => {},
    })
    await expect(once).rejects.toThrow()
    rmSync(obstacle, { recursive: true })
    await place.start('a')
    expect(countIn('a', 'traders')).toBe(2)
    expect(existsSync(path('a/before-restore-2026-11-23T09-05-00/brokerbase.db'))).toBe(true)
    expect(existsSync(path('a/swap.json'))).toBe(false)
  })
})
