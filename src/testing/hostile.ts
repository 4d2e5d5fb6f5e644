import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hostile, hostileBodies, hostileHeads, hostileSigned } from '../contract/hostile.ts'
import { collectRoutes, type Route } from '../contract/routes.ts'
import { buildSample } from '../contract/samples.ts'
import { fill, furnish } from '../contract/seed-firm.ts'
import { createTestApp } from './app.ts'
import { EXECUTABLE, NO_LIMITS, type Process, requireExecutable, startProcess } from './executable.ts'
import { startWebhookReceiver } from './fakes/webhook-receiver.ts'

/**
 * Sends every operation of a real server the most expensive requests that we know, and prints how long each one delayed
 * other requests. Then it sends large bodies of 200 strangers at once. Ends with 1 if a limit is passed. Usage: bun run
 * hostile [-- --source] [--only word]
 */
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined
const fromSource = process.argv.includes('--source')

const MIB = 1024 * 1024
/** One request may delay all others by this many milliseconds, on routes of up to a megabyte and on bulk routes. */
const MOST_MS = 50
const MOST_BULK_MS = 150
const MOST_P99_MS = 100
const MOST_GROWTH = 64 * MIB
const STRANGERS = 200
const STRANGE_BYTES = 10_000_000
/** The limit for the processor time of one request with a wrong signature, and how often each is sent to measure it. */
const MOST_SIGNED_MS = 8
const SIGNED_TIMES = 20
/** The flood of unsigned requests to an ad platform's address, and by how much it may slow others down. */
const FLOOD_A_SECOND = 60
const FLOOD_SECONDS = 4
const MOST_SLOWER = 2

type Target = { route: Route; path: string; headers: Record<string, string>; attacks: Hostile[] }

/** Makes rows of every kind in the server, and returns the operations to attack. */
async function prepare(dataDir: string): Promise<Target[]> {
  const receiver = startWebhookReceiver()
  const app = createTestApp({ dataDir, config: { allowedNetworks: ['127.0.0.0/8'] } })
  try {
    const place = await furnish(app, await app.firm('alpha'), `${receiver.url}/hook`)
    const targets: Target[] = []
    for (const route of collectRoutes(app)) {
      if (only !== undefined && !route.key.includes(only)) continue
      const as = await place.make.member('platform_admin')
      const path = fill(route.path, place.ids)
      const sample =
        route.body || route.signature
          ? await buildSample(route, place, { as })
          : { path, body: undefined, raw: undefined }
      const headers = route.role === 'public' ? {} : { ...as.headers }
      const attacks = [
        ...[
          ...hostileBodies(route, sample.body),
          ...(route.signature ? hostileSigned(route, String(sample.raw)) : []),
        ].map((attack) => ({ ...attack, make: at(attack, sample.path) })),
        ...hostileHeads(route, path),
      ]
      targets.push({ route, path, headers, attacks })
    }
    return targets
  } finally {
    await app.close()
    await receiver.stop()
  }
}
const at =
  (attack: Hostile, path: string): Hostile['make'] =>
  (share) => ({ path, ...attack.make(share) })

/** Returns the longest time that another caller waits for a small request during `attack`. */
async function measureHold(url: string, attack: () => Promise<unknown>): Promise<number> {
  let over = false
  let longest = 0
  const probe = async () => {
    while (!over) {
      const start = performance.now()
      await (await fetch(`${url}/nothing`)).text()
      longest = Math.max(longest, performance.now() - start)
    }
  }
  const probing = Promise.all([probe(), probe()])
  await attack().finally(() => {
    over = true
  })
  await probing
  return longest
}

async function sendAll(url: string, { route, path, headers, attacks }: Target): Promise<{ worst: number; by: string }> {
  const most = route.maxBytes > MIB ? MOST_BULK_MS : MOST_MS
  let worst = 0
  let by = ''
  for (const attack of attacks) {
    const { path: where = path, raw, headers: more } = attack.make(1)
    const run = () =>
      fetch(url + where, {
        method: route.method,
        headers: { ...headers, ...more },
        redirect: 'manual',
        signal: AbortSignal.timeout(20_000),
        ...(raw === undefined ? {} : { body: raw }),
      }).then(
        (answer) => answer.arrayBuffer(),
        // Bun's client refuses to send such headers, or the stream never ends
        () => undefined,
      )
    let hold = route.path === '/v1/stream' ? 0 : await measureHold(url, run)
    // other work of this machine also causes delays, so only a repeated delay counts
    for (let again = 0; again < 3 && hold > most; again += 1) hold = Math.min(hold, await measureHold(url, run))
    if (hold > worst) [worst, by] = [hold, attack.name]
  }
  return { worst, by }
}

/** Returns the milliseconds of processor time that the server has used, in steps of ten. */
function readProcessorTime({ pid }: Process): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Returns the highest processor time that a body with a wrong signature costs. */
async function measureCost(server: Process, { path, route, headers, attacks }: Target): Promise<number> {
  let most = 0
  for (const attack of attacks) {
    const { raw, headers: more } = attack.make(1)
    if (raw === undefined) continue
    const before = readProcessorTime(server)
    for (let time = 0; time < SIGNED_TIMES; time += 1) {
      const init = { method: route.method, headers: { ...headers, ...more }, body: raw }
      await fetch(server.url + path, init).then((answer) => answer.arrayBuffer())
    }
    most = Math.max(most, (readProcessorTime(server) - before) / SIGNED_TIMES)
  }
  return most
}

/** Returns the slowest tenth of answers to a health check during so many seconds. */
async function healthP90(url: string, seconds: number): Promise<number> {
  const waits: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const start = performance.now()
    await (await fetch(`${url}/health`)).text()
    waits.push(performance.now() - start)
    await Bun.sleep(5)
  }
  return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.9)] ?? 0
}

/** Returns how much slower a health check is while a stranger sends unsigned notifications of an ad platform. */
async function floodRatio(url: string): Promise<number> {
  const quiet = await healthP90(url, FLOOD_SECONDS)
  const body = `{${Array.from({ length: 20_000 }, (_, index) => `"${index}":1`).join(',')}}`
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` }
  const flood = setInterval(() => {
    void fetch(`${url}/v1/ads/meta/webhook`, { method: 'POST', headers, body }).then((answer) => answer.arrayBuffer())
  }, 1000 / FLOOD_A_SECOND)
  const busy = await healthP90(url, FLOOD_SECONDS)
  clearInterval(flood)
  return busy / quiet
}

const readRss = ({ pid }: Process): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** Sends the requests of the strangers. */
async function sendStrangers(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const piece = Buffer.alloc(64 * 1024, 'a')
  const stranger = (index: number) =>
    new Promise<void>((resolve) => {
      const chunked = index % 2 === 0
      const path = index % 4 < 2 ? 'POST /v1/auth/login' : 'PUT /v1/files/x?expires=1&signature=x'
      const socket = connect(Number(port), hostname)
      let left = STRANGE_BYTES
      const pump = () => {
        while (left > 0) {
          const bytes = piece.subarray(0, Math.min(piece.length, left))
          left -= bytes.length
          const fine = chunked
            ? socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]))
            : socket.write(bytes)
          if (!fine) return void socket.once('drain', pump)
        }
        socket.end()
      }
      socket.on('connect', () => {
        const length = chunked ? 'transfer-encoding: chunked' : `content-length: ${STRANGE_BYTES}`
        socket.write(`${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${length}\r\n\r\n`)
        pump()
      })
      socket.on('data', () => {})
      socket.on('error', () => resolve())
      socket.on('close', () => resolve())
      setTimeout(() => socket.destroy(), 8000)
    })
  await Promise.all(Array.from({ length: STRANGERS }, (_, index) => stranger(index)))
}

/** Lets strangers send large bodies, declared or in pieces, to public operations. */
async function crowd(server: Process): Promise<{ growth: number; p99: number }> {
  const waits: number[] = []
  let over = false
  const before = readRss(server)
  let most = before
  const probing = (async () => {
    while (!over) {
      const start = performance.now()
      await (await fetch(`${server.url}/v1/setup`)).text()
      waits.push(performance.now() - start)
      most = Math.max(most, readRss(server))
      await Bun.sleep(5)
    }
  })()
  // the strangers run in another process, so that their work does not delay the measurement
  const strangers = Bun.spawn([process.execPath, import.meta.path, '--strangers', server.url], { stdout: 'inherit' })
  await strangers.exited
  over = true
  await probing
  waits.sort((a, b) => a - b)
  return { growth: most - before, p99: waits[Math.floor(waits.length * 0.99)] ?? 0 }
}

const strangersAt = process.argv.indexOf('--strangers')
if (strangersAt !== -1) {
  await sendStrangers(process.argv[strangersAt + 1] ?? '')
  process.exit(0)
}
if (!fromSource) requireExecutable()
let running: Process | undefined
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-hostile-'))
let failed = 0
try {
  const dataDir = join(cwd, 'data')
  const targets = await prepare(dataDir)
  const server = await startProcess(['serve', '--data-dir', dataDir], {
    cwd,
    env: NO_LIMITS,
    program: fromSource ? [process.execPath, join(import.meta.dir, '../main.ts')] : [EXECUTABLE],
  })
  running = server
  const verdict = (ok: boolean): string => {
    if (!ok) failed += 1
    return ok ? ' ' : '!'
  }
  let longest = 0
  for (const target of targets) {
    const { worst, by } = await sendAll(server.url, target)
    longest = Math.max(longest, worst)
    const most = target.route.maxBytes > MIB ? MOST_BULK_MS : MOST_MS
    process.stdout.write(`${verdict(worst <= most)} ${worst.toFixed(0).padStart(5)} ms  ${target.route.key}  (${by})\n`)
  }
  process.stdout.write(`longest hold of the event loop: ${longest.toFixed(0)} ms over ${targets.length} operations\n`)
  for (const target of targets.filter(({ route }) => route.signature)) {
    const cost = await measureCost(server, target)
    process.stdout.write(
      `${verdict(cost <= MOST_SIGNED_MS)} ${cost.toFixed(1)} ms of processor time  ${target.route.key}, wrong signature\n`,
    )
  }
  let slower = Number.POSITIVE_INFINITY
  // other work of this machine slows both, so only a repeated difference counts
  for (let time = 0; time < 3 && slower > MOST_SLOWER; time += 1)
    slower = Math.min(slower, await floodRatio(server.url))
  process.stdout.write(
    `${verdict(slower <= MOST_SLOWER)} a flood of unsigned notifications: health checks ${slower.toFixed(1)} times as slow\n`,
  )
  const { growth, p99 } = await crowd(server)
  process.stdout.write(
    `${verdict(growth <= MOST_GROWTH)} ${STRANGERS} strangers with ${STRANGE_BYTES / 1e6} MB each: memory grew by ${(growth / MIB).toFixed(0)} MiB\n`,
  )
  process.stdout.write(`${verdict(p99 <= MOST_P99_MS)} others waited ${p99.toFixed(0)} ms (99 of 100)\n`)
  await server.kill('SIGTERM')
} catch (error) {
  await Bun.sleep(500)
  process.stdout.write(`the server's last words: ${running?.log().slice(-2000)}\n`)
  throw error
} finally {
  rmSync(cwd, { recursive: true, force: true })
}
process.exit(failed === 0 ? 0 : 1)
