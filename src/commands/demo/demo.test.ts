import { expect, setDefaultTimeout, test } from 'bun:test'
import { screenTraders } from '../../modules/sanctions/sanctions.jobs.ts'
import { verifyChain } from '../../platform/audit/audit.ts'
import { DAY } from '../../platform/clock.ts'
import { createTestApp } from '../../testing/app.ts'
import { DEMO, seedDemo } from './seed.ts'

setDefaultTimeout(120_000)

const KINDS = [
  ...['traders', 'accounts', 'wallets', 'deposits', 'psp_connections', 'withdrawals', 'withdrawal_decisions'],
  ...['transfers', 'adjustments', 'fx_rates', 'fx_global_rates', 'kyc_documents', 'leads', 'tickets', 'trader_notes'],
  ...['ticket_messages', 'api_keys', 'webhook_subscriptions', 'sanctions_lists', 'sanctions_entries', 'users', 'files'],
  ...['ad_connections', 'ad_backfills'],
]

test('the demo has something of every kind, whole books and work to do', async () => {
  const app = createTestApp({ config: { allowedNetworks: ['127.0.0.0/8'] } })
  const { platform, clock } = app
  await seedDemo(platform)
  const { reader } = platform
  const count = (sql: string) => reader.get<{ n: number }>(`SELECT count(*) AS n FROM ${sql}`)?.n ?? 0
  expect(KINDS.filter((table) => count(table) === 0)).toEqual([])
  expect(count('traders')).toBeGreaterThan(1900)
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
  const [{ id: tenantId } = { id: '' }] = reader.all<{ id: string }>('SELECT id FROM tenants WHERE slug = ?', [
    DEMO.tenantSlug,
  ])
  expect(await verifyChain(reader, platform.secrets, tenantId)).toMatchObject({ intact: true })
  // nothing lies ahead of its time
  expect(count(`audit WHERE at > ${clock.now()}`)).toBe(0)
  expect(count(`fx_global_rates WHERE current = 1 AND created_at < ${clock.now() - DAY}`)).toBe(0)
  await screenTraders.run({ platform, signal: new AbortController().signal })
  expect(count(`sanctions_hits WHERE status = 'open'`)).toBeGreaterThan(1)
  await app.close()
})
