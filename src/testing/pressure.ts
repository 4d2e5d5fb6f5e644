import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReader } from '../platform/sqlite.ts'
import {
  ask,
  must,
  NO_LIMITS,
  type Process,
  requireExecutable,
  runCommand,
  startFirm,
  startProcess,
  untilReplicated,
} from './executable.ts'
import { startS3 } from './fakes/s3.ts'
import { rawConnection } from './raw-http.ts'

/**
 * Tests the built server while its machine fails: a full disk, a read-only one, a replica that hangs or refuses, an
 * engine that is killed again and again, thousands of webhooks to no receiver, idle and slow connections, a read that
 * does not end. Each time reads must continue, writes succeed or are refused with a reason, no acknowledged write is
 * lost, and the server recovers without help. Ends with 1 otherwise. Usage: bun run pressure [-- --short] [--only NAME]
 */
const SHORT = process.argv.includes('--short')
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined
/** Returns a quantity for the short run or for the whole one. */
const amount = (short: number, whole: number): number => (SHORT ? short : whole)

requireExecutable()
const root = mkdtempSync(join(tmpdir(), 'brokerbase-pressure-'))
const undo: (() => void | Promise<void>)[] = []
let passed = 0
let failed = 0

/** A server with a firm, and every write that it acknowledged. */
type Desk = {
  server: Process
  dataDir: string
  headers: Record<string, string>
  /** Makes a client and returns the status, or 0 if there was no answer. */
  write(): Promise<number>
  /** Reads a client. */
  read(): Promise<number>
  acknowledged: string[]
  /** Answers of writes by status and code. */
  answers: Map<string, number>
  restart(): Promise<void>
}

async function open(name: string, cwd: string, env: Record<string, string> = {}): Promise<Desk> {
  mkdirSync(cwd, { recursive: true })
  const all = { ...NO_LIMITS, BROKERBASE_LOG_LEVEL: 'info', BROKERBASE_ALLOWED_NETWORKS: '127.0.0.0/8', ...env }
  const { server, cookie } = await startFirm(name, { cwd, env: all })
  undo.push(() => void desk.server.kill('SIGKILL'))
  let serial = 0
  const desk: Desk = {
    server,
    dataDir: join(cwd, 'data'),
    headers: { cookie, origin: server.url },
    acknowledged: [],
    answers: new Map(),
    write: async () => {
      serial += 1
      const { url } = desk.server
      const answer = await ask(url, 'POST', '/v1/traders', {
        headers: { ...desk.headers, origin: url },
        body: { email: `p${serial}@${name}.test`, firstName: 'Pressed' },
      }).catch(() => null)
      const told = answer ? `${answer.status}${answer.json.code ? ` ${answer.json.code}` : ''}` : 'nothing'
      desk.answers.set(told, (desk.answers.get(told) ?? 0) + 1)
      if (answer?.status === 201) desk.acknowledged.push(String(answer.json.id))
      if (answer && answer.status >= 500)
        must(answer.headers.get('content-type') === 'application/problem+json', `no problem: ${answer.text}`)
      return answer?.status ?? 0
    },
    read: async () => (await ask(desk.server.url, 'GET', '/v1/traders?limit=1', { headers: desk.headers })).status,
    restart: async () => {
      desk.server = await startProcess(['serve'], { cwd, env: all })
    },
  }
  return desk
}

/** Waits until a condition holds, and returns how many seconds that took. */
async function recovered(what: string, holds: () => Promise<boolean>, patience = 60): Promise<string> {
  const began = performance.now()
  while (!(await holds())) {
    must(performance.now() - began < patience * 1000, `${what} did not come back within ${patience} s`)
    await Bun.sleep(50)
  }
  return `${((performance.now() - began) / 1000).toFixed(1)} s`
}

const takes = (desk: Desk) => async (): Promise<boolean> => (await desk.write()) === 201

/** Returns how many acknowledged writes are missing. */
function lost({ dataDir, acknowledged }: Desk, directory = dataDir): number {
  const db = openReader(join(directory, 'brokerbase.db'))
  const missing = acknowledged.filter((id) => !db.get('SELECT 1 FROM traders WHERE id = ?', [id])).length
  db.close()
  return missing
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
const formatAnswers = ({ answers }: Desk): string =>
  [...answers].map(([answer, count]) => `${count} × ${answer}`).join(', ')

async function pressed(name: string, run: () => Promise<string>): Promise<void> {
  if (only !== undefined && only !== name) return
  try {
    process.stdout.write(`${name}: ${await run()}\n`)
    passed += 1
  } catch (error) {
    failed += 1
    process.stdout.write(`${name}: FAILED, ${error instanceof Error ? error.message : error}\n`)
  }
  for (const one of undo.splice(0).reverse()) await one()
}

/** Makes a small separate disk; undefined if this user may not. */
function smallDisk(megabytes: number): string | undefined {
  const path = mkdtempSync(join(root, 'disk-'))
  const made = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stderr: 'ignore' })
  if (made.exitCode !== 0) return undefined
  undo.push(async () => {
    for (let tries = 0; tries < 50 && Bun.spawnSync(['umount', path], { stderr: 'ignore' }).exitCode !== 0; tries += 1)
      await Bun.sleep(50)
  })
  return path
}

const NO_DISK = 'skipped, this user may not mount a disk of its own'

await pressed('full disk', async () => {
  const disk = smallDisk(40)
  if (disk === undefined) return NO_DISK
  const desk = await open('full', join(disk, 'box'))
  must((await desk.write()) === 201, 'it did not write before')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'fill'), Buffer.alloc(bavail * bsize - 200_000))
  for (let n = 0; n < 200; n += 1) {
    await desk.write()
    if (n % 20 === 0) must((await desk.read()) === 200, 'a read failed')
  }
  must(
    [...desk.answers.keys()].every((answer) => /^(201|503 unavailable|507)/.test(answer)),
    formatAnswers(desk),
  )
  must((desk.answers.get('503 unavailable') ?? 0) > 100, `the disk was not full: ${formatAnswers(desk)}`)
  must((await ask(desk.server.url, 'GET', '/ready')).status === 503, 'it says that it is ready')
  // after a kill the server starts again on the full disk or says why not, and has everything
  await desk.server.kill('SIGKILL')
  must(lost(desk) === 0, 'acknowledged writes are lost')
  rmSync(join(disk, 'fill'))
  await desk.restart()
  const took = await recovered('writing', takes(desk))
  must(lost(desk) === 0, 'acknowledged writes are lost')
  return `${formatAnswers(desk)}; reads went on, 0 lost, writes again after ${took}`
})

await pressed('full disk, and room again', async () => {
  const disk = smallDisk(40)
  if (disk === undefined) return NO_DISK
  const desk = await open('room', join(disk, 'box'))
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(join(disk, 'fill'), Buffer.alloc(bavail * bsize - 100_000))
  for (let n = 0; n < 50; n += 1) await desk.write()
  must(desk.answers.has('503 unavailable'), `the disk was not full: ${formatAnswers(desk)}`)
  rmSync(join(disk, 'fill'))
  const took = await recovered('writing', takes(desk))
  const ready = await recovered('readiness', async () => (await ask(desk.server.url, 'GET', '/ready')).status === 200)
  must(lost(desk) === 0, 'acknowledged writes are lost')
  return `${formatAnswers(desk)}; 0 lost, writes again after ${took}, ready after ${ready}, without a restart`
})

await pressed('read-only directory', async () => {
  const disk = smallDisk(40)
  if (disk === undefined) return NO_DISK
  const desk = await open('still', join(disk, 'box'))
  must((await desk.write()) === 201, 'it did not write before')
  await desk.server.kill('SIGTERM')
  const mount = (how: string): void =>
    must(Bun.spawnSync(['mount', '-o', `remount,${how}`, disk]).exitCode === 0, `remount ${how}`)
  mount('ro')
  const refused = await runCommand(['serve', '--port', '0'], { cwd: join(disk, 'box'), env: {} })
  must(refused.code === 1 && refused.stderr.length > 20 && !refused.stderr.includes('    at '), refused.stderr)
  mount('rw')
  await desk.restart()
  must((await desk.write()) === 201 && lost(desk) === 0, 'it did not come back')
  return `refuses to start in words (“${refused.stderr.trim().split('\n').at(-1)}”); 0 lost`
})

await pressed('replica out of reach', async () => {
  const s3 = startS3()
  undo.push(() => s3.stop())
  const desk = await open('reach', join(root, 'reach'), {
    BROKERBASE_REPLICA_URL: `s3://backup/reach?endpoint=${s3.url}&region=test`,
    BROKERBASE_REPLICA_ACCESS_KEY_ID: s3.accessKeyId,
    BROKERBASE_REPLICA_SECRET_ACCESS_KEY: s3.secretAccessKey,
    BROKERBASE_REPLICA_WAIT: 'all',
  })
  await untilReplicated(desk.server)
  for (let n = 0; n < 20; n += 1) must((await desk.write()) === 201, 'it did not write before')
  let slowest = 0
  const moods: string[] = []
  for (const mood of ['hanging', 'refusing'] as const) {
    s3.be(mood)
    for (let n = 0; n < 10; n += 1) {
      const began = performance.now()
      await desk.write()
      slowest = Math.max(slowest, performance.now() - began)
      must((await desk.read()) === 200, 'a read failed')
    }
    s3.be('well')
    moods.push(`${mood}: writes again after ${await recovered('writing', takes(desk))}`)
  }
  must(
    [...desk.answers.keys()].every((answer) => /^(201|503 replica_(away|behind))/.test(answer)),
    formatAnswers(desk),
  )
  must(desk.answers.size > 1, `nothing was refused: ${formatAnswers(desk)}`)
  must(slowest < 8_000, `a write hung for ${slowest.toFixed(0)} ms`)
  must(lost(desk) === 0, 'acknowledged writes are lost')
  return `${formatAnswers(desk)}; slowest answer ${slowest.toFixed(0)} ms, ${moods.join(', ')}, 0 lost`
})

await pressed('engine killed', async () => {
  const place = join(root, 'killed-replica')
  const desk = await open('killed', join(root, 'killed'), { BROKERBASE_REPLICA_URL: `file://${place}` })
  await untilReplicated(desk.server)
  let kills = 0
  for (let n = 0; n < amount(3, 15); n += 1) {
    const end = performance.now() + 2_000
    while (performance.now() < end) must((await desk.write()) === 201, `a write was refused: ${formatAnswers(desk)}`)
    if (Bun.spawnSync(['pkill', '-9', '-P', String(desk.server.pid), '-f', '/engine/']).exitCode === 0) kills += 1
  }
  must(kills > 0, 'there was no engine to kill')
  const lag = async () => {
    const text = await (await fetch(`${desk.server.url}/metrics`)).text()
    return /^brokerbase_replica_lag_seconds 0$/m.test(text)
  }
  const took = await recovered('the replica', lag)
  await desk.server.kill('SIGTERM')
  const target = join(root, 'killed-restored')
  const restored = await runCommand(['restore', '--to', target], {
    cwd: join(root, 'killed'),
    env: { BROKERBASE_REPLICA_URL: `file://${place}` },
  })
  must(restored.code === 0, restored.stderr)
  must(lost(desk, target) === 0, 'acknowledged writes are not in the restore')
  return `${formatAnswers(desk)}; killed ${kills} times, no lag ${took} after the last, all of them in the restore`
})

await pressed('webhooks to nobody', async () => {
  let isThere = false
  const arrived = new Set<string>()
  const receiver = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      if (!isThere) return new Response(null, { status: 500 })
      arrived.add(request.headers.get('webhook-id') ?? '')
      return new Response()
    },
  })
  undo.push(() => receiver.stop(true))
  const desk = await open('nobody', join(root, 'nobody'))
  // nothing listens on the first port, and the second one always fails until the test repairs it
  for (const url of ['http://127.0.0.1:9/dead', `http://127.0.0.1:${receiver.port}/failing`]) {
    const body = { url, events: ['trader.created'] }
    const made = await ask(desk.server.url, 'POST', '/v1/webhooks/subscriptions', { headers: desk.headers, body })
    must(made.status === 201, made.text)
  }
  const events = amount(300, 5_000)
  const one = async (): Promise<void> => {
    while (desk.acknowledged.length < events) must((await desk.write()) === 201, `refused: ${formatAnswers(desk)}`)
  }
  await Promise.all(Array.from({ length: 16 }, one))
  const times: number[] = []
  for (let n = 0; n < 200; n += 1) {
    const began = performance.now()
    must((await desk.read()) === 200, 'a read failed')
    times.push(performance.now() - began)
  }
  const queued = openReader(join(desk.dataDir, 'brokerbase.db'))
  const { n = 0 } = queued.get<{ n: number }>('SELECT count(*) AS n FROM webhook_deliveries') ?? {}
  queued.close()
  isThere = true
  const began = performance.now()
  const recover = await ask(desk.server.url, 'GET', '/v1/webhooks/subscriptions', { headers: desk.headers })
  const subscriptions: unknown = recover.json.data
  must(Array.isArray(subscriptions), recover.text)
  for (const { id, url, status } of Array.isArray(subscriptions) ? subscriptions : []) {
    if (!String(url).endsWith('failing')) continue
    if (status !== 'active')
      await ask(desk.server.url, 'PATCH', `/v1/webhooks/subscriptions/${id}`, {
        headers: desk.headers,
        body: { status: 'active' },
      })
    const again = await ask(desk.server.url, 'POST', `/v1/webhooks/subscriptions/${id}/recover`, {
      headers: desk.headers,
      body: { after: '0' },
    })
    must(again.status < 300, again.text)
  }
  await recovered('delivery', async () => arrived.size >= events, 120)
  return `${n} deliveries queued, reads meanwhile p99 ${quantile(times, 0.99).toFixed(0)} ms; all ${events} events arrived ${((performance.now() - began) / 1000).toFixed(1)} s after the receiver was mended, 0 lost`
})

await pressed('idle and slow connections', async () => {
  const desk = await open('slow', join(root, 'slow'))
  const idle = await Promise.all(Array.from({ length: amount(300, 1_000) }, () => rawConnection(desk.server.url)))
  const slow = await Promise.all(Array.from({ length: amount(100, 200) }, () => rawConnection(desk.server.url)))
  undo.push(() => {
    for (const connection of [...idle, ...slow]) connection.close()
  })
  const head = ['POST /v1/auth/login HTTP/1.1', 'Host: localhost', 'Content-Type: application/json']
  for (const connection of slow) connection.write(`${[...head, 'Content-Length: 400'].join('\r\n')}\r\n\r\n{`)
  const times: number[] = []
  const until = performance.now() + amount(2_000, 20_000)
  while (performance.now() < until) {
    for (const connection of slow) connection.write(' ')
    const began = performance.now()
    must((await desk.write()) === 201, `refused: ${formatAnswers(desk)}`)
    must((await desk.read()) === 200, 'a read failed')
    times.push(performance.now() - began)
  }
  must(lost(desk) === 0, 'acknowledged writes are lost')
  return `${formatAnswers(desk)} beside ${idle.length} idle and ${slow.length} slow ones, a write and a read p99 ${quantile(times, 0.99).toFixed(0)} ms`
})

await pressed('a read that does not end', async () => {
  const desk = await open('reader', join(root, 'reader'))
  const reader = openReader(join(desk.dataDir, 'brokerbase.db'))
  reader.raw.run('BEGIN')
  reader.get('SELECT count(*) AS n FROM traders')
  const until = performance.now() + amount(2_000, 30_000)
  const one = async (): Promise<void> => {
    while (performance.now() < until) must((await desk.write()) === 201, `refused: ${formatAnswers(desk)}`)
  }
  await Promise.all(Array.from({ length: 8 }, one))
  const log = (): number => statSync(join(desk.dataDir, 'brokerbase.db-wal')).size / 1e6
  const grown = log()
  must((await desk.read()) === 200, 'a read failed')
  reader.raw.run('COMMIT')
  reader.close()
  for (let n = 0; n < 300; n += 1) await desk.write()
  const db = openReader(join(desk.dataDir, 'brokerbase.db'))
  const before = log()
  db.close()
  for (let n = 0; n < 300; n += 1) await desk.write()
  must(log() <= Math.max(before, 68), `the log grows on: ${log().toFixed(1)} MB`)
  must(lost(desk) === 0, 'acknowledged writes are lost')
  return `${formatAnswers(desk)}; the log grew to ${grown.toFixed(1)} MB and is used anew (${log().toFixed(1)} MB), 0 lost`
})

if (existsSync(root)) rmSync(root, { recursive: true, force: true })
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed > 0 ? 1 : 0)
