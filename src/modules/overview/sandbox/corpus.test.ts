import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { runTask } from '../../../platform/query-runner/task.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { READABLE } from './sandbox.catalogue.ts'
import { runQuery } from './sandbox.query.ts'

let app: TestApp
let own: Firm
let other: Firm
let dataDir: string
let database: string
const FOREIGN = 'foreign-canary'
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-sandbox-'))
  app = createTestApp({ dataDir })
  database = join(dataDir, 'brokerbase.db')
  own = await app.firm('own')
  other = await app.firm('other')
  const traderId = await own.trader({ email: 'mine@example.com' })
  await own.key(['traders:read'])
  for (let n = 0; n < 3; n += 1) {
    const theirs = await other.trader({ email: `${FOREIGN}-${n}@example.com`, lastName: FOREIGN })
    await money(other, theirs)
  }
  await money(own, traderId)
})
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true, force: true })
})
const money = (firm: Firm, traderId: string) =>
  app.call('POST', '/v1/deposits', {
    as: firm.as.admin,
    body: { traderId, currency: 'EUR', amount: '10', method: 'bank', providerReference: `ref ${traderId}` },
  })

const ask = (sql: string) => runQuery({ database, tenantId: own.tenantId, timeZone: 'UTC', sql })
/** Returns the tables of the database, and those of them that no query may read. */
const listTables = (): { all: string[]; hidden: string[] } => {
  const all = app.platform.connection
    .all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .map(({ name }) => name)
  const shown = new Set(READABLE.map(({ name }) => name))
  return { all, hidden: all.filter((name) => !shown.has(name)) }
}

/** Returns ways to read a table that a query may not read. */
const toHidden = (t: string): string[] => [
  `SELECT * FROM ${t}`,
  `SELECT count(*) FROM ${t}`,
  `SELECT 1 FROM ${t}`,
  `SELECT count(*) FROM main.${t}`,
  `SELECT EXISTS (SELECT 1 FROM "${t}")`,
  `SELECT (SELECT count(*) FROM [${t}])`,
  `/* traders */ SELECT 1 FROM \`${t}\` AS traders -- traders`,
  `WITH traders AS (SELECT * FROM ${t}) SELECT * FROM traders`,
  `SELECT id FROM traders UNION ALL SELECT 1 FROM ${t}`,
  `SELECT t.id FROM traders t CROSS JOIN ${t}`,
  `SELECT count(*) FROM (SELECT 1 FROM MAIN.${t.toUpperCase()})`,
  `SELECT 1 WHERE 1 IN (SELECT 1 FROM ${t} LIMIT 1)`,
]

/** Returns ways around the view of a table that a query may read only through it. */
const toShown = (t: string): string[] => [
  `SELECT * FROM main.${t}`,
  `SELECT count(*) FROM main.${t}`,
  `SELECT 1 FROM "main"."${t}"`,
  `WITH ${t} AS (SELECT * FROM main.${t}) SELECT * FROM ${t}`,
  `WITH ${t} AS (SELECT * FROM main.${t} WHERE tenant_id <> '') SELECT count(*) FROM ${t}`,
  `WITH RECURSIVE ${t} AS (SELECT tenant_id AS id FROM main.${t} UNION SELECT id FROM ${t}) SELECT * FROM ${t}`,
  `SELECT * FROM (SELECT * FROM main.${t}) AS ${t}`,
  `SELECT tenant_id FROM ${t}`,
  `SELECT ${t}.tenant_id FROM ${t}`,
  `SELECT rowid FROM main.${t}`,
  `SELECT (SELECT count(*) FROM main.${t} x WHERE x.id <> ${t}.id) FROM ${t}`,
  `SELECT id FROM ${t} EXCEPT SELECT id FROM main.${t} UNION SELECT tenant_id FROM main.${t}`,
]

const SCHEMA = [
  'sqlite_schema',
  'sqlite_master',
  'sqlite_temp_schema',
  'sqlite_temp_master',
  'main.sqlite_master',
].flatMap((t) => [`SELECT * FROM ${t}`, `SELECT sql FROM ${t}`, `SELECT count(*) FROM ${t}`, `SELECT 1 FROM ${t}`])
const MODULES = [
  'table_list',
  'database_list',
  'function_list',
  'module_list',
  'compile_options',
  'collation_list',
  'data_version',
  "table_info('api_keys')",
  "table_xinfo('users')",
  "index_list('users')",
  "foreign_key_list('users')",
  'page_count',
].flatMap((name) => [`SELECT * FROM pragma_${name}`, `SELECT count(*) FROM pragma_${name}`])
const VIRTUAL = [
  'dbstat',
  'sqlite_stmt',
  'sqlite_dbpage',
  "bytecode('SELECT 1')",
  "tables_used('SELECT 1')",
  "json_each('[1]')",
  "json_tree('[1]')",
  "jsonb_each('[1]')",
  'sqlite_stat1',
  'sqlite_sequence',
  'temp.sqlite_schema',
].flatMap((name) => [
  `SELECT * FROM ${name}`,
  `SELECT count(*) FROM ${name}`,
  `WITH x AS (SELECT * FROM ${name}) SELECT 1 FROM x`,
])
const FUNCTIONS = [
  "load_extension('x')",
  "readfile('/etc/passwd')",
  "writefile('/tmp/x', 'y')",
  'randomblob(1000000000)',
  'zeroblob(1000000000)',
  "printf('%.*c', 900000000, 'x')",
  "format('%1000000000d', 1)",
  "fts5('x')",
  'sqlite_version()',
  'sqlite_source_id()',
  'sqlite_compileoption_get(1)',
  'changes()',
  'total_changes()',
  'last_insert_rowid()',
  "edit('x')",
  "unistr('x')",
  "sqlite_log(1, 'x')",
  "fts3_tokenizer('simple')",
].map((call) => `SELECT ${call}`)
const ACTS = [
  'PRAGMA table_list',
  'PRAGMA query_only = 0',
  'PRAGMA writable_schema = 1',
  'PRAGMA journal_mode = DELETE',
  "ATTACH 'x.db' AS x",
  "ATTACH '/etc/passwd' AS p",
  'DETACH main',
  "VACUUM INTO '/tmp/stolen.db'",
  'VACUUM',
  'BEGIN',
  'BEGIN IMMEDIATE',
  'COMMIT',
  'ROLLBACK',
  'SAVEPOINT a',
  'RELEASE a',
  'REINDEX',
  'ANALYZE',
  'DELETE FROM traders',
  'DELETE FROM main.traders',
  "UPDATE main.traders SET email = 'x'",
  'DROP TABLE traders',
  "INSERT INTO main.traders (id) VALUES ('x')",
  "REPLACE INTO main.traders (id) VALUES ('x')",
  'CREATE TABLE x (a)',
  'CREATE TEMP TABLE x (a)',
  'CREATE TEMP VIEW x AS SELECT 1',
  'DROP VIEW temp.traders',
  'ALTER TABLE traders ADD x',
  'CREATE TEMP TRIGGER x AFTER INSERT ON main.traders BEGIN SELECT 1; END',
  'CREATE VIRTUAL TABLE x USING fts5(a)',
  'WITH x AS (SELECT 1) DELETE FROM main.traders',
  "WITH x AS (SELECT 1) UPDATE main.traders SET email = 'x' RETURNING *",
  "WITH x AS (SELECT 1) INSERT INTO main.traders (id) SELECT 'x' RETURNING *",
  '/* SELECT */ DELETE FROM main.traders',
  '-- SELECT\nDELETE FROM main.traders',
  'EXPLAIN DELETE FROM main.traders',
  'SELECT 1 INTO x',
  'MERGE INTO traders',
]

const refusedAlways = (): string[] => [
  ...listTables().hidden.flatMap(toHidden),
  ...READABLE.flatMap(({ name }) => toShown(name)),
  ...SCHEMA,
  ...MODULES,
  ...VIRTUAL,
  ...FUNCTIONS,
  ...ACTS,
]

describe('hostile statements', () => {
  test('hostile statements read nothing of another firm, no secret and no number of rows', () => {
    const statements = refusedAlways()
    expect(statements.length).toBeGreaterThan(700)
    const before = statSync(database).size
    const answered = statements.filter((sql) => 'text' in ask(sql))
    expect(answered).toEqual([])
    expect(statSync(database).size).toBe(before)
  }, 180_000)

  test('without the guard, hostile statements of each group would run', () => {
    const naive = new DatabaseSync(database, { readOnly: true })
    const runs = (sql: string): boolean => {
      try {
        return naive.prepare(sql).all().length > 0
      } catch {
        return false
      }
    }
    const { hidden } = listTables()
    const count = (of: string[]): number => of.filter(runs).length
    expect(count(hidden.map((t) => `SELECT count(*) FROM ${t}`))).toBe(hidden.length)
    expect(count(READABLE.flatMap(({ name }) => toShown(name)))).toBeGreaterThan(60)
    expect(count(SCHEMA)).toBeGreaterThan(10)
    expect(count(MODULES)).toBeGreaterThan(15)
    expect(count(VIRTUAL)).toBeGreaterThan(5)
    // functions that would fill this process's memory are left out
    expect(count(FUNCTIONS.filter((sql) => !/0000/.test(sql)))).toBeGreaterThan(4)
    naive.close()
  })

  test('statements that are allowed stay within the firm, under any names', () => {
    const statements = READABLE.flatMap(({ name: t, columns }) => [
      `SELECT * FROM ${t}`,
      `SELECT count(*) FROM ${t}`,
      `SELECT "${columns[0]?.name}" FROM temp.${t}`,
      `WITH ${t} AS (SELECT * FROM ${t} x) SELECT * FROM ${t}`,
      `WITH a AS (SELECT * FROM ${t}), b AS (SELECT * FROM a) SELECT *, count(*) FROM b GROUP BY 1`,
      `SELECT * FROM ${t} LEFT JOIN traders other ON 1 = 1 ORDER BY random()`,
    ])
    const texts = statements.map((sql) => {
      const answer = ask(sql)
      return 'text' in answer ? answer.text : ''
    })
    const all = texts.join('\n')
    const seen = ['mine@example.com', FOREIGN, other.tenantId].map((text) => all.includes(text))
    expect(seen).toEqual([true, false, false])
    expect(texts.filter((text) => text === '').length).toBeLessThan(READABLE.length + 1)
  })

  test('the tables and columns that may be read have no secret and no proof', () => {
    const secret =
      /hash|secret|token|password|sealed|fingerprint|salt|cookie|signature|credential|recovery|totp|_mac$|ip$|tenant/
    const columns = READABLE.flatMap(({ name, columns: of }) => of.map((column) => `${name}.${column.name}`))
    expect(columns.filter((name) => secret.test(name.split('.')[1] ?? ''))).toEqual([])
    expect(
      READABLE.map(({ name }) => name).filter((name) => /litestream|session|key|credential|link|idempot/.test(name)),
    ).toEqual([])
    const faults = READABLE.flatMap(({ name, base }) => {
      const real = app.platform.connection.all<{ name: string; type: string }>(
        'SELECT name, type FROM pragma_table_xinfo(?)',
        [name],
      )
      return [...base].filter(
        (column) =>
          real.find((one) => one.name === column)?.type === undefined ||
          real.find((one) => one.name === column)?.type === 'BLOB',
      )
    })
    expect(faults).toEqual([])
  })
})

describe('expensive statements', () => {
  const child = async (sql: string, deadlineMs = 100_000) => {
    const input = { database, tenantId: own.tenantId, timeZone: 'UTC', sql }
    return runTask('sandbox.query', input, {
      deadlineMs,
      bytes: 256 * 1024 * 1024,
      hasPlace: true,
    }).then(
      (answer) => JSON.stringify(answer).slice(0, 200),
      (error: unknown) => (error instanceof Error ? error.message : ''),
    )
  }
  const NUMBERS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)'

  test.each([
    [`${NUMBERS} SELECT count(*) FROM n`],
    [`${NUMBERS} SELECT max(i) FROM n`],
    [`${NUMBERS} SELECT group_concat(i) FROM n`],
    ['WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x FROM a) SELECT sum(x) FROM a'],
    [`${NUMBERS.replace('FROM n)', 'FROM n LIMIT 100000)')} SELECT count(*) FROM n a, n b, n c`],
  ])('the endless statement %s ends at its deadline', async (sql) => {
    // without the deadline it would never end
    expect(await child(sql, 700)).toContain('it took longer than 700 ms')
  })

  test.each([
    [`${NUMBERS} SELECT i FROM n ORDER BY random()`],
    [`${NUMBERS} SELECT i, replace(hex(i), '3', hex(hex(i))) AS x FROM n GROUP BY x`],
    ["WITH RECURSIVE s(t) AS (SELECT 'xxxxxxxxxxxxxxxx' UNION ALL SELECT t || t FROM s) SELECT length(t) FROM s"],
    [`${NUMBERS} SELECT sum(i) OVER (ORDER BY i ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM n`],
  ])(
    'the growing statement %s ends by its size, and does not affect the server',
    async (sql) => {
      const before = process.memoryUsage().rss
      const outcome = await child(sql)
      expect(outcome).toMatch(/memory|too big|too much/)
      expect(process.memoryUsage().rss - before).toBeLessThan(20 * 1024 * 1024)
    },
    180_000,
  )

  test('a large answer of a query is truncated at its limit', async () => {
    const outcome = await child(
      `${NUMBERS} SELECT i, replace(hex(i), '3', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx') FROM n`,
    )
    expect(outcome).toContain('\\"rowCount\\":10000,\\"truncated\\":true')
    const wide = await child(
      `${NUMBERS.replace('FROM n)', 'FROM n LIMIT 99)')}, s(t) AS (SELECT 'xxxxxxxxxxxxxxxx' UNION ALL SELECT t || t FROM s LIMIT 15)
       SELECT (SELECT max(t) FROM s) FROM n`,
    )
    expect(wide).toMatch(/\\"rowCount\\":3\d,\\"truncated\\":true/)
  })
})

test('the SQL functions for the firm’s calendar and for money are exact', async () => {
  await systemCtx(app.platform, own.tenantId, 'test').write('test.rates', () => null)
  const answer = runQuery({
    database,
    tenantId: own.tenantId,
    timeZone: 'Europe/Nicosia',
    sql: `SELECT money(9007199254740991 * 10, 'EUR'), money(-5, 'JPY'), money(1, 'XXX'), decimal_of(-5, 2),
      firm_day(1767304800000), firm_month(1767304800000), firm_time(1767304800000), firm_day(NULL), firm_day('x'), firm_day(9e99)`,
  })
  const { rows } = JSON.parse('text' in answer ? answer.text : '{}')
  expect(rows).toEqual([
    ['900719925474099.10', '-5', null, '-0.05', '2026-01-02', '2026-01', '2026-01-02T00:00:00', null, null, null],
  ])
})
