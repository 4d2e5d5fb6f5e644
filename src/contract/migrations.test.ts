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
import { nextMigrations } from '../testing/frozen.ts'
import { hashTables } from './database-digest.ts'
import published from './migrations.published.json' with { type: 'json' }
import { furnish, type Place } from './seed-firm.ts'

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

/** The parser of Debian 12's SQLite holds at most 100 open parts; each open bracket takes three or four of them. */
const DEEPEST = 24

/** Returns how many brackets of a statement are open at most. */
function measureDepth(sql: string): number {
  let [depth, most] = [0, 0]
  for (const sign of sql) {
    if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    most = Math.max(most, depth)
  }
  return most
}

describe('migrating', () => {
  const [first] = migrations

  test('migrating an empty database runs each migration once', () => {
    const { db, run } = fresh()
    expect(run()).toEqual(migrations.map(({ name }) => name))
    expect(run()).toEqual([])
    expect(db.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' })
    db.close()
  })

  test('every file of the migrations folder is a migration, and they run in the order of their names', async () => {
    const files = await Array.fromAsync(new Bun.Glob('*.sql').scan(join(import.meta.dir, '../../migrations')))
    expect(files.toSorted()).toEqual(migrations.map(({ name }) => `${name}.sql`))
  })

  test('the text of each published migration is unchanged, since databases have run it', () => {
    const [newest] = migrations.slice(-1)
    const now = migrations.map(({ name, sql }) => [name, sha256Hex(sql).slice(0, 16)] as const)
    // the newest migration may not be published yet; its digest is added here with the next one
    const settled = now.filter(([name]) => name in published || name !== newest?.name)
    expect(Object.fromEntries(settled)).toEqual(published)
  })

  test('each migration runs on the schema before it, without the later ones', () => {
    const { db, run } = fresh()
    for (let count = 1; count <= migrations.length; count += 1) expect(run(migrations.slice(0, count))).toHaveLength(1)
    db.close()
  })

  test('no expression of the schema is too deep for the sqlite3 of Debian 12', () => {
    const { db, run } = fresh()
    run(migrations)
    const deep = db
      .all<{ name: string; sql: string }>('SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL')
      .filter(({ sql }) => measureDepth(sql) > DEEPEST)
    expect(deep.map(({ name }) => name)).toEqual([])
    db.close()
  })

  test('migrations are applied all or none: if the last one fails, the first is undone', () => {
    const { db, run } = fresh()
    run()
    const before = hashTables(db)
    const broken = { name: '9999_broken', sql: 'CREATE TABLE half (id TEXT PRIMARY KEY) STRICT; SELECT nonsense;' }
    expect(() => run([...nextMigrations, broken])).toThrow('nonsense')
    expect(hashTables(db)).toEqual(before)
    expect(db.get(`SELECT 1 FROM sqlite_schema WHERE name IN ('half', 'next_thing')`)).toBeUndefined()
    expect(run()).toEqual([])
    expect(run(nextMigrations)).toEqual(['9999_next'])
    db.close()
  })

  test('a newer schema is refused with an explanation', () => {
    const { db, run } = fresh()
    run(nextMigrations)
    expect(() => run()).toThrow(NewerSchema)
    expect(() => run()).toThrow(/newer Brokerbase/)
    db.close()
  })

  test('a database with other migrations is not reported as newer, however many it had', () => {
    const { db, run } = fresh()
    const other = { name: '0000_foundation', sql: 'CREATE TABLE other (id TEXT PRIMARY KEY) STRICT' }
    run([other, ...nextMigrations])
    expect(() => run()).toThrow('0000_foundation in the database is not the one in this program')
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
  const listForeignKeys = (table: string): { parent: string; from: string[]; to: string[] }[] => {
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

  test('every table of the schema is STRICT', () => {
    expect(
      db.all(
        `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'`,
      ),
    ).toEqual([])
    expect(tables().length).toBeGreaterThan(20)
  })

  test('every foreign key of the schema is the beginning of an index', () => {
    const bare: string[] = []
    for (const table of tables()) {
      const indexes = db
        .all<{ name: string }>('SELECT name FROM pragma_index_list(?)', [table])
        .map(({ name }) =>
          db
            .all<{ name: string }>('SELECT name FROM pragma_index_info(?) ORDER BY seqno', [name])
            .map((row) => row.name),
        )
      for (const { from } of listForeignKeys(table)) {
        const covered = indexes.some((columns) =>
          from.every((column) => columns.slice(0, from.length).includes(column)),
        )
        if (!covered) bare.push(`${table} (${from.join(', ')})`)
      }
    }
    expect(bare).toEqual([])
  })

  test('every foreign key to a row of a firm includes the firm', () => {
    const loose: string[] = []
    for (const table of tables())
      for (const { parent, from, to } of listForeignKeys(table))
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
      for (const { parent, from, to } of listForeignKeys(table)) {
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
          // each firm counts these numbers separately, so both firms may have the same number
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
