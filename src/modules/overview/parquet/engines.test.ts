import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatAmount, getScale } from '../../../platform/money.ts'
import { createTestApp, type Firm, type TestApp } from '../../../testing/app.ts'
import { postMoney } from '../../../testing/ledger-desk.ts'
import { makeNights } from './parquet.jobs.ts'

/** The largest possible amount. */
const LARGEST = 2n ** 53n - 1n

/** The programs of the manual, each with a script that prints the rows of queries as JSON. */
const ENGINES = {
  DuckDB: `import duckdb
ask = lambda sql: duckdb.sql(sql).fetchall()`,
  chDB: `import chdb
ask = lambda sql: json.loads(str(chdb.query(sql, "JSONCompactStrings")))["data"]`,
  Spark: `from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
ask = lambda sql: [list(row) for row in spark.sql(sql).collect()]`,
} as const
type Engine = keyof typeof ENGINES
const PACKAGES: Readonly<Record<Engine, string>> = { DuckDB: 'duckdb', chDB: 'chdb', Spark: 'pyspark' }
const names = Object.keys(ENGINES).filter((name): name is Engine => name in ENGINES)

const python = Bun.which('python3')
const hasPackage = (name: string): boolean =>
  python !== null && Bun.spawnSync([python, '-c', `import ${name}`], { stderr: 'ignore' }).success
const missing = new Set(
  names.filter((name) => !hasPackage(PACKAGES[name]) || (name === 'Spark' && Bun.which('java') === null)),
)
for (const name of missing) process.stdout.write(`${name} is not there, so the files are not read with it\n`)

/** Returns the questions that the manual asks a program. */
async function readQuestions(engine: Engine): Promise<string[]> {
  const manual = await Bun.file(join(import.meta.dir, '../../../manual/analysis.md')).text()
  const [, section = ''] = manual.split(`### ${engine}\n`)
  const [own = ''] = section.split('\n### ')
  return [...own.matchAll(/```sql\n([^`]+(?:`[^`]+`[^`]*)*?)```/g)].map(([, sql = '']) => sql)
}

/** Asks a program the questions over the files of a night; every cell comes as text. */
function ask(engine: Engine, questions: readonly string[], night: string): string[][][] {
  const script = `import json, sys
${ENGINES[engine]}
print(json.dumps([[[str(cell) for cell in row] for row in ask(sql)] for sql in json.loads(sys.argv[1])]))`
  const asked = questions.map((sql) => sql.replaceAll('/analysis/2026-01-15', night))
  const { stdout, stderr, success } = Bun.spawnSync([python ?? '', '-c', script, JSON.stringify(asked)])
  if (!success) throw new Error(stderr.toString())
  return JSON.parse(stdout.toString().trim().split('\n').at(-1) ?? '')
}

/** Returns a decimal as the minor units of its currency; throws if it has parts of one. */
function toMinor(decimal: string, currency: string): bigint {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.')
  const scaled = BigInt(whole + fraction.padEnd(8, '0'))
  const unit = 10n ** BigInt(8 - getScale(currency))
  if (scaled % unit !== 0n) throw new Error(`${decimal} ${currency} is not whole`)
  return (decimal.startsWith('-') ? -1n : 1n) * (scaled / unit)
}

let root: string
let app: TestApp
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'brokerbase-engines-'))
  const directory = join(root, 'nights')
  mkdirSync(directory)
  app = createTestApp({ config: { parquet: { place: { kind: 'file', directory }, keys: {} } } })
  for (const firm of [await app.firm('alpha'), await app.firm('beta')]) await fill(firm)
  await makeNights.run({ platform: app.platform, signal: new AbortController().signal })
})
afterAll(async () => {
  await app.close()
  rmSync(root, { recursive: true })
})

/** Gives a firm money in currencies of every exponent, and deposits. */
async function fill(firm: Firm): Promise<void> {
  const trader = await firm.trader({ kycLevel: 2 })
  await postMoney(app, firm, trader, {
    JPY: [LARGEST, -LARGEST, 1n],
    EUR: [1250n, 1n, -333n],
    KWD: [1n, 999n],
    USDT: [1n, 123_456_789n],
    BTC: [1n, 2_100_000_000_000_000n],
  })
  for (const [currency, amount] of [
    ['EUR', '12.34'],
    ['JPY', '700'],
  ] as const) {
    const body = { traderId: trader, currency, amount, method: 'bank' }
    const { id } = (await app.call('POST', '/v1/deposits', { as: firm.as.operator, body })).body
    expect((await app.call('POST', `/v1/deposits/${id}/settle`, { as: firm.as.manager })).status).toBe(200)
  }
}

/** Returns the sums of the ledger in SQLite, in the order of the question. */
const readLedger = () =>
  app.platform.reader
    .all<{ tenant: string; account: string; currency: string; minor: string }>(
      `SELECT tenant_id AS tenant, account, currency, CAST(sum(amount) AS TEXT) AS minor FROM ledger_entries
        GROUP BY tenant_id, account, currency ORDER BY tenant_id, account, currency`,
    )
    .map(({ tenant, account, currency, minor }) => [tenant, account, currency, BigInt(minor)])

describe('the questions of the manual', () => {
  for (const engine of names)
    test.skipIf(missing.has(engine))(
      `${engine} sums the files to the ledger by firm, account and currency, to the minor unit`,
      async () => {
        const questions = await readQuestions(engine)
        expect(questions).toHaveLength(3)
        const [ledger = [], months, levels] = ask(engine, questions, join(root, 'nights/2026-01-15'))
        const sums = ledger.map(([tenant, account, currency = '', amount = '']) => [
          tenant,
          account,
          currency,
          toMinor(amount, currency),
        ])
        expect(sums).toEqual(readLedger())
        expect(sums.length).toBeGreaterThan(10)
        const firms = app.platform.directory.tenants().map(({ id }) => id)
        const plain = (rows: string[][] = []) =>
          rows.map(([tenant, by, currency = '', amount = '']) => [
            tenant,
            by,
            currency,
            formatAmount(toMinor(amount, currency), currency),
          ])
        const both = (by: string) =>
          firms.toSorted().flatMap((id) => [
            [id, by, 'EUR', '12.34'],
            [id, by, 'JPY', '700'],
          ])
        expect(plain(months)).toEqual(both('2026-01'))
        expect(plain(levels)).toEqual(both('2'))
      },
      180_000,
    )
})
