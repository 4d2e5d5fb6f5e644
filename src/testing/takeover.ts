import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { specimenCard } from '../commands/demo/paper.ts'
import {
  ask,
  must,
  NO_LIMITS,
  PASSWORD,
  type Process,
  requireExecutable,
  runCommand,
  signIn,
  startProcess,
} from './executable.ts'
import { freePort } from './free-port.ts'
import { numberOption } from './options.ts'

/**
 * Kills the primary of a pair again and again while it is written to, promotes the standby, and lets the old machine
 * come back as the standby of the new one. With `--wait all` nothing that was answered may be missing; without it, what
 * is missing must stand in the list of `left-behind`. Usage: bun run takeover -- [--rounds 5] [--wait all]
 */
const ROUNDS = numberOption('rounds', 5)
const WAIT = process.argv.includes('all') ? 'all' : 'off'
const EMAIL = 'owner@pair.test'
/** The documents that a round uploads, among its clients. */
const EACH_WITH_PAPER = 40

requireExecutable()
const root = mkdtempSync(join(tmpdir(), 'brokerbase-takeover-'))
const env = {
  ...NO_LIMITS,
  BROKERBASE_REPLICA_URL: `file://${root}/replica`,
  BROKERBASE_REPLICA_WAIT: WAIT,
  BROKERBASE_LOG_LEVEL: 'info',
}

/** One of the two machines: its directory and port. */
type Machine = { cwd: string; port: number; process: Process | undefined }

async function makeMachine(name: string): Promise<Machine> {
  const cwd = join(root, name)
  mkdirSync(join(cwd, 'data'), { recursive: true })
  return { cwd, port: await freePort(), process: undefined }
}
async function start(machine: Machine, args: string[]): Promise<string> {
  machine.process = await startProcess(args, { cwd: machine.cwd, env, port: machine.port })
  return machine.process.url
}
const toUrl = ({ port }: Machine): string => `http://127.0.0.1:${port}`

/** Asks until an answer has this status. */
async function untilStatus(machine: Machine, path: string, status: number, patience = 120): Promise<void> {
  for (let tries = 0; tries < patience * 10; tries += 1) {
    const answer = await fetch(toUrl(machine) + path).catch(() => undefined)
    if (answer?.status === status) return
    await Bun.sleep(100)
  }
  throw new Error(`${path} of ${machine.cwd} was not ${status}: ${machine.process?.log().slice(-3_000)}`)
}

/** Kills a machine: its server, and the engine with it. */
async function kill({ process: server, cwd }: Machine): Promise<void> {
  if (!server) return
  Bun.spawnSync(['pkill', '-9', '-f', `${cwd}/`])
  await server.kill('SIGKILL')
}

/** What was answered, by its id: a client, or a document with its client. */
type Answered = { clients: Set<string>; papers: Map<string, string> }

/** Uploads a document of a client, and returns the id of its file. */
async function upload(url: string, headers: Record<string, string>, traderId: string): Promise<string> {
  const bytes = new Uint8Array(specimenCard([120, 90, 60]))
  const announced = { traderId, contentType: 'image/png', fileSize: bytes.byteLength }
  const { json } = await ask(url, 'POST', '/v1/kyc/documents/upload', { headers, body: announced })
  const put = await fetch(`${url}${json.uploadUrl}`, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: bytes,
  })
  must(put.ok, 'a document was not taken')
  const body = { key: json.key, kind: 'passport', traderId }
  const confirmed = await ask(url, 'POST', '/v1/kyc/documents/confirm', { headers, body })
  must(confirmed.status === 201 || confirmed.status === 200, confirmed.text)
  return String(confirmed.json.id)
}

/** Writes clients, some with a document, until the server is gone; adds what was answered. */
async function write(machine: Machine, cookie: string, name: string, answered: Answered): Promise<void> {
  const url = toUrl(machine)
  const headers = { cookie, origin: url }
  for (let n = 0; ; n += 1) {
    try {
      const body = { email: `${name}-${n}@clients.test` }
      const { status, json } = await ask(url, 'POST', '/v1/traders', { headers, body })
      if (status !== 201) continue
      answered.clients.add(String(json.id))
      if (n % EACH_WITH_PAPER === EACH_WITH_PAPER - 1)
        answered.papers.set(await upload(url, headers, String(json.id)), String(json.id))
    } catch {
      return
    }
    await Bun.sleep(5)
  }
}

/** Returns the answered clients and documents that a server does not have. */
async function findMissing(machine: Machine, cookie: string, { clients, papers }: Answered): Promise<string[]> {
  const read = (path: string) => fetch(toUrl(machine) + path, { headers: { cookie } })
  const missing: string[] = []
  for (const id of clients) if ((await read(`/v1/traders/${id}`)).status !== 200) missing.push(id)
  for (const id of papers.keys()) if ((await read(`/v1/kyc/documents/${id}/file`)).status !== 200) missing.push(id)
  return missing
}

/** Returns what stands in the list of the old machine. */
async function readLeftBehind({ cwd }: Machine): Promise<string> {
  const { stdout, stderr, code } = await runCommand(['left-behind'], { cwd, env })
  must(code === 0, `left-behind: ${stderr}`)
  return stdout
}

/** Promotes the standby, and returns the seconds until it accepted a write, and its steps. */
async function promote(machine: Machine): Promise<{ seconds: number; steps: string; cookie: string }> {
  const began = performance.now()
  const { stdout, stderr, code } = await runCommand(['promote'], { cwd: machine.cwd, env })
  must(code === 0, `promote: ${stdout}${stderr}`)
  const url = toUrl(machine)
  const cookie = await signIn(url, EMAIL, PASSWORD)
  for (let tries = 0; tries < 600; tries += 1) {
    const body = { email: `after-${Date.now()}@clients.test` }
    const { status } = await ask(url, 'POST', '/v1/traders', { headers: { cookie, origin: url }, body })
    if (status === 201) return { seconds: (performance.now() - began) / 1_000, steps: stdout, cookie }
    await Bun.sleep(100)
  }
  throw new Error(`no write was accepted: ${machine.process?.log().slice(-3_000)}`)
}

/** Runs one round; the roles have changed after it. */
async function round(primary: Machine, standby: Machine, name: string): Promise<string> {
  await untilStatus(standby, '/ready/read', 200)
  const cookie = await signIn(toUrl(primary), EMAIL, PASSWORD)
  const answered: Answered = { clients: new Set(), papers: new Map() }
  const writing = Promise.all([1, 2, 3].map((writer) => write(primary, cookie, `${name}-${writer}`, answered)))
  await Bun.sleep(2_000 + Math.random() * 4_000)
  await kill(primary)
  await writing
  const { seconds, steps, cookie: again } = await promote(standby)
  const missing = await findMissing(standby, again, answered)
  const list = missing.length > 0 ? await readLeftBehind(primary) : ''
  const lost = missing.filter((id) => !list.includes(id))
  must(lost.length === 0, `${lost.length} of ${answered.clients.size} are nowhere: ${lost[0]}`)
  must(WAIT === 'off' || missing.length === 0, `${missing.length} are missing although their answers waited`)
  await start(primary, ['serve'])
  await untilStatus(primary, '/ready/primary', 503)
  await untilStatus(primary, '/v1/health-of-nothing', 503)
  await kill(primary)
  await start(primary, ['standby', '--replace'])
  const { clients, papers } = answered
  const said = steps.trim().split('\n').at(-1)
  return `${name}: ${clients.size} clients and ${papers.size} documents answered, ${missing.length} of them in the list; ${seconds.toFixed(1)} s to the first write; ${said}`
}

async function run(): Promise<void> {
  const [a, b] = [await makeMachine('a'), await makeMachine('b')]
  const made = await runCommand(['setup', '--tenant', 'Pair', '--email', EMAIL, '--password-stdin'], {
    cwd: a.cwd,
    stdin: PASSWORD,
  })
  must(made.code === 0, made.stderr)
  copyFileSync(join(a.cwd, 'data/secret.key'), join(b.cwd, 'data/secret.key'))
  await start(a, ['serve'])
  await start(b, ['standby'])
  for (let n = 0; n < ROUNDS; n += 1) {
    const [primary, standby] = n % 2 === 0 ? [a, b] : [b, a]
    process.stdout.write(`${await round(primary, standby, `round ${n + 1}`.replace(' ', '-'))}\n`)
  }
  const kept = [a, b].flatMap(({ cwd }) => readdirSync(join(cwd, 'data')).filter((name) => name.startsWith('before-')))
  must(kept.length >= ROUNDS, `the data of ${ROUNDS} old machines is kept: ${kept}`)
  for (const { cwd } of [a, b])
    for (const name of kept) {
      const list = join(cwd, 'data', name, 'left-behind.csv')
      if (existsSync(list)) must(readFileSync(list, 'utf8').startsWith('firm,'), `${list} is no list`)
    }
  process.stdout.write(`${ROUNDS} passed, 0 failed\n`)
  await Promise.all([a, b].map(kill))
}

try {
  await run()
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
Bun.spawnSync(['pkill', '-9', '-f', root])
rmSync(root, { recursive: true, force: true })
process.exit()
