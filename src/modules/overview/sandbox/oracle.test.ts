import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestApp, type Firm } from '../../../testing/app.ts'
import { READABLE } from './sandbox.catalogue.ts'
import { runQuery } from './sandbox.query.ts'

const OWN_ROWS = 2000
/** When the other firm's withdrawal was approved; the own firm has no approval at that time. */
const SECRET_AT = 1_795_000_412_345
/** Returns an expression that fails if a condition is true, which would reveal something about the tested rows. */
const fails = (condition: string): string => `abs(CASE WHEN ${condition} THEN -9223372036854775807 - 1 ELSE 1 END) > 0`

let own: Firm
let dataDir: string
let database: string
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'brokerbase-oracle-'))
  database = join(dataDir, 'brokerbase.db')
  const app = createTestApp({ dataDir })
  own = await app.firm('own')
  const other = await app.firm('other')
  await app.close()
  const db = new Database(database)
  db.run('PRAGMA foreign_keys = OFF')
  // inserts rows of both firms into every readable table, with only the required columns
  const add = (table: string, n: number, values: Record<string, string | number>): void => {
    const columns = db
      .query<{ name: string; type: string; notnull: number; dflt_value: string | null; pk: number }, [string]>(
        'SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)',
      )
      .all(table)
    const row = new Map<string, string | number>()
    for (const { name, type, notnull, dflt_value: usual, pk } of columns)
      if ((notnull || pk) && usual === null) row.set(name, type === 'INTEGER' ? n : `${name} ${n}`)
    for (const [name, value] of Object.entries(values))
      if (columns.some((column) => column.name === name)) row.set(name, value)
    const names = [...row.keys()].map((name) => `"${name}"`)
    const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
    db.query(sql).run(...row.values())
  }
  db.run('PRAGMA ignore_check_constraints = ON')
  db.transaction(() => {
    for (const { name } of READABLE) {
      add(name, 1, { tenant_id: other.tenantId, id: `${name}-theirs`, email: 'theirs@example.com' })
      add(name, 2, { tenant_id: own.tenantId, id: `${name}-own`, email: 'own@example.com' })
    }
    const approved = { status: 'approved', currency: 'EUR' }
    for (let n = 0; n < OWN_ROWS; n += 1) {
      const at = n % 50 === 0 ? { ...approved, approved_at: 1_794_000_000_000 + n * 7919 } : { status: 'paid' }
      add('withdrawals', n, { tenant_id: own.tenantId, id: `own-${n}`, amount: 100 + n, ...at })
    }
    add('withdrawals', 1, { ...approved, tenant_id: other.tenantId, id: 'x', amount: 777, approved_at: SECRET_AT })
  })()
  db.run('PRAGMA optimize = 0x10002')
  db.close()
})
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const ask = (sql: string) => runQuery({ database, tenantId: own.tenantId, timeZone: 'UTC', sql })
const fault = (sql: string): string => {
  const answer = ask(sql)
  return 'failed' in answer ? answer.failed : ''
}
/** Returns the statements that fail for a value of the other firm and not for a value of no firm, or the reverse. */
const telling = <T>(statements: readonly ((value: T) => string)[], theirs: T, nobodys: T): string[] =>
  statements.filter((of) => fault(of(theirs)) !== fault(of(nobodys))).map((of) => of(theirs))

describe('a failing condition', () => {
  test('a failing condition fails on rows of the own firm, so these probes could reveal something', () => {
    const probe = (amount: number) => `SELECT id FROM withdrawals WHERE ${fails(`amount = ${amount}`)}`
    expect(telling([probe], 110, 99)).toHaveLength(1)
    expect(ask('SELECT count(*) FROM withdrawals')).toMatchObject({ text: expect.stringContaining('[[2001]]') })
    expect(ask('SELECT count(*) FROM (SELECT 1 FROM deposits)')).toHaveProperty('text')
  })

  test('a failing condition is never tested on rows of another firm, whichever index is used', () => {
    const approved = (at: number): string => `status = 'approved' AND approved_at = ${at}`
    const times = (at: number): string =>
      `WITH RECURSIVE n (i) AS (SELECT ${at - 20} UNION ALL SELECT i + 1 FROM n LIMIT 40)`
    const byTime = telling(
      [
        (at) => `SELECT id FROM withdrawals WHERE status = 'approved' AND approved_at BETWEEN ${at - 9} AND ${at + 9}
          AND ${fails('approved_at > 0')}`,
        (at) => `${times(at)} SELECT w.id FROM withdrawals w WHERE w.status = 'approved'
          AND w.approved_at IN (SELECT i FROM n) AND ${fails('w.approved_at > 0')}`,
        (at) => `${times(at)} SELECT w.id FROM n CROSS JOIN withdrawals w WHERE w.status = 'approved'
          AND w.approved_at = n.i AND ${fails('w.approved_at > 0')}`,
      ],
      SECRET_AT,
      SECRET_AT + 1000,
    )
    const byAmount = telling(
      [
        (amount) => `SELECT id FROM withdrawals WHERE ${approved(SECRET_AT)} AND ${fails(`amount = ${amount}`)}`,
        (amount) => `SELECT id FROM withdrawals WHERE (${approved(SECRET_AT)} AND ${fails(`amount = ${amount}`)})
          OR (status = 'approved' AND approved_at = 1 AND amount = 2)`,
        (amount) => `SELECT t.id FROM traders t LEFT JOIN withdrawals w
          ON w.status = 'approved' AND w.approved_at = ${SECRET_AT} AND ${fails(`w.amount = ${amount}`)}`,
      ],
      777,
      778,
    )
    expect([byTime, byAmount]).toEqual([[], []])
  })

  test('a failing condition reveals no id or address of another firm, in any table', () => {
    const told = READABLE.flatMap(({ name, columns }) =>
      columns.flatMap(({ name: column }) => {
        const probes = [(value: string) => `SELECT 1 FROM ${name} WHERE ${fails(`${column} = '${value}'`)}`]
        return [
          ...telling(probes, `${name}-theirs`, `${name}-nobodys`),
          ...telling(probes, 'theirs@example.com', 'nobodys@example.com'),
        ]
      }),
    )
    expect(told).toEqual([])
  })
})
