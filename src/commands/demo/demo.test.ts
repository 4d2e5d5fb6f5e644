import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { loadConfig } from '../../config.ts'
import { screenTraders } from '../../modules/clients/sanctions/sanctions.jobs.ts'
import { TAX_COLUMNS } from '../../modules/overview/reporting/ledger-kinds.ts'
import { type Place, readTax } from '../../modules/overview/reporting/tax.queries.ts'
import { verifyChain } from '../../platform/audit/verify.ts'
import { DAY } from '../../platform/clock.ts'
import { createReader } from '../../platform/db/reader.ts'
import { parseAmount } from '../../platform/money.ts'
import { addDays, startOfDay, toDay } from '../../platform/zone.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { DEMO, seedDemo } from './seed.ts'

setDefaultTimeout(300_000)

const KINDS = [
  'traders',
  'accounts',
  'wallets',
  'deposits',
  'psp_connections',
  'withdrawals',
  'withdrawal_decisions',
  'transfers',
  'adjustments',
  'fx_rates',
  'fx_global_rates',
  'kyc_documents',
  'leads',
  'tickets',
  'trader_notes',
  'ticket_messages',
  'api_keys',
  'webhook_subscriptions',
  'sanctions_lists',
  'sanctions_entries',
  'users',
  'files',
  'ad_connections',
  'ad_backfills',
]

let app: TestApp
let tenantId: string
beforeAll(async () => {
  app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  await seedDemo(app.platform, 800)
  const firm = app.platform.reader.get<{ id: string }>('SELECT id FROM tenants WHERE slug = ?', [DEMO.tenantSlug])
  tenantId = firm?.id ?? ''
})
afterAll(() => app.close())

test('the demo has something of every kind, balanced books and work to do', async () => {
  const { platform, clock } = app
  const { reader } = platform
  const count = (sql: string) => reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)?.n ?? 0
  expect(KINDS.filter((table) => count(table) === 0)).toEqual([])
  expect(count('traders')).toBeGreaterThan(380)
  const waiting = {
    deposits: `deposits WHERE status = 'pending'`,
    withdrawals: `withdrawals WHERE status = 'requested'`,
    approved: `withdrawals WHERE status = 'approved'`,
    papers: `kyc_submissions WHERE status = 'requested'`,
    tickets: `tickets WHERE status = 'open'`,
    leads: `leads WHERE status = 'new'`,
    adjustments: `adjustments WHERE status = 'requested'`,
    ads: `leads WHERE source = 'social'`,
  }
  expect(Object.entries(waiting).filter(([, sql]) => count(sql) === 0)).toEqual([])
  expect(reader.all('SELECT currency FROM ledger_entries GROUP BY currency HAVING sum(amount) <> 0')).toEqual([])
  expect(count('wallets WHERE available < 0 OR held < 0')).toBe(0)
  const twice = 'SELECT lower(display_name) FROM users GROUP BY tenant_id, lower(display_name) HAVING count(*) > 1'
  expect(reader.all(twice)).toEqual([])
  expect(await verifyChain(reader, platform.secrets, tenantId)).toMatchObject({ intact: true })
  // nothing is dated in the future
  expect(count(`audit WHERE at > ${clock.now()}`)).toBe(0)
  expect(count(`fx_global_rates WHERE current = 1 AND created_at < ${clock.now() - DAY}`)).toBe(0)
  await screenTraders.run({ platform, signal: new AbortController().signal })
  expect(count(`sanctions_hits WHERE status = 'open'`)).toBeGreaterThan(1)
})

test('a withdrawal of the demo waits for two people, as in the tour of README', async () => {
  const login = await app.call('POST', '/v1/auth/login', { body: { email: DEMO.email, password: DEMO.password } })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  const read = async (path: string) => (await app.call('GET', path, { headers: { cookie } })).body
  const waiting: { id: string }[] = (await read('/v1/withdrawals?status=requested&limit=200')).data
  const needed = await Promise.all(waiting.map(async ({ id }) => (await read(`/v1/withdrawals/${id}`)).review))
  expect(needed.map(({ approvalsNeeded }) => approvalsNeeded)).toContain(2)
})

test('README names the port that the demo uses', async () => {
  const readme = await Bun.file(join(import.meta.dir, '../../../README.md')).text()
  const { port } = loadConfig({}, { env: {} })
  expect(readme).toContain(`The demo holds port ${port}: stop it first, or give \`--port\`.`)
})

const LEDGER = `SELECT e.trader_id || ' ' || e.currency AS place, t.kind, e.created_at AS at, e.amount,
    t.kind = 'transfer' AND EXISTS (SELECT 1 FROM ledger_entries o WHERE o.tenant_id = e.tenant_id
      AND o.transaction_id = e.transaction_id AND o.trader_id = e.trader_id AND o.currency <> e.currency) AS converts
  FROM ledger_entries e JOIN ledger_transactions t ON t.tenant_id = e.tenant_id AND t.id = e.transaction_id
  WHERE e.tenant_id = ? AND e.account IN ('client_available', 'client_held')`
type Entry = { place: string; kind: string; at: number; amount: number; converts: number }
/** These are written here by hand, so that a mistake in the report's own list is found. */
const COLUMNS: Record<string, string> = {
  deposit: 'deposits',
  withdrawal_pay: 'withdrawals',
  adjustment: 'adjustments',
  commission: 'commissions',
  merge: 'merged',
}
const INSIDE = ['withdrawal_hold', 'withdrawal_release', 'transfer_booked']

test('the tax report of the demo’s year equals its books, for each client and currency', () => {
  const { timeZone } = DEMO.settings
  const to = addDays(toDay(app.clock.now(), timeZone), 1)
  const from = addDays(to, -365)
  const [start, end] = [startOfDay(from, timeZone), startOfDay(to, timeZone)]
  const wanted: Record<string, Record<string, bigint>> = {}
  const add = (place: string, column: string, amount: number) => {
    const row = wanted[place] ?? {}
    wanted[place] = row
    row[column] = (row[column] ?? 0n) + BigInt(amount)
  }
  for (const { place, kind, at, amount, converts } of app.platform.reader.all<Entry>(LEDGER, [tenantId])) {
    if (at >= end) continue
    add(place, 'closing', amount)
    if (at < start) add(place, 'opening', amount)
    else if (converts === 1) add(place, 'converted', amount)
    else if (!INSIDE.includes(kind))
      add(place, COLUMNS[kind] ?? (amount > 0 === (kind === 'transfer') ? 'transfersIn' : 'transfersOut'), amount)
  }
  const told: typeof wanted = {}
  const db = createReader(app.platform.connection, { tenantId, traderId: null })
  for (let after: Place | null = null; ; ) {
    const params = { from, to, now: app.clock.now(), currency: 'EUR', traderId: null, after, limit: 200 }
    const { rows, next } = readTax(db, params)
    for (const row of rows)
      for (const column of ['opening', ...TAX_COLUMNS, 'closing'] as const) {
        const place = `${row.traderId} ${row.currency}`
        told[place] = { ...told[place], [column]: parseAmount(row[column], row.currency) }
      }
    after = next
    if (after === null) break
  }
  const moved = (rows: typeof wanted): typeof wanted => {
    const sums = Object.entries(rows).map(([place, row]): [string, Record<string, bigint>] => [
      place,
      Object.fromEntries(Object.entries(row).filter(([, amount]) => amount !== 0n)),
    ])
    return Object.fromEntries(sums.filter(([, row]) => Object.keys(row).length > 0))
  }
  expect(Object.keys(told).length).toBeGreaterThan(300)
  expect(moved(told)).toEqual(moved(wanted))
  const columns = new Set(Object.values(moved(told)).flatMap((row) => Object.keys(row)))
  expect([...columns].sort()).toEqual([...TAX_COLUMNS, 'closing', 'opening'].sort())
})
