import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { addFirm, GIGABYTE } from '../bench/dataset.ts'
import { specimenCard } from '../commands/demo/paper.ts'
import { ask, must, requireExecutable, runCommand } from './executable.ts'
import { numberOption } from './options.ts'
import { closePair, cutPower, foundPair, type Machine, signInOn, startOn, untilStatus, within } from './pair.ts'

/**
 * Kills the primary of a pair again and again while it is written to, promotes the standby, and lets the old machine
 * come back as the standby of the new one. With `--wait all` nothing that was answered may be missing; without it, what
 * is missing must stand in the list of `left-behind`. With `--large`, another firm makes the database as large as 1 GB.
 * Usage: bun run takeover -- [--rounds 5] [--wait all] [--large]
 */
const ROUNDS = numberOption('rounds', 5)
const WAIT = process.argv.includes('all') ? 'all' : 'off'
/** A standby fetches and proves the whole database first (s). */
const FIRST_COPY_WITHIN = 900
/** The documents that a round uploads, among its clients. */
const EACH_WITH_PAPER = 40

requireExecutable()

type Headers = Record<string, string>

/** What was answered, by its id: a client, or a document with its client. */
type Answered = { clients: Set<string>; papers: Map<string, string> }

/** Uploads a document of a client, and returns the id of its file. */
async function upload(url: string, headers: Headers, traderId: string): Promise<string> {
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
async function write({ url }: Machine, headers: Headers, name: string, answered: Answered): Promise<void> {
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
async function findMissing({ url }: Machine, headers: Headers, { clients, papers }: Answered): Promise<string[]> {
  const read = (path: string) => fetch(url + path, { headers })
  const missing: string[] = []
  for (const id of clients) if ((await read(`/v1/traders/${id}`)).status !== 200) missing.push(id)
  for (const id of papers.keys()) if ((await read(`/v1/kyc/documents/${id}/file`)).status !== 200) missing.push(id)
  return missing
}

/** Returns what stands in the list of the old machine. */
async function readLeftBehind({ cwd, env }: Machine): Promise<string> {
  const { stdout, stderr, code } = await runCommand(['left-behind'], { cwd, env })
  must(code === 0, `left-behind: ${stderr}`)
  return stdout
}

/** Promotes the standby, and returns the seconds until it accepted a write, and its steps. */
async function promote(machine: Machine): Promise<{ seconds: number; steps: string; headers: Headers }> {
  const began = performance.now()
  const { cwd, env, url } = machine
  const { stdout, stderr, code } = await runCommand(['promote'], { cwd, env })
  must(code === 0, `promote: ${stdout}${stderr}`)
  const headers = await signInOn(machine)
  await within('a write is accepted', 60, async () => {
    const body = { email: `after-${Date.now()}@clients.test` }
    return (await ask(url, 'POST', '/v1/traders', { headers, body })).status === 201
  })
  return { seconds: (performance.now() - began) / 1_000, steps: stdout, headers }
}

/** Runs one round; the roles have changed after it. */
async function round(primary: Machine, standby: Machine, name: string): Promise<string> {
  await untilStatus(standby, '/ready/read', 200, FIRST_COPY_WITHIN)
  const headers = await signInOn(primary)
  const answered: Answered = { clients: new Set(), papers: new Map() }
  const writing = Promise.all([1, 2, 3].map((writer) => write(primary, headers, `${name}-${writer}`, answered)))
  await Bun.sleep(2_000 + Math.random() * 4_000)
  await cutPower(primary)
  await writing
  const { seconds, steps, headers: again } = await promote(standby)
  const missing = await findMissing(standby, again, answered)
  const list = missing.length > 0 ? await readLeftBehind(primary) : ''
  const lost = missing.filter((id) => !list.includes(id))
  must(lost.length === 0, `${lost.length} of ${answered.clients.size} are nowhere: ${lost[0]}`)
  must(WAIT === 'off' || missing.length === 0, `${missing.length} are missing although their answers waited`)
  await startOn(primary, ['serve'])
  await untilStatus(primary, '/ready/primary', 503)
  await untilStatus(primary, '/v1/traders', 503)
  await cutPower(primary)
  await startOn(primary, ['standby', '--replace'])
  const { clients, papers } = answered
  const said = steps.trim().split('\n').at(-1)
  return `${name}: ${clients.size} clients and ${papers.size} documents answered, ${missing.length} of them in the list; ${seconds.toFixed(1)} s to the first write; ${said}`
}

/** Returns the lists that the old machines kept of what they had answered. */
const listKept = ({ data }: Machine): string[] =>
  readdirSync(data)
    .filter((name) => name.startsWith('before-standby-'))
    .map((name) => readFileSync(join(data, name, 'left-behind.csv'), 'utf8'))

async function run(): Promise<void> {
  const wait = { BROKERBASE_REPLICA_WAIT: WAIT }
  const pair = await foundPair((root) => `file://${root}/replica`, { primary: wait, standby: wait })
  try {
    const { primary: a, standby: b } = pair
    if (process.argv.includes('--large')) {
      addFirm(a.data, GIGABYTE)
      process.stdout.write(`a database of ${(statSync(join(a.data, 'brokerbase.db')).size / 1e9).toFixed(2)} GB\n`)
    }
    await startOn(a, ['serve'])
    await startOn(b, ['standby'])
    for (let n = 0; n < ROUNDS; n += 1) {
      const [primary, standby] = n % 2 === 0 ? [a, b] : [b, a]
      process.stdout.write(`${await round(primary, standby, `round-${n + 1}`)}\n`)
    }
    const lists = [a, b].flatMap(listKept)
    must(lists.length === ROUNDS, `${lists.length} lists of ${ROUNDS} old machines are kept`)
    must(
      lists.every((list) => list.startsWith('firm,')),
      'a list has no heads',
    )
  } finally {
    await closePair(pair)
  }
}

try {
  await run()
  process.stdout.write(`${ROUNDS} passed, 0 failed\n`)
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
process.exit()
