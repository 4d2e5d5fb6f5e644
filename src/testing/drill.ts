import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { specimenCard } from '../commands/demo/paper.ts'
import { openReader } from '../platform/sqlite.ts'
import {
  ask,
  NO_LIMITS,
  type Process,
  requireExecutable,
  runCommand,
  startFirm,
  startProcess,
  untilReplicated,
} from './executable.ts'
import { numberOption } from './options.ts'

/**
 * Loses the machine at random moments under load, again and again, and restores the replica with the built executable.
 * Every restore must pass all checks. Nothing may be missing that was acknowledged more than 5 s before, and nothing at
 * all if answers wait for the replica. In between, the engine is killed at random moments. Every fifth round continues
 * with the restored data, as a new machine would. Usage: bun run drill -- --rounds 100 [--clients 4]
 */
const ROUNDS = numberOption('rounds', 100)
const CLIENTS = numberOption('clients', 4)
/** A write may be missing only if it was acknowledged at most this long before the cut. */
const MOST_MISSING_MS = 5_000
const MOVES_EVERY = 5

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-drill-'))
const dataDir = join(cwd, 'data')
const env = {
  ...NO_LIMITS,
  BROKERBASE_LOG_LEVEL: 'info',
  BROKERBASE_REPLICA_URL: `file://${cwd}/replica`,
}
const paper = new Uint8Array(specimenCard([90, 120, 160]))

/** An acknowledged write: its time, in milliseconds of servers' running time, and whether it waited for the replica. */
type Known = { kind: 'trader' | 'paper'; id: string; at: number; waited: boolean }
let known: Known[] = []
/** The running time of earlier servers, and the start of this one. */
const ran = { before: 0, since: 0 }
const runningTime = (): number => ran.before + performance.now() - ran.since
const slowest = { ms: 0, what: '' }
const lags: number[] = []
const missing: number[] = []
let acknowledged = 0
let refused = 0
let engineKills = 0
let serial = 0

const fail = (what: string): never => {
  throw new Error(what)
}
const must = (ok: boolean, what: string): void => {
  if (!ok) fail(what)
}

/** Returns the value below which a share of some numbers lies. */
const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

type Caller = { server: Process; cookie: string }

/**
 * Sends a write and returns its answer; null if the server was cut off, or refused the write because of the replica.
 */
async function write({ server, cookie }: Caller, path: string, body: object): Promise<Record<string, unknown> | null> {
  const began = performance.now()
  serial += 1
  const headers = { cookie, origin: server.url, 'idempotency-key': `drill-${serial}` }
  const answer = await ask(server.url, 'POST', path, { headers, body }).catch(() => null)
  if (answer?.status === 503) refused += 1
  if (answer === null || answer.status === 503) return null
  must(answer.status < 300, `${path} answered ${answer.status}: ${answer.text}`)
  const took = performance.now() - began
  if (took > slowest.ms) Object.assign(slowest, { ms: took, what: path })
  acknowledged += 1
  return answer.json
}

async function client(caller: Caller, waited: boolean, over: () => boolean): Promise<void> {
  while (!over()) {
    const email = `d${serial}-${Math.random()}@drill.test`
    const made = await write(caller, '/v1/traders', { email, firstName: 'Drill' })
    if (made) known.push({ kind: 'trader', id: String(made.id), at: runningTime(), waited })
    if (!made || Math.random() > 0.1) continue
    const traderId = String(made.id)
    const announced = { traderId, contentType: 'image/png', fileSize: paper.byteLength }
    const upload = await write(caller, '/v1/kyc/documents/upload', announced)
    if (!upload) continue
    const put = await fetch(`${caller.server.url}${upload.uploadUrl}`, {
      method: 'PUT',
      headers: { 'content-type': 'image/png' },
      body: paper,
    }).catch(() => null)
    if (!put?.ok) continue
    const document = await write(caller, '/v1/kyc/documents/confirm', { key: upload.key, kind: 'passport', traderId })
    if (document) known.push({ kind: 'paper', id: String(document.id), at: runningTime(), waited })
  }
}

/** Reads the server's own figure of its lag, ten times a second. */
async function watchLag({ server }: Caller, over: () => boolean): Promise<void> {
  while (!over()) {
    const figures = await fetch(`${server.url}/metrics`).then(
      (answer) => answer.text(),
      () => '',
    )
    const lag = /^brokerbase_replica_lag_seconds ([\d.e+-]+)$/m.exec(figures)?.[1]
    if (lag !== undefined) lags.push(Number(lag) * 1000)
    await Bun.sleep(100)
  }
}

const killEngine = (): boolean => Bun.spawnSync(['pkill', '-9', '-f', `${dataDir}/engine/`]).exitCode === 0

/** Returns the acknowledged writes that a restored database lacks, without documents that it reports missing. */
function absent(directory: string, papers: readonly { fileId: string }[]): Known[] {
  const db = openReader(join(directory, 'brokerbase.db'))
  const gone = new Set(papers.map(({ fileId }) => fileId))
  try {
    const isThere = ({ kind, id }: Known): boolean => {
      if (kind === 'trader') return db.get('SELECT 1 FROM traders WHERE id = ?', [id]) !== undefined
      const row = db.get<{ fileId: string }>('SELECT file_id AS fileId FROM kyc_documents WHERE id = ?', [id])
      return row !== undefined && !gone.has(row.fileId)
    }
    return known.filter((one) => !isThere(one))
  } finally {
    db.close()
  }
}

const said = (some: readonly object[]): string => JSON.stringify(some.slice(0, 3))

/** Runs one round: load, a cut, a restore, a check. */
async function round(number: number, cookie: string): Promise<void> {
  const waits = number % 2 === 0
  const server = await startProcess(['serve', '--data-dir', dataDir], {
    cwd,
    env: { ...env, BROKERBASE_REPLICA_WAIT: waits ? 'all' : 'off' },
  })
  const caller = { server, cookie }
  // a directory without a copy cannot be restored, and a new machine waits until the old lease is over
  if (number % MOVES_EVERY === 1) await untilReplicated(server)
  ran.since = performance.now()
  let over = false
  const ends = () => over
  const work = [watchLag(caller, ends), ...Array.from({ length: CLIENTS }, () => client(caller, waits, ends))]
  const length = 500 + Math.random() * 3_500
  if (Math.random() < 0.5) {
    const moment = Math.random() * length
    await Bun.sleep(moment)
    if (killEngine()) engineKills += 1
    await Bun.sleep(length - moment)
  } else await Bun.sleep(length)
  const cut = runningTime()
  const gone = server.kill('SIGKILL')
  killEngine()
  await gone
  over = true
  await Promise.all(work)
  ran.before = cut
  const target = join(cwd, 'restored')
  rmSync(target, { recursive: true, force: true })
  const began = performance.now()
  const restored = await runCommand(
    ['restore', '--to', target, '--key-file', join(dataDir, 'secret.key'), '--json', '--data-dir', dataDir],
    { cwd, env },
  )
  must(restored.code === 0, `round ${number}: the restore failed: ${restored.stderr} ${restored.stdout}`)
  const { check }: { check: { papers: number; missing: { fileId: string }[]; faults: string[] } } = JSON.parse(
    restored.stdout,
  )
  must(check.faults.length === 0, `round ${number}: ${restored.stdout}`)
  const lost = absent(target, check.missing).map((one) => ({ ...one, age: cut - one.at }))
  const ages = lost.map(({ age }) => age)
  const oldest = Math.max(0, ...ages)
  if (waits)
    must(lost.length === 0, `round ${number}: ${lost.length} acknowledged are missing: ${JSON.stringify(lost)}`)
  else missing.push(oldest)
  must(
    oldest <= MOST_MISSING_MS,
    `round ${number}: what was acknowledged ${oldest.toFixed(0)} ms before is missing: ${said(lost)}`,
  )
  if (number % MOVES_EVERY === 0) {
    const kept = new Set(lost.map(({ id }) => id))
    known = known.filter(({ id }) => !kept.has(id))
    rmSync(dataDir, { recursive: true })
    const moved = Bun.spawnSync(['mv', target, dataDir])
    must(moved.exitCode === 0, 'the restored directory could not be moved')
  }
  process.stdout.write(
    `round ${number}${waits ? ', answers wait' : ''}: ${known.length} known, ${lost.length} missing (${oldest.toFixed(0)} ms), ${check.papers} papers, restored in ${((performance.now() - began) / 1000).toFixed(1)} s\n`,
  )
}

/** Signs the owner in again, since sessions do not survive a restore. */
async function signInAgain(): Promise<string> {
  const server = await startProcess(['serve', '--data-dir', dataDir], { cwd, env })
  const body = { email: 'owner@drill.test', password: 'a password of tests' }
  const answer = await ask(server.url, 'POST', '/v1/auth/login', { body })
  must(answer.status === 200, `could not sign in: ${answer.text}`)
  await server.kill('SIGTERM')
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

async function run(): Promise<void> {
  const founded = await startFirm('drill', { cwd, env })
  await founded.server.kill('SIGTERM')
  let cookie = founded.cookie
  for (let number = 1; number <= ROUNDS; number += 1) {
    await round(number, cookie)
    if (number % MOVES_EVERY === 0) cookie = await signInAgain()
  }
  const histories = readdirSync(join(cwd, 'replica')).length
  process.stdout.write(
    `lag p50 ${quantile(lags, 0.5).toFixed(0)} ms, p99 ${quantile(lags, 0.99).toFixed(0)} ms; missing without waiting p50 ${quantile(missing, 0.5).toFixed(0)} ms, at most ${Math.max(0, ...missing).toFixed(0)} ms; slowest write ${slowest.ms.toFixed(0)} ms (${slowest.what}); engine killed ${engineKills} times; ${refused} refused; ${histories} entries in the replica\n`,
  )
  process.stdout.write(`${ROUNDS} rounds, ${acknowledged} acknowledged, every restore good\n`)
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\nThe data is kept in ${cwd}\n`)
  process.exit(1)
}
rmSync(cwd, { recursive: true, force: true })
