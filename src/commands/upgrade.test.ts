import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import { type Config, loadConfig } from '../config.ts'
import { hashTables } from '../contract/database-digest.ts'
import published from '../contract/migrations.published.json' with { type: 'json' }
import { snapshotIds } from '../modules/box/backups/backups.places.ts'
import { SECOND, systemClock } from '../platform/clock.ts'
import { readFact } from '../platform/db/box-facts.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { countMigrations } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { countRows, ledgerDigest } from '../platform/db/row-counts.ts'
import { createScheduler } from '../platform/jobs/scheduler.ts'
import { createLog } from '../platform/log.ts'
import { openPlatform } from '../platform/platform.ts'
import { openReader, openWriter } from '../platform/sqlite.ts'
import { foundFirm } from '../testing/app.ts'
import { FROZEN_KEY, frozenSchemas, nextMigrations, thaw } from '../testing/frozen.ts'
import { rollback } from './rollback.ts'
import { startServer } from './serve.ts'
import { LAST_UPGRADE, upgradeIfDue } from './upgrade.ts'

setDefaultTimeout(180_000)

/** The newest stored schema; that of this program may be unpublished. */
const newest = Math.max(...frozenSchemas)
const log = createLog({ level: 'silent' })
let dataDir: string
let config: Config
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-upgrade-'))
  config = loadConfig(
    { 'data-dir': dataDir, port: '0' },
    { env: { BROKERBASE_SECRET_KEY: FROZEN_KEY, BROKERBASE_LOG_LEVEL: 'error' } },
  )
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Returns the answer of the live database to a question. */
function ask<T>(question: (db: ReturnType<typeof openReader>) => T): T {
  const db = openReader(join(dataDir, 'brokerbase.db'))
  try {
    return question(db)
  } finally {
    db.close()
  }
}

/** Returns the health of a program with these migrations over the data. */
async function checkHealth(list: typeof migrations): Promise<number> {
  const platform = openPlatform({ config, clock: systemClock, log, list })
  const app = createApp(platform, { setupToken: '', scheduler: createScheduler(platform, []) })
  const { status } = await app.handle(new Request('http://localhost/health'))
  await platform.close()
  return status
}

test('a database of the last published schema is among the stored ones', () => {
  expect(newest).toBe(Object.keys(published).length)
})

describe.each(frozenSchemas)('data of schema %d', (schema) => {
  test(`data of schema ${schema} is upgraded with all its contents, and served`, async () => {
    thaw(schema, dataDir)
    const before = ask((db) => ({ counts: countRows(db), ledger: ledgerDigest(db) }))
    expect(before.counts.get('traders')).toBeGreaterThan(20)
    const list = nextMigrations
    const upgrade = await upgradeIfDue({ config, log, list })
    expect(upgrade).toMatchObject({ from: schema, to: list.length })
    const after = ask((db) => ({ counts: countRows(db), ledger: ledgerDigest(db) }))
    expect(after.ledger).toBe(before.ledger)
    for (const table of ['traders', 'audit', 'deposits', 'users'])
      expect([table, after.counts.get(table)]).toEqual([table, before.counts.get(table)])
    expect(ask((db) => readFact(db, LAST_UPGRADE)?.value)).toEqual(upgrade ?? undefined)
    expect(snapshotIds(dataDir)).toEqual([upgrade?.snapshot ?? ''])
    expect(readdirSync(dataDir)).not.toContain('brokerbase-scratch-upgrade')
    expect(await upgradeIfDue({ config, log, list })).toBeNull()
    expect(await checkHealth(list)).toBe(200)
  })
})

describe('an upgrade', () => {
  test.each([
    ['has an error in its second step', 'CREATE TABLE half (id TEXT) STRICT; SELECT nonsense;', 'nonsense'],
    ['loses rows', 'DELETE FROM webhook_attempts', 'webhook_attempts had'],
    [
      'changes the books so that they still balance',
      `DROP TRIGGER ledger_entries_fixed; UPDATE ledger_entries SET amount = amount * 2`,
      'entries of the ledger were changed',
    ],
    ['breaks the audit', `DROP TRIGGER audit_no_update; UPDATE audit SET action = 'x' WHERE seq = 2`, 'audit'],
    ['takes a table that the program needs', 'ALTER TABLE sessions RENAME TO sessions_of_old', 'sessions'],
  ])('an upgrade that %s is refused and leaves the data as it was', async (_, sql, says) => {
    thaw(newest, dataDir)
    const before = ask(hashTables)
    const list = [...nextMigrations, { name: '9999_wrong', sql }]
    await expect(upgradeIfDue({ config, log, list })).rejects.toThrow(says)
    expect(ask(hashTables)).toEqual(before)
    expect(ask(countMigrations)).toBe(newest)
    expect(snapshotIds(dataDir)).toEqual([])
    expect(readdirSync(join(dataDir, 'snapshots'))).toEqual([])
    expect(existsSync(join(dataDir, 'brokerbase-scratch-upgrade'))).toBe(false)
    // the former program starts on this data
    const server = await startServer(config)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.stop()
  })

  test('an upgrade of rows that were changed from outside is refused', async () => {
    thaw(newest, dataDir)
    const db = openWriter(join(dataDir, 'brokerbase.db'))
    db.run('DELETE FROM webhook_attempts')
    await expect(upgradeIfDue({ config, log, list: nextMigrations })).rejects.toThrow(
      'rows of webhook_attempts are not',
    )
    db.run('DROP TABLE table_seals')
    db.close()
    await expect(upgradeIfDue({ config, log, list: nextMigrations })).rejects.toThrow(
      'nothing proves that its rows are',
    )
    expect(ask(countMigrations)).toBe(newest)
  })

  test('a migration may remove rows if it declares this', async () => {
    thaw(newest, dataDir)
    const sql = 'DELETE FROM webhook_attempts'
    const list = [...migrations, { name: '9999_next', sql, removesFrom: ['webhook_attempts'] }]
    expect(await upgradeIfDue({ config, log, list })).toMatchObject({ to: list.length })
    expect(ask((db) => countRows(db).get('webhook_attempts'))).toBe(0)
  })

  test('upgrades keep one snapshot for each schema, the newest', async () => {
    thaw(newest, dataDir)
    const first = await upgradeIfDue({ config, log, list: nextMigrations })
    thaw(newest, dataDir)
    const clock = { ...systemClock, now: () => systemClock.now() + 2 * SECOND }
    const second = await upgradeIfDue({ config, log, clock, list: nextMigrations })
    expect(snapshotIds(dataDir)).toEqual([second?.snapshot ?? ''])
    expect(second?.snapshot).not.toBe(first?.snapshot ?? '')
  })

  test('an upgrade is undone once a person types how many writes are lost, and the older program starts', async () => {
    thaw(newest, dataDir)
    const before = ask(hashTables)
    const writes = () => ask((db) => countRows(db).get('audit') ?? 0)
    const early = writes()
    const list = nextMigrations
    const upgrade = await upgradeIfDue({ config, log, list })
    const platform = openPlatform({ config, clock: systemClock, log, list })
    await foundFirm(platform, 'later')
    await platform.close()
    const told: string[] = []
    const dialogue = (answer: string) => ({ ask: async () => answer, tell: (text: string) => void told.push(text) })
    await expect(rollback(config, dialogue('0'))).rejects.toThrow('Nothing was changed.')
    expect(ask(countMigrations)).toBe(list.length)
    await expect(startServer(config)).rejects.toThrow('newer Brokerbase')
    const lost = writes() - early
    expect(lost).toBeGreaterThan(0)
    await rollback(config, dialogue(String(lost)))
    expect(told.join('')).toContain(`${lost} writes since then would be lost`)
    expect(ask(countMigrations)).toBe(newest)
    // all sessions end, and the restored rows are sealed
    const { sessions: _, table_seals: __, ...kept } = before
    expect(ask(hashTables)).toMatchObject(kept)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('before-restore-'))).toHaveLength(1)
    expect(await checkHealth(migrations.slice(0, newest))).toBe(200)
    await expect(rollback(config, dialogue('1'))).rejects.toThrow(`as it was before the upgrade of ${upgrade?.at}`)
  })

  test('an upgrade cannot be undone under a running server or without a snapshot', async () => {
    thaw(newest, dataDir)
    const dialogue = { ask: async () => '', tell: () => {} }
    await expect(rollback(config, dialogue)).rejects.toThrow('no snapshot of an upgrade')
    await upgradeIfDue({ config, log, list: nextMigrations })
    const lock = lockDataDir(dataDir)
    await expect(rollback(config, dialogue)).rejects.toThrow('Another Brokerbase is serving')
    lock.close()
  })
})
