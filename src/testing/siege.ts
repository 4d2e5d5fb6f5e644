import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mintSecret, sealSecret } from '../modules/firm/webhooks/webhooks.sign.ts'
import { webhookSubscriptions } from '../modules/firm/webhooks/webhooks.table.ts'
import { systemCtx } from '../platform/access/ctx.ts'
import { SECOND } from '../platform/clock.ts'
import { type Caller, createTestApp, type Firm, type TestApp } from './app.ts'
import { ask, type Process, requireExecutable, startProcess } from './executable.ts'
import { numberOption } from './options.ts'
import { PASSWORD, person } from './sign-in.ts'

/**
 * Attacks one server with its default limits in every way at once. A client of a firm sends 100 requests a second, 300
 * receivers of that firm never answer, and an attacker guesses passwords ten times a second from the staff's own
 * address, first of other accounts, then of the staff's. Meanwhile the staff of the firm work and sign in on their
 * devices, and another firm's webhooks are sent. Ends with 1 if staff were refused once, or the other firm's deliveries
 * took more than twice as long as before. Usage: bun run siege [-- --seconds 60]
 */
const SECONDS = numberOption('seconds', 60)
const QUIET_SECONDS = 15
const HANGING = 300
const CLIENT_A_SECOND = 100
const GUESSES_A_SECOND = 10
const STAFF_A_SECOND = 2
const SIGN_IN_EVERY_MS = 5 * SECOND
const DELIVERY_EVERY_MS = 250
const MOST_SLOWER = 2

type Staff = { email: string; cookies: string }
type Place = {
  client: Caller
  staff: string[]
  /**
   * The key with which clients of the besieged firm are created; each client is an event for 300 receivers that hang.
   */
  alpha: Caller
  beta: Caller
  hanging: ReturnType<typeof Bun.serve>
  quick: ReturnType<typeof Bun.serve>
  /** The time at which the webhook of a client arrived, by id. */
  arrived: Map<string, number>
}

/** Writes subscriptions directly into the database, since a firm may have only fifty. */
const subscribe = (app: TestApp, { tenantId }: Firm, urls: readonly string[]) => {
  const ctx = systemCtx(app.platform, tenantId, 'test')
  return ctx.write('test.subscriptions', (tx) => {
    for (const url of urls) {
      const id = app.platform.ids.next('whs')
      const secret = sealSecret(ctx.secrets, tenantId, id, mintSecret())
      tx.insert(webhookSubscriptions, { id, url, events: ['deposit.created', 'trader.created'], secret })
    }
    return null
  })
}

/** Makes two firms, their people and their receivers. */
async function prepare(dataDir: string): Promise<Place> {
  const arrived = new Map<string, number>()
  const hanging = Bun.serve({ hostname: '0.0.0.0', port: 0, idleTimeout: 0, fetch: () => new Promise(() => {}) })
  const quick = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { payload }: { payload: { traderId: string } } = await request.json()
      arrived.set(payload.traderId, performance.now())
      return new Response(null, { status: 204 })
    },
  })
  const app = createTestApp({ dataDir, config: { allowedNetworks: ['127.0.0.0/8'] } })
  try {
    const alpha = await app.firm('alpha')
    const beta = await app.firm('beta')
    // each receiver has its own address, so that no limit for each receiver makes the siege easier
    const address = (n: number): string =>
      `http://127.0.${1 + Math.floor(n / 250)}.${1 + (n % 250)}:${hanging.port}/hook`
    await subscribe(
      app,
      alpha,
      Array.from({ length: HANGING }, (_, n) => address(n)),
    )
    await subscribe(app, beta, [`http://127.0.0.1:${quick.port}/hook`])
    const client = await alpha.traderSession(await alpha.trader())
    const staff = await Promise.all([1, 2, 3].map(async () => (await person(app, alpha)).email))
    return {
      client,
      staff,
      alpha: await alpha.key(['traders:write']),
      beta: await beta.key(['traders:write']),
      hanging,
      quick,
      arrived,
    }
  } finally {
    await app.close()
  }
}

/** Calls `act` at a steady pace, whether or not earlier calls have ended; returns once all have ended. */
async function steadily(everyMs: number, seconds: number, act: (n: number) => Promise<void>): Promise<void> {
  const start = performance.now()
  const running: Promise<void>[] = []
  for (let n = 0; n * everyMs < seconds * SECOND; n += 1) {
    const wait = start + n * everyMs - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    running.push(act(n))
  }
  await Promise.all(running)
}

/** Counts answers by status: `200 × 5,912, 429 × 88`. */
function createTally() {
  const counts = new Map<number, number>()
  return {
    add: (status: number): void => void counts.set(status, (counts.get(status) ?? 0) + 1),
    others: (...fine: number[]): number =>
      [...counts].reduce((sum, [status, count]) => (fine.includes(status) ? sum : sum + count), 0),
    toString: (): string =>
      [...counts]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status} × ${count.toLocaleString('en-US')}`)
        .join(', '),
  }
}

const signIn = (url: string, email: string, device = '', password = PASSWORD) =>
  ask(url, 'POST', '/v1/auth/login', { body: { email, password }, headers: device === '' ? {} : { cookie: device } })

const readCookies = (answer: Awaited<ReturnType<typeof ask>>): string =>
  answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')

/** Returns the median time of another firm's deliveries from the request to their arrival, in milliseconds. */
async function deliveries(url: string, { beta, arrived }: Place, seconds: number, name: string): Promise<number> {
  const sent = new Map<string, number>()
  await steadily(DELIVERY_EVERY_MS, seconds, async (n) => {
    const start = performance.now()
    const body = { email: `${name}${n}@siege.test` }
    const { status, json, text } = await ask(url, 'POST', '/v1/traders', { headers: beta.headers, body })
    if (status !== 201) throw new Error(`the other firm was refused: ${status} ${text}`)
    sent.set(String(json.id), start)
  })
  await Bun.sleep(2 * SECOND)
  const took = [...sent].map(([id, start]) => (arrived.get(id) ?? Number.POSITIVE_INFINITY) - start)
  return took.sort((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.POSITIVE_INFINITY
}

/** Runs one siege; `victim` returns the account that is attacked. Returns the other firm's median delivery. */
async function besiege(url: string, place: Place, staff: Staff[], name: string, victim: (n: number) => string) {
  const client = createTally()
  const guesses = createTally()
  const work = createTally()
  const signIns = createTally()
  const [middle] = await Promise.all([
    deliveries(url, place, SECONDS, name),
    steadily(SECOND / CLIENT_A_SECOND, SECONDS, async (n) => {
      const deposit = { method: 'bank', currency: 'EUR', amount: '10.00' }
      const { status } =
        n % 10 === 0
          ? await ask(url, 'POST', '/v1/deposits', { headers: place.client.headers, body: deposit })
          : await ask(url, 'GET', '/v1/deposits', { headers: place.client.headers })
      client.add(status)
    }),
    steadily(DELIVERY_EVERY_MS, SECONDS, async (n) => {
      const body = { email: `${name}${n}@siege.test` }
      work.add((await ask(url, 'POST', '/v1/traders', { headers: place.alpha.headers, body })).status)
    }),
    steadily(SECOND / GUESSES_A_SECOND, SECONDS, async (n) => {
      guesses.add((await signIn(url, victim(n), '', `wrong wrong ${n}`)).status)
    }),
    steadily(SECOND / STAFF_A_SECOND, SECONDS, async (n) => {
      const { cookies } = staff[n % staff.length] ?? { cookies: '' }
      work.add((await ask(url, 'GET', '/v1/traders?limit=50', { headers: { cookie: cookies } })).status)
    }),
    steadily(SIGN_IN_EVERY_MS, SECONDS, async (n) => {
      const who = staff[n % staff.length]
      if (who) signIns.add((await signIn(url, who.email, who.cookies)).status)
    }),
  ])
  process.stdout.write(`  the client: ${client}\n  the guesser: ${guesses}\n`)
  verdict(work.others(200, 201) === 0, `staff and their key at work: ${work}`)
  verdict(signIns.others(200) === 0, `staff who sign in: ${signIns}`)
  return middle
}

let failed = 0
function verdict(ok: boolean, line: string): void {
  if (!ok) failed += 1
  process.stdout.write(`${ok ? ' ' : '!'} ${line}\n`)
}

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-siege-'))
let server: Process | undefined
try {
  const dataDir = join(cwd, 'data')
  const place = await prepare(dataDir)
  server = await startProcess(['serve', '--data-dir', dataDir], {
    cwd,
    env: { BROKERBASE_ALLOWED_NETWORKS: '127.0.0.0/8' },
  })
  const { url } = server
  const staff = await Promise.all(
    place.staff.map(async (email): Promise<Staff> => ({ email, cookies: readCookies(await signIn(url, email)) })),
  )
  const quiet = await deliveries(url, place, QUIET_SECONDS, 'quiet')
  process.stdout.write(`  another firm's deliveries, quiet: ${quiet.toFixed(0)} ms\n`)
  const stranger = (n: number): string => `guess${n}@siege.test`
  const colleague = (n: number): string => staff[n % staff.length]?.email ?? ''
  for (const [name, victim] of [['others', stranger] as const, ['theirs', colleague] as const]) {
    process.stdout.write(`${SECONDS} s with a guesser on ${name}:\n`)
    const middle = await besiege(url, place, staff, name, victim)
    verdict(middle <= MOST_SLOWER * quiet, `another firm's deliveries: ${middle.toFixed(0)} ms`)
  }
  place.hanging.stop(true)
  place.quick.stop(true)
} catch (error) {
  process.stdout.write(`the server's last words: ${server?.log().slice(-2000)}\n`)
  throw error
} finally {
  await server?.kill('SIGTERM')
  rmSync(cwd, { recursive: true, force: true })
}
process.stdout.write(failed === 0 ? 'every limit was kept\n' : `${failed} limits were not kept\n`)
process.exit(failed === 0 ? 0 : 1)
