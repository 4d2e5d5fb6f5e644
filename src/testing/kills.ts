import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '../platform/clock.ts'
import { openWriter } from '../platform/sqlite.ts'
import { CLOSE_WRITTEN_POSITIONS } from './closings.ts'
import {
  ask,
  must,
  NO_LIMITS,
  type Process,
  requireExecutable,
  startFirm,
  startProcess,
  storedIn,
} from './executable.ts'
import { startGraphApi } from './fakes/graph-api.ts'
import { numberOption } from './options.ts'
import { ageBrokers } from './vouch.ts'

/**
 * Kills the built server with SIGKILL during its long jobs: five times while 10,000 leads are fetched from a platform
 * that throttles, ten times while commissions of 100,000 trades under five levels are computed. Every row must be there
 * once. Usage: bun run kills -- [--trades 100000] [--leads 10000]
 */
const TRADES = numberOption('trades', 100_000)
const LEADS = numberOption('leads', 10_000)
const LEVELS = 5
const PAGE = '41001'

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-kills-'))
const dataDir = join(cwd, 'data')
const graph = startGraphApi()
const env = { ...NO_LIMITS, BROKERBASE_ALLOWED_NETWORKS: '127.0.0.0/8', BROKERBASE_GRAPH_URL: graph.url }
let server: Process
let cookie = ''

const call = async (method: string, path: string, body?: object) => {
  const headers = { cookie, origin: server.url }
  const { status, json, text } = await ask(server.url, method, path, { headers, ...(body ? { body } : {}) })
  must(status < 300, `${method} ${path} answered ${status}: ${text}`)
  return json
}
/** Returns a row from the disk, whether the server runs or not. */
const stored = <T>(sql: string): T => storedIn<T>(dataDir, sql)
const restart = async (signal: 'SIGKILL' | 'SIGTERM', between = (): void => {}): Promise<void> => {
  await server.kill(signal)
  between()
  server = await startProcess(['serve'], { cwd, env })
}

/**
 * Kills the server `times` times, each time that a job has made some progress; then lets the job end. Returns how often
 * the server was killed before that.
 */
async function killed(times: number, whole: number, soFar: () => number, isOver: () => boolean): Promise<number> {
  let kills = 0
  const until = Date.now() + 300_000
  while (!isOver()) {
    must(Date.now() < until, `the job stands still at ${soFar()} of ${whole}: ${server.log().slice(-2000)}`)
    if (kills < times && soFar() > (whole * (kills + 0.5)) / (times + 1)) {
      await restart('SIGKILL')
      kills += 1
    }
    await Bun.sleep(5)
  }
  return kills
}

async function backfill(): Promise<void> {
  graph.pages.set(PAGE, { name: 'Page', allowed: true })
  graph.addLeads('9', PAGE, LEADS, (index) => Date.now() - DAY - index * 1000)
  // every ninth call is refused, to be repeated after 1.2 s
  graph.throttleEvery(9, 0.02)
  graph.delay(10)
  const { id: connectionId } = await call('POST', '/v1/ads/connections', {
    platform: 'social',
    name: 'Spring',
    pageIds: [PAGE],
    credentials: { accessToken: graph.token, appSecret: 'the-secret-of-our-app', verifyToken: 'our-verify-token' },
  })
  const since = new Date(Date.now() - 30 * DAY).toISOString()
  await call('POST', '/v1/ads/meta/leads/backfill', { connectionId, formId: '9', since })
  type Progress = { status: string; fetched: number; created: number; duplicates: number; failed: number }
  const progress = () => stored<Progress>('SELECT status, fetched, created, duplicates, failed FROM ad_backfills')
  const kills = await killed(
    5,
    LEADS,
    () => progress().fetched,
    () => !['running', 'waiting'].includes(progress().status),
  )
  must(kills === 5, `the backfill was over after ${kills} kills`)
  const { status, fetched, created, duplicates, failed } = progress()
  const counts = { fetched, created, duplicates, failed }
  const wanted = { fetched: LEADS, created: LEADS, duplicates: 0, failed: 0 }
  must(status === 'done' && JSON.stringify(counts) === JSON.stringify(wanted), `${status} ${JSON.stringify(counts)}`)
  const leads = stored<{ n: number; ids: number; told: number }>(
    `SELECT count(*) AS n, count(DISTINCT lead_gen_id) AS ids,
      (SELECT count(*) FROM events WHERE event = 'lead.created') AS told FROM leads`,
  )
  must(leads.n === LEADS && leads.ids === LEADS && leads.told === LEADS, `leads: ${JSON.stringify(leads)}`)
  const throttled = Math.floor(graph.calls.length / 9)
  process.stdout.write(`backfill: ${LEADS} leads, none twice, over ${kills} kills and ${throttled} throttled calls\n`)
}

const day = (offset: number): string => new Date(Date.now() + offset * DAY).toISOString().slice(0, 10)
const trader = async (): Promise<string> =>
  String((await call('POST', '/v1/traders', { email: `k${Math.random()}@kills.test` })).id)

/** Makes brokers one below the other, each with a higher rate than those below, and clients of the lowest one. */
async function foundBrokers(): Promise<void> {
  let parentId: unknown = null
  for (let level = LEVELS; level >= 1; level -= 1) {
    const terms = { currency: 'USD', override: 'difference', maxLevels: LEVELS, cap: '1' }
    const rules = [{ model: 'lot', symbols: ['*'], rate: `${4 + level}` }]
    const plan = await call('POST', '/v1/commission-plans', { name: `Level ${level}`, ...terms, rules })
    const { id } = await call('POST', '/v1/affiliates', { traderId: await trader(), code: `level-${level}`, parentId })
    await call('PATCH', `/v1/affiliates/${id}`, { status: 'active', planId: plan.id })
    parentId = id
  }
  for (let n = 0; n < 50; n += 1) {
    const traderId = await trader()
    await call('PATCH', `/v1/traders/${traderId}`, { affiliateId: parentId })
    await call('POST', '/v1/accounts', {
      traderId,
      platform: 'terminal5',
      currency: 'USD',
      accountNumber: `${7000 + n}`,
    })
  }
}

/** Writes trades that were closed yesterday, while the server is stopped. */
function trade(): void {
  ageBrokers(dataDir, 5 * DAY)
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  const closed = Date.parse(`${day(-1)}T01:00:00Z`)
  db.run(
    `INSERT INTO positions (tenant_id, id, platform, server, ticket, account_number, account_id, trader_id, symbol, side,
      volume, opened_volume, open_price, current_price, currency, profit, swap, commission, spread, status, opened_at,
      closed_at, created_at, updated_at)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     SELECT a.tenant_id, 'pos_' || a.account_number || printf('_%08d', i), 'terminal5', 's', a.account_number || '-' || i,
      a.account_number, a.id, a.trader_id, 'EURUSD', 'long', 10000000, 10000000, '1', '1', a.currency, 0, 0, -100, 900,
      'closed', ?2 - 3600000, ?2 + i, ?2, ?2
     FROM n CROSS JOIN accounts a`,
    [Math.ceil(TRADES / 50), closed],
  )
  db.run(CLOSE_WRITTEN_POSITIONS)
  db.close()
}

async function commissions(): Promise<void> {
  await foundBrokers()
  await restart('SIGTERM', trade)
  const run = { from: day(-1), to: day(0) }
  const { id } = await call('POST', '/v1/affiliates/commissions/runs', run)
  const wanted = Math.ceil(TRADES / 50) * 50 * LEVELS
  const lines = () => stored<{ n: number }>('SELECT count(*) AS n FROM commission_lines').n
  const status = () => stored<{ status: string }>(`SELECT status FROM commission_runs WHERE id = '${id}'`).status
  const kills = await killed(10, wanted, lines, () => status() !== 'computing')
  must(kills === 10 && status() === 'closed', `the run is ${status()} after ${kills} kills`)
  const found = stored<{ n: number; places: number; sum: number; earned: number }>(
    `SELECT count(*) AS n, count(DISTINCT source || ' ' || level) AS places, sum(amount) AS sum,
      (SELECT sum(earned) FROM affiliate_balances) AS earned FROM commission_lines`,
  )
  must(found.n === wanted && found.places === wanted, `${found.n} lines of ${found.places} places, not ${wanted}`)
  must(found.sum === found.earned, `lines of ${found.sum} make ${found.earned} earned`)
  const again = await call('POST', '/v1/affiliates/commissions/runs', run)
  while (stored<{ n: number }>(`SELECT count(*) AS n FROM commission_runs WHERE status = 'computing'`).n > 0)
    await Bun.sleep(50)
  must(again.id !== id && lines() === wanted, `a second run made ${lines() - wanted} more lines`)
  process.stdout.write(`commissions: ${wanted} lines, none twice, over ${kills} kills; a second run added none\n`)
}

try {
  const started = await startFirm('kills', { cwd, env })
  server = started.server
  cookie = started.cookie
  await backfill()
  await commissions()
  must((await server.kill('SIGTERM')) === 0, 'the server did not stop cleanly')
  process.stdout.write('2 passed, 0 failed\n')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  await graph.stop()
  rmSync(cwd, { recursive: true, force: true })
}
process.exit()
