import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWriter } from '../platform/sqlite.ts'
import {
  ask,
  must,
  NO_LIMITS,
  type Process,
  requireExecutable,
  runCommand,
  signIn,
  startFirm,
  startProcess,
  storedIn,
} from './executable.ts'
import { natsPath, readSettings, startNats } from './fakes/nats.ts'
import { numberOption } from './options.ts'
import { type Consumer, followStream } from './sink/consumer.ts'

/**
 * Sends events to three servers of NATS while the server is killed again and again, one of the three is killed, all
 * three are away, and the data is restored to an earlier moment. A consumer must see each number of each firm once and
 * in order. Then sends a backlog to one server, and prints how many events a second arrive. Usage: bun run sink --
 * [--rounds 20] [--away 300] [--backlog 20000]
 */
const ROUNDS = numberOption('rounds', 20)
const AWAY_SECONDS = numberOption('away', 300)
const BACKLOG = numberOption('backlog', 20_000)
const WRITERS = 4
const FIRMS = 3

requireExecutable()
if (natsPath === null) {
  process.stdout.write('0 passed, 1 failed\n')
  process.exit(1)
}
const root = mkdtempSync(join(tmpdir(), 'brokerbase-sink-'))
const dataDir = join(root, 'data')
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const seconds = (since: number): string => ((performance.now() - since) / 1_000).toFixed(1)

/** Waits until something holds, for some minutes. */
async function waitFor(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3_000; tries += 1) {
    if (await holds()) return
    await Bun.sleep(100)
  }
  throw new Error(`it did not come to this: ${what}`)
}

/** Returns the last number of each firm. */
function readHeads(): Map<string, number> {
  const { heads } = storedIn<{ heads: string }>(
    dataDir,
    `SELECT json_group_object(tenant_id, head) AS heads FROM
      (SELECT tenant_id, max(sequence) AS head FROM events GROUP BY tenant_id)`,
  )
  return new Map(Object.entries<number>(JSON.parse(heads)))
}

/** Returns a figure of a server; undefined if it has none, or does not answer. */
async function readFigure({ url }: Process, name: string): Promise<number | undefined> {
  const text = await fetch(`${url}/metrics`).then(
    (answer) => answer.text(),
    () => '',
  )
  const figure = new RegExp(`^brokerbase_${name} (\\S+)$`, 'm').exec(text)?.[1]
  return figure === undefined ? undefined : Number(figure)
}

/** Waits until the consumer has every event; throws if a number came twice or not in order. */
async function untilConsumed(consumer: Consumer): Promise<void> {
  await waitFor('the consumer has everything', () => {
    must(consumer.faults().length === 0, `${consumer.faults().length} faults: ${consumer.faults()[0]}`)
    return [...readHeads()].every(([tenantId, head]) => (consumer.numbers().get(tenantId) ?? 0) >= head)
  })
}

/** Writes clients for several firms until it is ended; a server that is away is tried again. */
function writeClients(url: () => string, keys: readonly string[]): () => Promise<void> {
  let isOver = false
  let written = 0
  const write = async (): Promise<void> => {
    while (!isOver) {
      written += 1
      const headers = { 'x-api-key': keys[written % keys.length] ?? '' }
      const body = { email: `c${written}-${Math.random()}@clients.test` }
      await ask(url(), 'POST', '/v1/traders', { headers, body }).catch(() => Bun.sleep(20))
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, write))
  return async () => {
    isOver = true
    await writers
  }
}

/** Founds a further firm, whose owner then has a password of their own. */
async function foundFirm(server: Process, cookie: string, slug: string): Promise<void> {
  const [given, own] = [`a first password of ${slug}`, `their own password of ${slug}`]
  const owner = { email: `owner@${slug}.test`, displayName: 'Owner', password: given }
  const post = async (path: string, session: string, body: object): Promise<void> => {
    const { status, text } = await ask(server.url, 'POST', path, {
      headers: { cookie: session, origin: server.url },
      body,
    })
    must(status < 300, text)
  }
  await post('/v1/tenants', cookie, { name: slug, slug, owner })
  const session = await signIn(server.url, owner.email, given)
  await post('/v1/auth/change-password', session, { currentPassword: given, newPassword: own })
}

/** Makes more firms beside the first one, and a key of each that writes clients. */
async function makeKeys(server: Process, cookie: string): Promise<string[]> {
  const keys: string[] = []
  for (let firm = 0; firm < FIRMS; firm += 1) {
    const slug = firm === 0 ? 'sink' : `sink-${firm}`
    if (firm > 0) await foundFirm(server, cookie, slug)
    const args = ['--tenant', slug, '--label', 'trial', '--scopes', 'traders:read,traders:write']
    const { stdout, stderr, code } = await runCommand(['api-key', 'create', ...args], { cwd: root })
    must(code === 0, stderr)
    keys.push(stdout.trim())
  }
  return keys
}

/** Runs all of the trial that needs three servers. */
async function runCluster(): Promise<void> {
  const nats = await startNats(root, 3)
  const url = nats.url('EVENTS')
  const env = { ...NO_LIMITS, BROKERBASE_EVENTS_URL: url }
  const started = await startFirm('sink', { cwd: root, env })
  let { server } = started
  const keys = await makeKeys(server, started.cookie)
  const consumer = await followStream(readSettings(url).place)
  const restart = async (between = (): void => {}): Promise<void> => {
    await server.kill('SIGKILL')
    between()
    server = await startProcess(['serve'], { cwd: root, env })
  }
  let stopWriting = writeClients(() => server.url, keys)

  for (let round = 0; round < ROUNDS; round += 1) {
    await Bun.sleep(500 + Math.random() * 1_500)
    await restart()
  }
  await stopWriting()
  await untilConsumed(consumer)
  print(`${ROUNDS} kills of the server: ${consumer.count()} events, each once and in order`)

  stopWriting = writeClients(() => server.url, keys)
  for (let at = 0; at < 3; at += 1) {
    await Bun.sleep(2_000)
    await nats.kill(at)
    await Bun.sleep(8_000)
    nats.start(at)
    await waitFor('the stream is reached', async () => (await readFigure(server, 'sink_running')) === 1)
  }
  await stopWriting()
  await untilConsumed(consumer)
  print(`each of three servers killed, one after the other: ${consumer.count()} events, each once and in order`)

  stopWriting = writeClients(() => server.url, keys)
  await Promise.all([0, 1, 2].map(nats.kill))
  const [before, beforeAt] = [[...readHeads().values()].reduce((sum, head) => sum + head, 0), performance.now()]
  await Bun.sleep(AWAY_SECONDS * 1_000)
  await stopWriting()
  const written = [...readHeads().values()].reduce((sum, head) => sum + head, 0) - before
  const away = seconds(beforeAt)
  for (const at of [0, 1, 2]) nats.start(at)
  const backAt = performance.now()
  await waitFor('the stream has everything', async () => (await readFigure(server, 'sink_lag_events')) === 0)
  const caughtUp = seconds(backAt)
  await untilConsumed(consumer)
  print(`all three away for ${away} s: ${written} events written meanwhile, all in the stream ${caughtUp} s after`)

  must((await server.kill('SIGTERM')) === 0, `the server did not stop cleanly: ${server.log().slice(-1_000)}`)
  const copy = join(root, 'before')
  cpSync(dataDir, copy, { recursive: true })
  server = await startProcess(['serve'], { cwd: root, env })
  stopWriting = writeClients(() => server.url, keys)
  await Bun.sleep(2_000)
  await stopWriting()
  await untilConsumed(consumer)
  await restart(() => {
    rmSync(dataDir, { recursive: true })
    cpSync(copy, dataDir, { recursive: true })
  })
  const facts = (): string =>
    storedIn<{ value: string }>(
      dataDir,
      `SELECT coalesce(max(value), '[]') AS value FROM box_facts WHERE name = 'sink differences'`,
    ).value
  await waitFor('the restore is noticed', () => JSON.parse(facts()).length === FIRMS)
  stopWriting = writeClients(() => server.url, keys)
  await Bun.sleep(2_000)
  await stopWriting()
  await untilConsumed(consumer)
  const lost = JSON.parse(facts()).map(({ from, to, unsent }: Record<string, number>) => `${from}–${to} (${unsent})`)
  print(`restored to an earlier moment: ${lost.join(', ')}; ${consumer.count()} events, each once and in order`)

  const stopping = performance.now()
  await Promise.all([0, 1, 2].map(nats.kill))
  must((await server.kill('SIGTERM')) === 0, 'the server did not stop cleanly')
  print(`stopped in ${seconds(stopping)} s without NATS`)
  await consumer.stop()
}

/** Sends a backlog to one server, and prints the events a second. */
async function runBacklog(): Promise<void> {
  const nats = await startNats(join(root, 'one'))
  const url = nats.url('EVENTS')
  const db = openWriter(join(dataDir, 'brokerbase.db'))
  db.run(
    `INSERT INTO events (tenant_id, id, sequence, event, body, created_at)
     WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     SELECT t.id, 'evt_' || n.i, (SELECT max(sequence) FROM events WHERE tenant_id = t.id) + n.i, 'trader.created',
      json_object('id', 'evt_' || n.i, 'payload', hex(zeroblob(250))), ?2 FROM n, (SELECT min(id) AS id FROM tenants) t`,
    [BACKLOG, Date.now()],
  )
  db.close()
  const server = await startProcess(['serve'], { cwd: root, env: { ...NO_LIMITS, BROKERBASE_EVENTS_URL: url } })
  const readSent = async (): Promise<number> => (await readFigure(server, 'sink_published_total')) ?? 0
  await waitFor('it begins', async () => (await readSent()) > 0)
  const [from, began] = [await readSent(), performance.now()]
  await waitFor('all is sent', async () => (await readFigure(server, 'sink_lag_events')) === 0)
  const sent = (await readSent()) - from
  const rate = Math.round(sent / ((performance.now() - began) / 1_000))
  print(`a backlog to one server: ${sent} events, ${rate} a second`)
  must(rate >= 1_000, 'fewer than 1,000 events a second')
  await server.kill('SIGTERM')
  await nats.stop()
}

try {
  await runCluster()
  await runBacklog()
  print('2 passed, 0 failed')
} catch (error) {
  print(`${error instanceof Error ? error.message : error}\n0 passed, 1 failed`)
  process.exitCode = 1
}
rmSync(root, { recursive: true, force: true })
process.exit()
