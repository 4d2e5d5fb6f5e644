import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ask,
  must,
  NO_LIMITS,
  PASSWORD,
  type Process,
  requireExecutable,
  signIn,
  startFirm,
  startProcess,
  storedIn,
} from './executable.ts'
import { numberOption } from './options.ts'
import { vouchFor } from './vouch.ts'

/**
 * Moves a firm into the built server. A file of clients with accounts and opening balances is imported, confirmed by a
 * second person and undone, while another person reads a client again and again. Then all of this is repeated with a
 * SIGKILL during each step. Every row must be there once, and the books must match the control totals. Usage: bun run
 * move-in -- [--clients 100000] [--killed 20000]
 */
const CLIENTS = numberOption('clients', 100_000)
const KILLED = numberOption('killed', 20_000)
const KILLS = 5
const COLLEAGUE = 'second@movers.test'
const OWN_WORD = 'another password of tests'

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-move-in-'))
const dataDir = join(cwd, 'data')
let server: Process
let owner = ''
let second = ''

const call = async (method: string, path: string, body?: object, cookie = owner) => {
  const { status, json, text } = await ask(server.url, method, path, {
    headers: { cookie, origin: server.url },
    ...(body ? { body } : {}),
  })
  must(status < 300, `${method} ${path} answered ${status}: ${text.slice(0, 500)}`)
  return json
}
const stored = <T>(sql: string): T => storedIn<T>(dataDir, sql)

/** Makes a firm with two independent people. */
async function found(): Promise<void> {
  const colleague = { email: COLLEAGUE, displayName: 'Second', roles: ['admin'], password: PASSWORD }
  await call('POST', '/v1/users/invite', colleague)
  const first = await signIn(server.url, COLLEAGUE, PASSWORD)
  await call('POST', '/v1/auth/change-password', { currentPassword: PASSWORD, newPassword: OWN_WORD }, first)
  await server.kill('SIGTERM')
  vouchFor(dataDir, COLLEAGUE)
  server = await startProcess(['serve'], { cwd, env: NO_LIMITS })
  second = await signIn(server.url, COLLEAGUE, OWN_WORD)
}

/** Returns a file as another system writes it: every client has an account, and two of three clients have money. */
function buildFile(count: number, word: string): { csv: string; controlTotals: Record<string, string> } {
  const lines = ['Client ID;E-Mail;Vorname;Nachname;Land;Telefon;Konto;Währung;Saldo']
  const totals = { EUR: 0, USD: 0 }
  for (let n = 0; n < count; n += 1) {
    const currency = n % 2 === 0 ? 'EUR' : 'USD'
    const cents = n % 3 === 0 ? 0 : 100 + ((n * 7919) % 1_000_000)
    totals[currency] += cents
    const phone = `+4917${String(10_000_000 + n)}`
    lines.push(
      `${word}${n};${word}${n}@clients.test;Anna;Muster ${n};Deutschland;${phone};${word}${70_000_000 + n};${currency};${(cents / 100).toFixed(2)}`,
    )
  }
  const text = (cents: number): string => (cents / 100).toFixed(2)
  return { csv: lines.join('\n'), controlTotals: { EUR: text(totals.EUR), USD: text(totals.USD) } }
}

type Row = {
  status: string
  cursor: number
  created: number
  refused: number
  undone: number
  left: number
  failure: string | null
}
const readRow = (id: string): Row =>
  stored(`SELECT status, "cursor", created, refused, undone, "left", failure FROM imports WHERE id = '${id}'`)

/** Waits for a state, and kills the server `kills` times as the work advances. */
async function until(id: string, state: string, kills = 0, whole = 1): Promise<void> {
  let killed = 0
  const end = Date.now() + 900_000
  for (;;) {
    const { status, cursor, failure } = readRow(id)
    if (status === state) break
    must(status !== 'failed', `the import failed: ${failure}`)
    must(Date.now() < end, `the import stands still as ${status} at ${cursor}: ${server.log().slice(-2000)}`)
    if (killed < kills && cursor > (whole * (killed + 0.5)) / (kills + 1)) {
      await server.kill('SIGKILL')
      server = await startProcess(['serve'], { cwd, env: NO_LIMITS })
      killed += 1
    }
    await Bun.sleep(killed < kills ? 5 : 50)
  }
}

/** Measures how long a reader waits for one client, again and again, until it is stopped. */
function watch(path: string): { stop: () => Promise<number[]> } {
  let isOn = true
  const times: number[] = []
  const reading = (async () => {
    while (isOn) {
      const began = performance.now()
      await call('GET', path)
      times.push(performance.now() - began)
      await Bun.sleep(5)
    }
    return times
  })()
  return {
    stop: () => {
      isOn = false
      return reading
    },
  }
}

const at = (times: readonly number[], share: number): string =>
  `${(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1)} ms`

/** Checks the books: each opening balance must be there once, with the entry on the firm's side. */
function checkBooks(word: string, count: number, undone: boolean): void {
  const clients = stored<{ n: number; mails: number }>(
    `SELECT count(*) AS n, count(DISTINCT email) AS mails FROM traders WHERE email LIKE '${word}%' AND deleted_at IS NULL`,
  )
  must(clients.n === (undone ? 0 : count) && clients.mails === clients.n, `clients: ${JSON.stringify(clients)}`)
  const { off } = stored<{ off: number }>(
    'SELECT count(*) AS off FROM (SELECT transaction_id FROM ledger_entries GROUP BY transaction_id, currency HAVING sum(amount) <> 0)',
  )
  must(off === 0, `${off} movements do not balance`)
  const { drifted } = stored<{ drifted: number }>(
    `SELECT count(*) AS drifted FROM wallets w WHERE available <> (SELECT coalesce(sum(amount), 0) FROM ledger_entries e
      WHERE e.tenant_id = w.tenant_id AND e.wallet_id = w.id)`,
  )
  must(drifted === 0, `${drifted} wallets differ from the books`)
}

async function moveIn(word: string, count: number, kills: number): Promise<void> {
  const file = buildFile(count, word)
  const opened = (currency: string) =>
    stored<{ sum: string }>(
      `SELECT printf('%.2f', coalesce(-sum(amount), 0) / 100.0) AS sum FROM ledger_entries WHERE account = 'opening_balances' AND currency = '${currency}'`,
    ).sum
  const before = { EUR: Number(opened('EUR')), USD: Number(opened('USD')) }
  const { id: other } = await call('POST', '/v1/traders', { email: `other-${word}@movers.test` })
  const watching = kills === 0 ? watch(`/v1/traders/${other}`) : null
  const began = performance.now()
  const { id } = await call('POST', '/v1/traders/import', { ...file, platform: 'terminal5' })
  const received = performance.now()
  await until(String(id), 'loaded', kills, count)
  const loaded = performance.now()
  await call('POST', `/v1/traders/import/${id}/confirm`, {}, second)
  await until(String(id), 'done', kills, count)
  const ended = performance.now()
  const times = await watching?.stop()
  const row = readRow(String(id))
  must(row.created === count && row.refused === 0, JSON.stringify(row))
  checkBooks(word, count, false)
  for (const currency of ['EUR', 'USD'] as const)
    must(
      (Number(opened(currency)) - before[currency]).toFixed(2) === file.controlTotals[currency],
      `${currency} differs`,
    )
  const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`
  process.stdout.write(
    `${count} clients, ${kills} kills a work: received ${seconds(began, received)}, checked and imported ${seconds(received, loaded)}, posted ${seconds(loaded, ended)}, in all ${seconds(began, ended)}${
      times
        ? `; get meanwhile p50 ${at(times, 0.5)}, p99 ${at(times, 0.99)}, slowest ${at(times, 1)} of ${times.length}`
        : ''
    }\n`,
  )
  const undoing = performance.now()
  await call('POST', `/v1/traders/import/${id}/undo`)
  await until(String(id), 'undone', kills, count)
  must(readRow(String(id)).undone === count && readRow(String(id)).left === 0, JSON.stringify(readRow(String(id))))
  checkBooks(word, count, true)
  for (const currency of ['EUR', 'USD'] as const)
    must(Number(opened(currency)) === before[currency], `${currency} is left`)
  process.stdout.write(`undone in ${seconds(undoing, performance.now())}\n`)
}

try {
  const started = await startFirm('movers', { cwd, env: NO_LIMITS })
  server = started.server
  owner = started.cookie
  await found()
  await moveIn('m', CLIENTS, 0)
  if (KILLED > 0) await moveIn('k', KILLED, KILLS)
  must((await server.kill('SIGTERM')) === 0, 'the server did not stop cleanly')
  process.stdout.write(`${KILLED > 0 ? 2 : 1} passed, 0 failed\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
process.exit()
