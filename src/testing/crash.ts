import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { verifyChain } from '../platform/audit/verify.ts'
import { loadOrCreateKey } from '../platform/key-file.ts'
import { createSecretBox } from '../platform/secrets.ts'
import { openReader } from '../platform/sqlite.ts'
import {
  ask,
  NO_LIMITS,
  type Process,
  requireExecutable,
  runCommand,
  sessionAfter,
  startProcess,
  untilReplicated,
} from './executable.ts'
import { numberOption } from './options.ts'
import { vouchFor } from './vouch.ts'

/**
 * Kills the built server with SIGKILL at random moments under mixed writes by several clients, and checks the disk each
 * time: every acknowledged write is there once, the ledger sums to zero, events have no gap, and the audit chain is
 * complete. With --replica everything is also replicated, and the state of the last cycle is restored and checked.
 * Usage: bun run crash -- --cycles 200 [--clients 8] [--replica]
 */
const CYCLES = numberOption('cycles', 20)
const CLIENTS = numberOption('clients', 8)
const FULL_CHECK_EVERY = 25

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-crash-'))
const dataDir = join(cwd, 'data')
const REPLICATES = process.argv.includes('--replica')

/** The kinds of writes. A request that the crash cut off is repeated with its key after the restart. */
type Kind =
  | 'trader'
  | 'deposit'
  | 'settle'
  | 'partial'
  | 'fail'
  | 'withdrawal'
  | 'approve'
  | 'cancel'
  | 'transfer'
  | 'sync'
type Write = {
  kind: Kind
  key: string
  path: string
  body: object
  acknowledged: string | null
}

const writes: Write[] = []
const open: Write[] = []
/** The rules may refuse these kinds if another client was quicker with the same money. */
const REFUSABLE = new Set<Kind>(['withdrawal', 'approve', 'cancel', 'transfer'])
const requested: string[] = []
/** Wallets with money, read from the disk while the server is down. */
let funded: { id: string; traderId: string }[] = []
let refused = 0
const traders: string[] = []
const pending: string[] = []
let serial = 0
let lost = 0
let doubled = 0
let repeated = 0

const fail = (what: string): never => {
  throw new Error(what)
}

function nextWrite(): Write {
  serial += 1
  const key = `crash-${serial}`
  const roll = Math.random()
  const trader = traders[Math.floor(Math.random() * traders.length)]
  if (roll < 0.35 || trader === undefined) {
    return {
      kind: 'trader',
      key,
      path: '/v1/traders',
      body: { email: `c${serial}@crash.test`, firstName: 'Crash', tags: ['kill'] },
      acknowledged: null,
    }
  }
  const money = Math.random() < 0.35 ? moneyWrite(key) : undefined
  if (money) return money
  const deposit = roll > 0.7 ? pending.pop() : undefined
  if (deposit === undefined) {
    const body = { traderId: trader, currency: 'EUR', amount: `${1 + (serial % 900)}.50`, method: 'bank', note: key }
    return { kind: 'deposit', key, path: '/v1/deposits', body, acknowledged: null }
  }
  if (roll > 0.95)
    return { kind: 'fail', key, path: `/v1/deposits/${deposit}/fail`, body: { reason: 'crash' }, acknowledged: null }
  if (roll > 0.9)
    return {
      kind: 'partial',
      key,
      path: `/v1/admin/deposits/${deposit}/partial-settle`,
      body: { settledAmount: '0.75' },
      acknowledged: null,
    }
  return { kind: 'settle', key, path: `/v1/deposits/${deposit}/settle`, body: {}, acknowledged: null }
}

/** Makes a withdrawal, a transfer or a report of a trading platform. */
function moneyWrite(key: string): Write | undefined {
  const roll = Math.random()
  if (roll < 0.3) {
    const positions = Array.from({ length: 40 }, (_, n) => ({
      ticket: `${serial}-${n}`,
      accountNumber: 'none',
      symbol: 'EURUSD',
      side: 'long',
      volume: '0.10',
      openPrice: '1.1',
      currentPrice: '1.1',
      profit: '0.00',
      openedAt: '2026-01-01T00:00:00Z',
    }))
    const body = { platform: 'terminal5', server: `crash-${serial % 8}`, sequence: serial, mode: 'delta', positions }
    return { kind: 'sync', key, path: '/v1/positions/sync', body, acknowledged: null }
  }
  const from = funded[Math.floor(Math.random() * funded.length)]
  const to = funded[Math.floor(Math.random() * funded.length)]
  if (!from || !to) return undefined
  if (roll < 0.6) {
    const body = {
      traderId: from.traderId,
      currency: 'EUR',
      amount: '0.25',
      destination: { kind: 'bank', reference: from.traderId },
      note: key,
    }
    return { kind: 'withdrawal', key, path: '/v1/withdrawals', body, acknowledged: null }
  }
  const waiting = roll < 0.85 ? requested.pop() : undefined
  if (waiting !== undefined && roll < 0.75)
    return {
      kind: 'approve',
      key,
      path: `/v1/withdrawals/${waiting}/approve`,
      body: { note: 'crash' },
      acknowledged: null,
    }
  if (waiting !== undefined)
    return { kind: 'cancel', key, path: `/v1/withdrawals/${waiting}/cancel`, body: {}, acknowledged: null }
  if (from.id === to.id) return undefined
  return {
    kind: 'transfer',
    key,
    path: '/v1/transfers',
    body: { fromWalletId: from.id, toWalletId: to.id, amount: '0.05', note: key },
    acknowledged: null,
  }
}

/** Sends a write and returns whether it was acknowledged. A refusal that the rules do not explain fails the trial. */
async function send(server: Process, write: Write, callers: Callers): Promise<boolean> {
  // the second person approves, since whoever requested a withdrawal may not
  const headers = write.kind === 'approve' ? callers.second(server.url) : callers.first
  const answer = await ask(server.url, 'POST', write.path, {
    headers: { ...headers, 'idempotency-key': write.key },
    body: write.body,
  }).catch(() => null)
  if (answer === null || answer.status === 503) return false
  if (answer.status === 409 && REFUSABLE.has(write.kind) && answer.json.code !== 'idempotency_in_progress') {
    refused += 1
    write.acknowledged = REFUSED
    return true
  }
  // a later sequence of the same trading server came first from another client, so this report must change nothing
  if (write.kind === 'sync' && answer.json.applied === false) {
    refused += 1
    write.acknowledged = REFUSED
    return true
  }
  if (answer.status !== 200 && answer.status !== 201) fail(`${write.path} answered ${answer.status}: ${answer.text}`)
  if (answer.headers.get('idempotent-replayed')) repeated += 1
  write.acknowledged = write.kind === 'sync' ? write.key : String(answer.json.id)
  if (write.kind === 'trader') traders.push(write.acknowledged)
  if (write.kind === 'deposit') pending.push(write.acknowledged)
  if (write.kind === 'withdrawal') requested.push(write.acknowledged)
  return true
}

type Callers = { first: Record<string, string>; second: (url: string) => Record<string, string> }
const REFUSED = 'refused'

async function client(server: Process, callers: Callers, until: () => boolean): Promise<void> {
  while (!until()) {
    const write = open.pop() ?? nextWrite()
    if (!write.acknowledged && !(await send(server, write, callers))) {
      open.push(write)
      return
    }
    if (write.acknowledged !== REFUSED) writes.push(write)
  }
}

const openIn = (directory: string) => openReader(join(directory, 'brokerbase.db'))

/** SQL that finds the row that a write made, in its final state. */
const PRESENT: Readonly<Record<Kind, string>> = {
  trader: 'SELECT 1 FROM traders WHERE id = ?',
  deposit: 'SELECT 1 FROM deposits WHERE id = ?',
  settle: "SELECT 1 FROM deposits WHERE id = ? AND status = 'settled'",
  partial: "SELECT 1 FROM deposits WHERE id = ? AND status = 'partially_settled'",
  fail: "SELECT 1 FROM deposits WHERE id = ? AND status = 'failed'",
  withdrawal:
    "SELECT 1 FROM withdrawals w JOIN ledger_transactions t ON t.reference = w.id AND t.kind = 'withdrawal_hold' WHERE w.id = ?",
  approve: "SELECT 1 FROM withdrawals WHERE id = ? AND status = 'approved'",
  cancel: "SELECT 1 FROM withdrawals WHERE id = ? AND status = 'cancelled'",
  transfer:
    "SELECT 1 FROM transfers f JOIN ledger_transactions t ON t.reference = f.id AND t.kind = 'transfer' WHERE f.id = ?",
  sync: "SELECT 1 FROM positions WHERE ticket = substr(?, 7) || '-0'",
}

/** Compares the disk with what was acknowledged since the last check. */
function inspect(since: number, directory = dataDir): void {
  const connection = openIn(directory)
  try {
    for (const write of writes.slice(since)) {
      const id = write.acknowledged ?? fail('an unacknowledged write was counted')
      if (!connection.get(PRESENT[write.kind], [id])) {
        lost += 1
        process.stdout.write(`lost: ${write.kind} ${id} (${write.key})\n`)
      }
      if (write.kind === 'settle' || write.kind === 'partial') {
        const row = connection.get<{ n: number }>(
          `SELECT count(*) AS n FROM ledger_transactions WHERE kind = 'deposit' AND reference = ?`,
          [id],
        )
        if (row?.n === 0) lost += 1
        if ((row?.n ?? 0) > 1) doubled += 1
      }
    }
    for (const table of ['deposits', 'withdrawals', 'transfers']) {
      const twice = connection.get<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM ${table} WHERE note IS NOT NULL GROUP BY note HAVING count(*) > 1)`,
      )
      doubled += twice?.n ?? 0
    }
    const torn = connection.all(
      "SELECT server FROM positions GROUP BY substr(ticket, 1, instr(ticket, '-')) HAVING count(*) <> 40",
    )
    if (torn.length > 0) fail('a sync is there in part')
    funded = connection.all<{ id: string; traderId: string }>(
      'SELECT id, trader_id AS traderId FROM wallets WHERE available > 100 LIMIT 200',
    )
    const unbalanced = connection.all(
      'SELECT 1 FROM ledger_entries GROUP BY transaction_id, currency HAVING sum(amount) <> 0',
    )
    if (unbalanced.length > 0) fail('a movement does not balance')
    const drifted = connection.all(
      `SELECT 1 FROM wallets w WHERE available <> (SELECT coalesce(sum(amount), 0) FROM ledger_entries e WHERE e.wallet_id = w.id AND account = 'client_available')
        OR held <> (SELECT coalesce(sum(amount), 0) FROM ledger_entries e WHERE e.wallet_id = w.id AND account = 'client_held')`,
    )
    if (drifted.length > 0) fail('a wallet differs from its entries')
    const gap = connection.all('SELECT tenant_id FROM events GROUP BY tenant_id HAVING max(sequence) <> count(*)')
    if (gap.length > 0) fail('the outbox has a gap')
    const settled = connection.get<{
      n: number
    }>(`SELECT (SELECT count(*) FROM deposits WHERE status IN ('settled', 'partially_settled')) -
      (SELECT count(*) FROM events WHERE event = 'deposit.settled') AS n`)
    if (settled?.n !== 0) fail('settled deposits and their events differ')
  } finally {
    connection.close()
  }
}

async function inspectWhole(): Promise<void> {
  const connection = openIn(dataDir)
  try {
    const rows = connection.all<{ integrity_check: string }>('PRAGMA integrity_check')
    if (rows[0]?.integrity_check !== 'ok') fail(`integrity_check: ${JSON.stringify(rows)}`)
    if (connection.all('PRAGMA foreign_key_check').length > 0) fail('foreign_key_check found rows')
    const secrets = createSecretBox(loadOrCreateKey(join(dataDir, 'secret.key')))
    for (const { id } of connection.all<{ id: string }>('SELECT id FROM tenants')) {
      const chain = await verifyChain(connection, secrets, id)
      if (!chain.intact) fail(`the audit chain is broken: ${JSON.stringify(chain.firstBroken)}`)
    }
  } finally {
    connection.close()
  }
}

/** Allows withdrawals without documents, and makes a second approver; returns that person's cookie. */
async function prepare(env: Record<string, string>): Promise<string> {
  const server = await startProcess(['serve', '--data-dir', dataDir], { cwd, env })
  const signIn = async (email: string): Promise<string> => {
    const login = await ask(server.url, 'POST', '/v1/auth/login', { body: { email, password: 'crash crash crash' } })
    if (login.status !== 200) fail(`could not sign in: ${login.text}`)
    return (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  }
  const headers = { cookie: await signIn('crash@crash.test'), origin: server.url }
  const policy = { currency: 'EUR', threshold: '90000000000.00', minKycLevel: 0 }
  const set = await ask(server.url, 'PUT', '/v1/approval-policies', { headers, body: policy })
  const second = {
    email: 'second@crash.test',
    displayName: 'Second',
    roles: ['manager'],
    password: 'crash crash crash',
  }
  const invited = await ask(server.url, 'POST', '/v1/users/invite', { headers, body: second })
  if (set.status !== 200 || invited.status !== 201) fail(`could not prepare: ${set.text} ${invited.text}`)
  const cookie = await signIn(second.email)
  // a person must change a password that a colleague set before a decision
  const changed = { currentPassword: second.password, newPassword: 'crash crash crash crash' }
  const own = await ask(server.url, 'POST', '/v1/auth/change-password', {
    headers: { cookie, origin: server.url },
    body: changed,
  })
  if (own.status !== 200) fail(`could not change the password: ${own.text}`)
  await server.kill('SIGTERM')
  vouchFor(dataDir, second.email)
  return sessionAfter(own)
}

/** Restores the replica after a last run of the server since the last kill, and checks it as it checks the data. */
async function restoreLast(env: Record<string, string>): Promise<void> {
  const server = await startProcess(['serve', '--data-dir', dataDir], { cwd, env })
  await untilReplicated(server)
  // the server brings the last changes to the replica when it ends
  await server.kill('SIGTERM')
  const target = join(cwd, 'restored')
  const restored = await runCommand(
    ['restore', '--to', target, '--key-file', join(dataDir, 'secret.key'), '--data-dir', dataDir],
    { cwd, env },
  )
  if (restored.code !== 0) fail(`the restore failed: ${restored.stderr}`)
  inspect(0, target)
  if (lost + doubled > 0) fail(`the restore: ${lost} lost, ${doubled} doubled`)
  process.stdout.write(`${restored.stdout}the restore has all ${writes.length} acknowledged\n`)
}

async function run(): Promise<void> {
  const made = await runCommand(
    ['setup', '--tenant', 'Crash', '--email', 'crash@crash.test', '--password-stdin', '--data-dir', dataDir],
    { cwd, stdin: 'crash crash crash' },
  )
  if (made.code !== 0) fail(made.stderr)
  const scopes =
    'traders:write,deposits:write,deposit-decisions:write,withdrawals:write,wallets:write,gifts:write,positions:write'
  const key = await runCommand(
    ['api-key', 'create', '--tenant', 'crash', '--label', 'crash', '--scopes', scopes, '--data-dir', dataDir],
    { cwd },
  )
  const first = { 'x-api-key': key.stdout.trim() }
  const env = {
    ...NO_LIMITS,
    BROKERBASE_LOG_LEVEL: 'info',
    ...(REPLICATES && { BROKERBASE_REPLICA_URL: `file://${cwd}/replica` }),
  }
  const cookie = await prepare(env)
  const callers: Callers = { first, second: (url) => ({ cookie, origin: url }) }
  const started = performance.now()
  for (let cycle = 1; cycle <= CYCLES; cycle++) {
    const since = writes.length
    const server = await startProcess(['serve', '--data-dir', dataDir], { cwd, env })
    let stop = false
    const clients = Array.from({ length: CLIENTS }, () => client(server, callers, () => stop))
    await Bun.sleep(20 + Math.random() * 280)
    await server.kill('SIGKILL')
    stop = true
    await Promise.all(clients)
    inspect(since)
    if (cycle % FULL_CHECK_EVERY === 0 || cycle === CYCLES) {
      await inspectWhole()
      process.stdout.write(
        `cycle ${cycle}: ${writes.length} acknowledged, ${repeated} repeated after a crash, ${refused} refused by the rules, ${lost} lost, ${doubled} doubled\n`,
      )
    }
    if (lost + doubled > 0) fail(`cycle ${cycle}: ${lost} lost, ${doubled} doubled`)
  }
  const seconds = (performance.now() - started) / 1000
  const kinds = Object.fromEntries(
    [...Map.groupBy(writes, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]),
  )
  if (REPLICATES) await restoreLast(env)
  process.stdout.write(
    `${CYCLES} cycles in ${seconds.toFixed(0)} s: ${JSON.stringify(kinds)}; ledger zero, chain whole, outbox without gap, integrity ok\n`,
  )
  process.stdout.write(`${writes.length} acknowledged, ${lost} lost, ${doubled} doubled\n`)
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\nThe data is kept in ${dataDir}\n`)
  process.exit(1)
}
rmSync(cwd, { recursive: true, force: true })
