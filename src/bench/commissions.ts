import { runCommissions } from '../modules/growth/commissions/commissions.jobs.ts'
import { commissionLines } from '../modules/growth/commissions/commissions.table.ts'
import { explainLine } from '../modules/growth/commissions/lines.queries.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import { DAY } from '../platform/clock.ts'
import { createTestApp } from '../testing/app.ts'
import { createBrokerDesk } from '../testing/broker-desk.ts'
import { CLOSE_WRITTEN_POSITIONS } from '../testing/closings.ts'

/**
 * Measures a commission run over closed positions under five levels, with another write every five milliseconds
 * meanwhile. The first argument is the number of positions (100,000 without it). Then every n-th line is explained; n
 * is the second argument (1 without it).
 */
const POSITIONS = Number(process.argv[2] ?? 100_000)
const EVERY = Number(process.argv[3] ?? 1)
const LEVELS = 5

const app = createTestApp()
const firm = await app.firm('bench')
const desk = createBrokerDesk(app, firm)
const { platform } = app
const ctx = systemCtx(platform, firm.tenantId, 'bench')
let parent: string | null = null
for (let level = LEVELS; level >= 1; level -= 1)
  parent = (await desk.affiliate(await desk.plan([{ model: 'lot', symbols: ['*'], rate: `${4 + level}` }]), parent)).id
const clients: string[] = []
for (let n = 0; n < 50; n += 1) clients.push(await desk.client(parent))
app.clock.advance(60_000)
const now = app.clock.now()
await ctx.write('bench.positions', (tx) => {
  for (const [index, traderId] of clients.entries()) {
    tx.execute(
      `INSERT INTO positions (tenant_id, id, platform, server, ticket, account_number, account_id, trader_id, symbol, side,
        volume, opened_volume, open_price, current_price, currency, profit, swap, commission, spread, status, opened_at,
        closed_at, created_at, updated_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       SELECT ?1, printf('pos_%04d_%08d', ?3, i), 'terminal5', 's', printf('b%d_%d', ?3, i), a.account_number, a.id, a.trader_id,
        'EURUSD', 'long', 10000000, 10000000, '1', '1', a.currency, 0, 0, -100, 900, 'closed', ?4 - 3600000, ?4 + i, ?4, ?4
       FROM n JOIN accounts a ON a.tenant_id = ?1 AND a.trader_id = ?5`,
      [POSITIONS / clients.length, index, now, traderId],
    )
  }
  tx.execute(`${CLOSE_WRITTEN_POSITIONS} AND tenant_id = ?1`)
  return null
})
app.clock.advance(DAY)
const day = (offset: number): string => new Date(app.clock.now() + offset * DAY).toISOString().slice(0, 10)
await desk.post('/v1/affiliates/commissions/runs', { from: day(-1), to: day(0) })

const waits: number[] = []
let going = true
const others = (async () => {
  while (going) {
    const from = performance.now()
    await ctx.write('bench.note', (tx) => tx.audit({ entity: 'bench' }))
    waits.push(performance.now() - from)
    await Bun.sleep(5)
  }
})()
const from = performance.now()
await runCommissions.run({ platform, signal: new AbortController().signal })
const seconds = (performance.now() - from) / 1000
going = false
await others
waits.sort((a, b) => a - b)
const at = (share: number): string => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1)
const lines = ctx.db.count(commissionLines, {})
const sample = platform.reader.all<{ id: string }>('SELECT id FROM commission_lines WHERE rowid % ? = 0', [EVERY])
let unequal = 0
for (const { id } of sample) unequal += (await explainLine(ctx, id)).equal ? 0 : 1
process.stdout.write(
  `${POSITIONS} positions, ${LEVELS} levels: ${lines} lines in ${seconds.toFixed(1)} s; ` +
    `${waits.length} other writes waited ${at(0.5)} ms at the median, ${at(0.99)} ms at p99; ` +
    `${sample.length} lines worked out again, ${unequal} differ\n`,
)
await desk.close()
