import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, NewerSchema } from '../platform/db/migrate.ts'
import { migrations } from '../platform/db/migrations.ts'
import { sha256Hex } from '../platform/secrets.ts'
import { type Connection, openWriter } from '../platform/sqlite.ts'
import { createTestApp, type TestApp } from '../testing/app.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../testing/fakes/webhook-receiver.ts'
import { digestOfTables } from './digest.ts'
import published from './migrations.published.json' with { type: 'json' }
import { furnish, type Place } from './world.ts'

const directories: string[] = []
const fresh = (): { dataDir: string; db: Connection; run: (list?: typeof migrations) => string[] } => {
  const dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-migrate-'))
  directories.push(dataDir)
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  return { dataDir, db, run: (list = migrations) => migrate(db, { now: Date.UTC(2026, 0, 1), list }) }
}
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

describe('migrating', () => {
  const [first] = migrations
  const next = { name: '9999_next', sql: 'CREATE TABLE next_thing (id TEXT PRIMARY KEY) STRICT;' }

  test('from empty, once', () => {
    const { db, run } = fresh()
    expect(run()).toEqual(migrations.map(({ name }) => name))
    expect(run()).toEqual([])
    expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    db.close()
  })

  test('every file of the folder is one, in the order of their names', async () => {
    const files = await Array.fromAsync(new Bun.Glob('*.sql').scan(join(import.meta.dir, '../../migrations')))
    expect(files.toSorted()).toEqual(migrations.map(({ name }) => `${name}.sql`))
  })

  test('a published one is never edited: databases have run it as it was', () => {
    const [newest] = migrations.slice(-1)
    const now = migrations.map(({ name, sql }) => [name, sha256Hex(sql).slice(0, 16)] as const)
    // the newest may not be published yet; with the next one its digest is added here
    const settled = now.filter(([name]) => name in published || name !== newest?.name)
    expect(Object.fromEntries(settled)).toEqual(published)
  })

  test('each from the one before: nothing needs the others to be new', () => {
    const { db, run } = fresh()
    for (let count = 1; count <= migrations.length; count += 1) expect(run(migrations.slice(0, count))).toHaveLength(1)
    db.close()
  })

  test('rows of the schema before are carried over: until when an old rate held', () => {
    const { db, run } = fresh()
    run(migrations.filter(({ name }) => name < '0009'))
    db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
    db.run(`INSERT INTO fx_rates (tenant_id, id, base, quote, rate, source, current, created_at) VALUES
      ('t', 'fxr_1', 'EUR', 'USD', '1', 'x', 0, 10), ('t', 'fxr_2', 'EUR', 'USD', '2', 'x', 0, 20),
      ('t', 'fxr_3', 'EUR', 'USD', '3', 'x', 0, 30), ('t', 'fxr_4', 'GBP', 'USD', '4', 'x', 1, 40)`)
    db.run(`INSERT INTO audit (tenant_id, seq, id, at, actor_kind, action, entity, entity_id, data_hash, hash)
      VALUES ('t', 1, 'aud_1', 35, 'user', 'fx.remove', 'fx_rate', 'fxr_3', 'h', 'h')`)
    run()
    expect(db.all('SELECT id, ended_at AS until, unconfirmed FROM fx_rates ORDER BY id')).toEqual([
      { id: 'fxr_1', until: 20, unconfirmed: 0 },
      { id: 'fxr_2', until: 30, unconfirmed: 0 },
      { id: 'fxr_3', until: 35, unconfirmed: 0 },
      { id: 'fxr_4', until: null, unconfirmed: 0 },
    ])
    db.close()
  })

  test('rows of the schema before are carried over: the books, to the last entry, and as fixed as before', () => {
    const { db, run } = fresh()
    run(migrations.filter(({ name }) => name < '0017'))
    db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
    db.run(
      `INSERT INTO ledger_transactions (tenant_id, id, kind, reference, created_at) VALUES ('t', 'ltx', 'k', 'r', 0)`,
    )
    const entries = 1000
    db.run(
      `INSERT INTO ledger_entries (tenant_id, id, transaction_id, account, currency, amount, created_at)
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        SELECT 't', printf('lte_%08d', i), 'ltx', iif(i % 2, 'adjustments', 'fx_clearing'), iif(i % 3, 'EUR', 'USD'), iif(i % 2, i, 1 - i), i FROM n`,
      [entries],
    )
    const rows = 'SELECT * FROM ledger_entries ORDER BY rowid'
    const parts = `SELECT type, name, replace(sql, '"', '') AS sql FROM sqlite_schema WHERE tbl_name = 'ledger_entries' AND type <> 'table' ORDER BY name`
    const before = { parts: db.all(parts), sums: sha256Hex(JSON.stringify(db.all(rows))) }
    run(migrations.filter(({ name }) => name < '0018'))
    expect({ parts: db.all(parts), sums: sha256Hex(JSON.stringify(db.all(rows))) }).toEqual(before)
    expect(() => db.run('UPDATE ledger_entries SET amount = 2')).toThrow('append-only')
    expect(() => db.run('DELETE FROM ledger_entries')).toThrow('append-only')
    db.run(`INSERT INTO ledger_entries (tenant_id, id, transaction_id, account, currency, amount, created_at)
      VALUES ('t', 'lte_new', 'ltx', 'affiliate_commissions', 'EUR', 1, 0)`)
    expect(db.get('PRAGMA foreign_key_check') ?? null).toBeNull()
    db.close()
  })

  test('rows of the schema before are carried over: what clients and leads are searched by', () => {
    const { db, run } = fresh()
    run(migrations.filter(({ name }) => name < '0024'))
    db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
    for (const [table, prefix] of [
      ['traders', 'trd'],
      ['leads', 'led'],
    ])
      db.run(`INSERT INTO ${table} (tenant_id, id, first_name, email, phone, created_at, updated_at) VALUES
        ('t', '${prefix}_1', 'Ada', 'ada@x.test', '+35722123456', 0, 0), ('t', '${prefix}_2', 'Bo', NULL, NULL, 0, 0)`)
    run()
    for (const table of ['traders', 'leads']) {
      const found = (index: string, match: string) =>
        db.all(`SELECT id FROM ${table} WHERE rid IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ?)`, [match])
          .length
      expect(
        ['ada', 'bo', 'test'].map((word) => found(`${table}_search`, `tenant : "t" AND text : "${word}"`)),
      ).toEqual([1, 1, 1])
      const runs = ['t_3572', 't_2212', 't_3456', 't_z3456', 't_z2345', 'u_3456']
      expect(runs.map((token) => found(`${table}_phones`, `"${token}"`))).toEqual([1, 1, 1, 1, 0, 0])
    }
    db.close()
  })

  test('rows of the schema before are carried over: tags and segments', () => {
    const { db, run } = fresh()
    run(migrations.slice(0, 3))
    db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
    db.run(
      `INSERT INTO traders (tenant_id, id, segments, tags, created_at, updated_at) VALUES ('t', 'trd_1', '["vip"]', '["a","b"]', 0, 0), ('t', 'trd_2', '[]', '["a"]', 0, 0)`,
    )
    run()
    db.run(`UPDATE traders SET tags = '["c"]' WHERE id = 'trd_2'`)
    expect(
      db.all(
        'SELECT kind, value, traders.id FROM trader_labels JOIN traders ON rid = trader_rid ORDER BY kind, value, traders.id',
      ),
    ).toEqual([
      { kind: 'segment', value: 'vip', id: 'trd_1' },
      { kind: 'tag', value: 'a', id: 'trd_1' },
      { kind: 'tag', value: 'b', id: 'trd_1' },
      { kind: 'tag', value: 'c', id: 'trd_2' },
    ])
    db.close()
  })

  test('rows of the schema before are carried over: lists, who was not screened yet, bytes of uploads, reasons', () => {
    const { db, run } = fresh()
    run(
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === '0007_papers'),
      ),
    )
    const reason = (code: string, kind: string) => ({ code, staffText: 's', clientText: 'c', kind })
    const reasons = [reason('blurred', 'retry'), reason('suspected_forgery', 'final'), reason('too_old', 'final')]
    db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
    db.run(
      `INSERT INTO traders (tenant_id, id, created_at, updated_at) VALUES ('t', 'trd_1', 0, 0), ('t', 'trd_2', 0, 0)`,
    )
    db.run(`INSERT INTO sanctions_lists (tenant_id, id, source, list_version, hash, entries, current, screened_at, created_at)
      VALUES ('t', 'a', 'un', '1', 'h', 1, 0, 5, 0), ('t', 'b', 'un', '2', 'i', 1, 1, 6, 0), ('t', 'c', 'eu', '1', 'j', 1, 1, NULL, 0)`)
    db.run(`INSERT INTO events (tenant_id, id, sequence, event, body, trader_id, created_at)
      VALUES ('t', 'e1', 1, 'trader.created', '', 'trd_1', 0), ('t', 'e2', 2, 'trader.updated', '', 'trd_2', 0)`)
    db.run(`INSERT INTO job_state (name, value) VALUES ('sanctions.position.t', '1')`)
    db.run(`INSERT INTO files (tenant_id, id, trader_id, purpose, content_type, size, status, created_at, expires_at)
      VALUES ('t', 'f', 'trd_1', 'kyc', 'image/png', 7, 'attached', 0, 0), ('t', 'g', NULL, 'logo', 'image/png', 5, 'attached', 0, 0)`)
    db.run(
      `INSERT INTO tenant_settings (tenant_id, id, value, created_at, updated_at) VALUES ('t', 'kyc_reject_reasons', ?, 0, 0)`,
      [JSON.stringify({ reasons })],
    )
    run()
    expect(db.all('SELECT id, status FROM sanctions_lists ORDER BY id')).toEqual([
      { id: 'a', status: 'replaced' },
      { id: 'b', status: 'screened' },
      { id: 'c', status: 'screening' },
    ])
    expect(db.all('SELECT trader_id AS id FROM sanctions_due')).toEqual([{ id: 'trd_2' }])
    expect(db.all('SELECT trader_id AS id, bytes FROM file_usage ORDER BY id')).toEqual([
      { id: '', bytes: 12 },
      { id: 'trd_1', bytes: 7 },
    ])
    const stored = db.get<{ value: string }>('SELECT value FROM tenant_settings')?.value ?? '{}'
    expect(JSON.parse(stored)).toEqual({
      reasons: reasons.map((item) => (item.code === 'suspected_forgery' ? { ...item, revokes: true } : item)),
    })
    db.close()
  })

  test('all steps are one: where the last fails, the first did not happen either', () => {
    const { db, run } = fresh()
    run()
    const before = digestOfTables(db)
    const broken = { name: '9999_broken', sql: 'CREATE TABLE half (id TEXT PRIMARY KEY) STRICT; SELECT nonsense;' }
    expect(() => run([...migrations, next, broken])).toThrow('nonsense')
    expect(digestOfTables(db)).toEqual(before)
    expect(db.get(`SELECT 1 FROM sqlite_schema WHERE name IN ('half', 'next_thing')`)).toBeUndefined()
    expect(run([...migrations, next])).toEqual(['9999_next'])
    db.close()
  })

  test('a newer schema is refused in words', () => {
    const { db, run } = fresh()
    run([...migrations, next])
    expect(() => run()).toThrow(NewerSchema)
    expect(() => run()).toThrow(/newer Brokerbase/)
    db.close()
  })

  test('a migration whose text or name changed is refused', () => {
    const { db, run } = fresh()
    run()
    if (!first) throw new Error('there is no migration')
    expect(() => run([{ ...first, sql: `${first.sql} ` }, ...migrations.slice(1)])).toThrow(first.name)
    expect(() => run([{ ...first, name: '0000_other' }, ...migrations.slice(1)])).toThrow(first.name)
    db.close()
  })

  test.each([1, 2])(
    'a database of a build that brought another text of %p of them is mended, and like any other',
    (of) => {
      // what 893864c and 8b6ec11 had in their place, told by the checksums
      const other = (name: string, change: (sql: string) => string) => {
        const found = migrations.find((one) => one.name === name)
        const sql = change(found?.sql ?? '')
        expect([sha256Hex(sql)]).toEqual(found?.variants?.map(({ checksum }) => checksum) ?? [])
        return { name, sql }
      }
      const before = migrations.filter(({ name }) => name < '0014')
      const tail0014 = `-- The last sequence that a bridge (a key that an owner made) reported; null before it did. A person may report besides.
ALTER TABLE account_streams ADD COLUMN bridge_sequence INTEGER;
`
      const others = [
        other('0014_whose_account', (sql) => sql.slice(0, sql.indexOf('-- Which member of staff')) + tail0014),
        other('0015_whose_word', (sql) =>
          sql
            .slice(0, sql.indexOf('CREATE INDEX transfers_contradicted'))
            .replace('besides: the last sequence of its bridge.', 'besides.')
            .replace(/ALTER TABLE account_streams .*\n/g, ''),
        ),
      ]
      const shapeOf = (db: Connection) =>
        db.all('SELECT m.name AS "of", c.name FROM sqlite_schema m LEFT JOIN pragma_table_info(m.name) c ORDER BY 1, 2')
      const whole = fresh()
      whole.run()
      const old = fresh()
      old.run([...before, ...others.slice(0, of)])
      old.db.run(`INSERT INTO tenants (id, slug, name, created_at, updated_at) VALUES ('t', 't', 'T', 0, 0)`)
      old.db.run(
        `INSERT INTO account_streams (tenant_id, platform, server, sequence, updated_at) VALUES ('t', 'p', 's', 7, 0)`,
      )
      expect(old.run()).toEqual(migrations.slice(before.length + of).map(({ name }) => name))
      expect(old.run()).toEqual([])
      expect(shapeOf(old.db)).toEqual(shapeOf(whole.db))
      expect(old.db.get('SELECT bridge_sequence AS n FROM account_streams')).toEqual({ n: 7 })
      old.db.close()
      whole.db.close()
    },
  )

  test('one that fails leaves nothing of itself', () => {
    const { db, run } = fresh()
    run()
    const broken = { name: '9999_broken', sql: 'CREATE TABLE half (id TEXT PRIMARY KEY) STRICT; SELECT nonsense;' }
    expect(() => run([...migrations, broken])).toThrow()
    expect(db.get(`SELECT 1 FROM sqlite_schema WHERE name = 'half'`)).toBeUndefined()
    expect(run(migrations)).toEqual([])
    db.close()
  })
})

describe('the schema', () => {
  let app: TestApp
  let place: Place
  let other: Place
  let receiver: WebhookReceiver
  let db: Connection
  beforeAll(async () => {
    receiver = startWebhookReceiver()
    app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
    place = await furnish(app, await app.firm('alpha'), `${receiver.url}/hook`)
    other = await furnish(app, await app.firm('beta'), `${receiver.url}/hook`)
    db = app.platform.connection
  })
  afterAll(async () => {
    await app.close()
    await receiver.stop()
  })

  const tables = (): string[] =>
    db
      .all<{ name: string }>(
        `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
      )
      .map(({ name }) => name)
  type Key = { id: number; parent: string; from: string; to: string }
  const keysOf = (table: string): { parent: string; from: string[]; to: string[] }[] => {
    const rows = db.all<Key>(
      'SELECT id, "table" AS parent, "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq',
      [table],
    )
    return [...Map.groupBy(rows, ({ id }) => id).values()].map((group) => ({
      parent: group[0]?.parent ?? '',
      from: group.map(({ from }) => from),
      to: group.map(({ to }) => to),
    }))
  }

  test('is STRICT everywhere', () => {
    expect(
      db.all(
        `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'`,
      ),
    ).toEqual([])
    expect(tables().length).toBeGreaterThan(20)
  })

  test('every foreign key is the beginning of an index', () => {
    const bare: string[] = []
    for (const table of tables()) {
      const indexes = db
        .all<{ name: string }>('SELECT name FROM pragma_index_list(?)', [table])
        .map(({ name }) =>
          db
            .all<{ name: string }>('SELECT name FROM pragma_index_info(?) ORDER BY seqno', [name])
            .map((row) => row.name),
        )
      for (const { from } of keysOf(table)) {
        const covered = indexes.some((columns) =>
          from.every((column) => columns.slice(0, from.length).includes(column)),
        )
        if (!covered) bare.push(`${table} (${from.join(', ')})`)
      }
    }
    expect(bare).toEqual([])
  })

  test('every reference to a firm’s row carries the firm', () => {
    const loose: string[] = []
    for (const table of tables())
      for (const { parent, from, to } of keysOf(table))
        if (
          parent !== 'tenants' &&
          db.get(`SELECT 1 FROM pragma_table_info(?) WHERE name = 'tenant_id'`, [parent]) &&
          !(from.includes('tenant_id') && to.includes('tenant_id'))
        )
          loose.push(`${table} → ${parent}`)
    expect(loose).toEqual([])
  })

  test('SQLite itself refuses a row that points into another firm', () => {
    let tried = 0
    const let_through: string[] = []
    for (const table of tables()) {
      for (const { parent, from, to } of keysOf(table)) {
        const [column] = from.filter((name) => name !== 'tenant_id')
        const [target] = to.filter((name) => name !== 'tenant_id')
        if (parent === 'tenants' || column === undefined || target === undefined) continue
        const foreign = db.get<{ id: string | number }>(
          `SELECT "${target}" AS id FROM "${parent}" WHERE tenant_id = ?`,
          [other.firm.tenantId],
        )
        const own = db.get<{ n: number }>(
          `SELECT count(*) AS n FROM "${table}" WHERE tenant_id = ? AND "${column}" IS NOT NULL`,
          [place.firm.tenantId],
        )
        if (!foreign || !own?.n) continue
        tried += 1
        db.run('SAVEPOINT attempt')
        try {
          const same = db.get(`SELECT 1 FROM "${parent}" WHERE tenant_id = ? AND "${target}" = ?`, [
            place.firm.tenantId,
            foreign.id,
          ])
          db.run(`UPDATE "${table}" SET "${column}" = ? WHERE tenant_id = ? AND "${column}" IS NOT NULL`, [
            foreign.id,
            place.firm.tenantId,
          ])
          // a number that counts in each firm for itself may be there in both
          if (!same) let_through.push(`${table}.${column} → ${parent}`)
        } catch (error) {
          expect(String(error)).toMatch(/constraint failed|append-only|only erased/)
        } finally {
          db.run('ROLLBACK TO attempt')
          db.run('RELEASE attempt')
        }
      }
    }
    expect(let_through).toEqual([])
    expect(tried).toBeGreaterThan(15)
  })

  test.each(['audit', 'ledger_entries', 'ledger_transactions'])('%s is append-only by trigger', (table) => {
    expect(() => db.run(`UPDATE ${table} SET tenant_id = tenant_id`)).toThrow(/append-only/)
    expect(() => db.run(`DELETE FROM ${table}`)).toThrow(/append-only/)
  })
})
