import { afterEach, beforeEach, expect, test } from 'bun:test'
import { integer, text } from 'drizzle-orm/sqlite-core'
import { createTestApp, type Firm, type TestApp } from '../../testing/app.ts'
import { Problem } from '../problem.ts'
import { json, money, time } from './columns.ts'
import { tenantTable } from './tenant-table.ts'
import { createTx, type Tx } from './tx.ts'

const bills = tenantTable(
  'test_bills',
  'tbl',
  {
    client: text(),
    currency: text().notNull(),
    amount: money().notNull(),
    marks: json<string[]>().notNull(),
    version: integer().notNull().default(1),
    createdAt: time().notNull().default(0),
    updatedAt: time().notNull().default(0),
  },
  { entity: 'bill', owner: 'client', isMoney: true },
)
const SCHEMA = `CREATE TABLE test_bills (tenant_id TEXT, id TEXT, client TEXT, currency TEXT, amount INTEGER, marks TEXT,
  version INTEGER, created_at INTEGER, updated_at INTEGER, PRIMARY KEY (tenant_id, id)) STRICT`
const BILL = { client: 'trd_1', currency: 'USD', amount: 150n, marks: ['a'] }
const SYSTEM = { kind: 'system', id: 'test', apiKeyId: null, impersonatorId: null, ip: null, requestId: null } as const

let app: TestApp
let firm: Firm
beforeEach(async () => {
  app = createTestApp()
  firm = await app.firm('alpha')
  app.platform.connection.exec(SCHEMA)
})
afterEach(() => app.close())

/** Writes as a client, or as the firm; returns also whether it was about money. */
const write = <T>(run: (tx: Tx) => T, traderId: string | null = null): Promise<{ result: T; isMoney: boolean }> =>
  app.platform.writer.submit((hooks) => {
    const scope = { tenantId: firm.tenantId, traderId }
    const { tx, heads } = createTx(app.platform, scope, SYSTEM, 'test.write', 1000)
    const result = run(tx)
    hooks.onKept = () => app.platform.audit.promote(firm.tenantId, heads.audit)
    return { result, isMoney: heads.isMoney }
  })
const insert = async (): Promise<string> => (await write((tx) => tx.insert(bills, BILL))).result.id
/** Returns what the audit has about bills. */
const audited = (): { action: string; before: unknown; after: unknown }[] =>
  app.platform.reader
    .all<{ action: string; before: string | null; after: string | null }>(
      `SELECT a.action, d.before, d.after FROM audit a JOIN audit_data d ON d.tenant_id = a.tenant_id AND d.seq = a.seq
       WHERE a.entity = 'bill' ORDER BY a.seq`,
    )
    .map(({ action, before, after }) => ({
      action,
      before: JSON.parse(before ?? 'null'),
      after: JSON.parse(after ?? 'null'),
    }))
const readRefusal = async (work: Promise<unknown>): Promise<string> => {
  const outcome = await work.catch((thrown: unknown) => thrown)
  return outcome instanceof Problem ? `${outcome.status} ${outcome.code}` : 'done'
}

test('a row gets its id, times and version, and each change an audit row of what changed', async () => {
  const { result: made, isMoney } = await write((tx) => tx.insert(bills, BILL))
  expect(made).toMatchObject({ ...BILL, version: 1, createdAt: 1000, updatedAt: 1000 })
  expect([made.id.slice(0, 4), isMoney]).toEqual(['tbl_', true])
  const { result: changed } = await write((tx) => tx.update(bills, made.id, { amount: 5n }))
  expect(changed).toMatchObject({ amount: 5n, version: 2 })
  await write((tx) => tx.remove(bills, made.id, { action: 'test.gone' }))
  const [inserted, updated, removed] = audited()
  expect([inserted?.before, inserted?.after]).toMatchObject([null, { amount: '1.50', version: 1 }])
  expect(updated).toEqual({
    action: 'test.write',
    before: { amount: '1.50', currency: 'USD' },
    after: { amount: '0.05', currency: 'USD' },
  })
  expect(removed).toMatchObject({ action: 'test.gone', before: { amount: '0.05', version: 2 }, after: null })
})

test('an update without a difference writes nothing, and lists are compared by their contents', async () => {
  const id = await insert()
  const { result, isMoney } = await write((tx) => tx.update(bills, id, { amount: 150n, marks: ['a'] }))
  expect([result.version, isMoney, audited().length]).toEqual([1, false, 1])
})

test('a change or a removal is refused if the row has another version than the caller saw', async () => {
  const id = await insert()
  expect(await readRefusal(write((tx) => tx.update(bills, id, { amount: 1n }, { expect: 7 })))).toStartWith('412')
  expect(await readRefusal(write((tx) => tx.remove(bills, id, { expect: 7 })))).toStartWith('412')
  expect(await readRefusal(write((tx) => tx.remove(bills, id, { expect: 1 })))).toBe('done')
  expect(await readRefusal(write((tx) => tx.remove(bills, id)))).toBe('404 not_found')
})

test('a client’s request writes rows of that client or of none, and no others', async () => {
  const insertAs = (client: string | null) =>
    readRefusal(write((tx) => tx.insert(bills, { ...BILL, client }).client, 'trd_1'))
  expect(await Promise.all(['trd_2', 'trd_1', null].map(insertAs))).toEqual(['404 not_found', 'done', 'done'])
  const id = await insert()
  expect(await readRefusal(write((tx) => tx.update(bills, id, { amount: 1n }), 'trd_2'))).toBe('404 not_found')
  expect((await write((tx) => tx.unowned.get(bills, id).amount, 'trd_2')).result).toBe(150n)
})

test('a row that exists already is a 409 that names the field', async () => {
  const id = await insert()
  expect(await readRefusal(write((tx) => tx.insert(bills, { ...BILL, id })))).toBe('409 duplicate')
})
