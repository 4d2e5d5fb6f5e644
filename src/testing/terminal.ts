import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MANAGER_LOGIN, MANAGER_PASSWORD } from '../modules/terminals/simulator/simulator.defaults.ts'
import type { Effect } from '../modules/terminals/simulator/simulator.faults.ts'
import { createSimulator } from '../modules/terminals/simulator/simulator.ts'
import { HOUR, MINUTE, SECOND, systemClock } from '../platform/clock.ts'
import { openReader } from '../platform/sqlite.ts'
import {
  ask,
  must,
  NO_LIMITS,
  PASSWORD,
  type Process,
  requireExecutable,
  sessionAfter,
  signIn,
  startFirm,
  startProcess,
} from './executable.ts'
import { numberOption } from './options.ts'
import { compare, type Made } from './terminal-books.ts'
import { vouchFor } from './vouch.ts'

/**
 * Moves money on a simulated trading server by the built executable while answers are lost, deals are shown late, and
 * server and child are killed, half of the time right after the mark of a sending; once the database is put back. Each
 * transfer must be executed at most once, none may be lost or doubled, the ledger is zero, and unresolved is exactly
 * what was sent and not executed. After a person's words nothing is open, and the firm's day, which ends in the middle
 * or soon after, is explained to the unit. It takes 40 to 70 minutes more than the transfers: the last look comes that
 * late.
 * Usage: bun run terminal -- [--kills 50] [--transfers 2000]
 */
const KILLS = numberOption('kills', 50)
const TRANSFERS = numberOption('transfers', 2000)
const ACCOUNTS = 20
const CLIENTS = 6
const PORT = 24_530
const LOST_PART = 0.2
const LATEST = 90 * SECOND
const BACK_BY = 30 * SECOND
/** The day of the firm ends at the next whole hour that is at least five minutes away. */
const END_OF_DAY = Math.ceil((Date.now() + 5 * MINUTE) / HOUR) * HOUR
const END_HOUR = new Date(END_OF_DAY).getUTCHours()
const TIME_ZONE = END_HOUR <= 12 ? `Etc/GMT+${END_HOUR}` : `Etc/GMT-${24 - END_HOUR}`

requireExecutable()
const cwd = mkdtempSync(join(tmpdir(), 'brokerbase-terminal-'))
const dataDir = join(cwd, 'data')
const env = { ...NO_LIMITS, BROKERBASE_ALLOWED_NETWORKS: '127.0.0.0/8' }
const simulator = createSimulator({
  time: systemClock,
  seed: 7,
  wanted: { accounts: ACCOUNTS, positions: 40, deals: 400 },
  journalSize: 1_000_000,
})

type Headers = Record<string, string>
type Row = Record<string, string | null>
type End = { accountId: string; walletId: string }

const LOSSES: readonly Effect[] = [
  { do: 'cut', when: 'before' },
  { do: 'cut', when: 'after' },
  { do: 'cut', when: 'body' },
  { do: 'status', status: 502, executed: false, html: true },
  { do: 'status', status: 502, executed: true },
  { do: 'empty', executed: true },
]

/** Loses a part of the answers about money, before or after it is booked, and shows some deals late. */
function disturb(): () => void {
  for (let nth = 1; nth < TRANSFERS * 3; nth += 1) {
    const effect = LOSSES[Math.floor(Math.random() * LOSSES.length)]
    if (effect && Math.random() < LOST_PART) simulator.faults.add({ path: '/api/trade/balance', nth, effect })
  }
  const timer = setInterval(() => {
    simulator.conditions.commitDelayMs = Math.random() < 0.5 ? 0 : Math.floor(Math.random() * LATEST)
    simulator.step()
  }, SECOND)
  return () => {
    clearInterval(timer)
    simulator.faults.clear()
    simulator.conditions.commitDelayMs = 0
  }
}

/** The server that runs now; it is started again on the same port. */
let server: Process | undefined
const url = `http://127.0.0.1:${PORT}`
const restart = async (): Promise<void> => {
  await server?.kill('SIGKILL')
  server = await startProcess(['serve'], { cwd, env, port: PORT })
}

/** Sends a request until it is answered: the server may be killed in the middle. */
async function call(headers: Headers, method: string, path: string, body?: object) {
  const key = method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}
  for (let tries = 0; tries < 300; tries += 1)
    try {
      const answer = await ask(url, method, path, { headers: { ...headers, ...key }, ...(body ? { body } : {}) })
      if (answer.status < 500) return answer
    } catch {
      await Bun.sleep(100)
    }
  throw new Error(`${method} ${path} was never answered`)
}
const done = async (answer: ReturnType<typeof call>) => {
  const { status, json, text } = await answer
  must(status < 300, text)
  return json
}
const list = async (headers: Headers, path: string): Promise<Row[]> => {
  const { data } = await done(call(headers, 'GET', path))
  return Array.isArray(data) ? data : []
}

/** Returns the child of the server that speaks to trading servers, by the process table. */
function findChild(): number | undefined {
  const readProc = (pid: string, file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8')
    } catch {
      return ''
    }
  }
  const isOurs = (pid: string): boolean =>
    readProc(pid, 'stat').split(') ')[1]?.split(' ')[1] === String(server?.pid) &&
    readProc(pid, 'cmdline').includes('run-terminals')
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isOurs(name))
  return pid === undefined ? undefined : Number(pid)
}

/** Resolves at the next mark of a sending, or after some seconds. */
const nextMark = (): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      watcher.close()
      clearTimeout(timer)
      resolve()
    }
    const watcher = watch(dataDir, (_event, name) => {
      if (name === 'sent.json') end()
    })
    const timer = setTimeout(end, 5 * SECOND)
  })

let kills = 0
/** Kills the server or its child, again and again. */
async function kill(isOver: () => boolean): Promise<void> {
  const pause = (): number => (Math.random() * 2 * TRANSFERS * 150) / KILLS
  for (await Bun.sleep(10 * SECOND); kills < KILLS && !isOver(); await Bun.sleep(pause())) {
    if (Math.random() < 0.5) {
      await nextMark()
      await Bun.sleep(Math.random() * 50)
    }
    kills += 1
    const child = Math.random() < 0.4 ? findChild() : undefined
    if (child !== undefined) process.kill(child, 'SIGKILL')
    else await restart()
  }
}

/** Founds the firm with a second person, a connection that moves money, and clients with accounts and wallets. */
async function prepare(
  address: string,
  fingerprint: string,
): Promise<{ first: Headers; second: Headers; ends: End[] }> {
  const started = await startFirm('terminal', { cwd, env })
  const owner = { cookie: started.cookie, origin: started.server.url }
  const person = { email: 'two@terminal.test', displayName: 'Two', roles: ['admin'], password: PASSWORD }
  const invited = await ask(started.server.url, 'POST', '/v1/users/invite', { headers: owner, body: person })
  must(invited.status === 201, invited.text)
  const own = { cookie: await signIn(started.server.url, person.email, PASSWORD), origin: started.server.url }
  const change = { currentPassword: PASSWORD, newPassword: PASSWORD }
  const changed = await ask(started.server.url, 'POST', '/v1/auth/change-password', { headers: own, body: change })
  await started.server.kill('SIGTERM')
  vouchFor(dataDir, person.email)
  server = await startProcess(['serve'], { cwd, env, port: PORT })
  const first = { cookie: started.cookie, origin: url }
  const second = { cookie: sessionAfter(changed), origin: url }
  await done(call(first, 'PATCH', '/v1/tenants/current', { timeZone: TIME_ZONE }))
  await done(call(first, 'PUT', '/v1/approval-policies', { currency: 'USD', threshold: '100000000', minKycLevel: 0 }))
  const path = await connect(first, second, address, fingerprint)
  await until(
    'the first reading',
    async () => (await done(call(first, 'GET', path))).health !== null && isRead(first, path),
  )
  const ends: End[] = []
  for (const { login, currency } of await list(first, '/v1/platforms/logins?limit=100'))
    if (currency === 'USD') ends.push(await link(first, second, login ?? ''))
  await done(call(first, 'PATCH', path, { money: true }))
  await confirm(first, second, path)
  return { first, second, ends }
}

const isRead = async (headers: Headers, path: string): Promise<boolean> => {
  const { health } = await done(call(headers, 'GET', path))
  return typeof health === 'object' && health !== null && 'lastReadAt' in health && health.lastReadAt !== null
}

async function until(what: string, isSo: () => Promise<boolean>, patience = 60 * MINUTE): Promise<void> {
  for (const end = Date.now() + patience; Date.now() < end; await Bun.sleep(SECOND)) if (await isSo()) return
  throw new Error(`${what} did not come`)
}

async function confirm(first: Headers, second: Headers, path: string): Promise<void> {
  const { pending } = await done(call(first, 'GET', path))
  const version = typeof pending === 'object' && pending !== null && 'version' in pending ? pending.version : 1
  await done(call(second, 'POST', `${path}/confirm`, { version }))
}

async function connect(first: Headers, second: Headers, address: string, certificate: string): Promise<string> {
  const { id } = await done(
    call(first, 'POST', '/v1/platforms/connections', {
      name: 'Simulated',
      driver: 'terminal5',
      platform: 'terminal5',
      server: 'Sim-Live',
      address,
      trust: 'pinned',
      certificate,
      login: String(MANAGER_LOGIN),
      password: MANAGER_PASSWORD,
      groups: [{ mask: 'real\\*', type: 'live' }],
      requestsPerSecond: 50,
    }),
  )
  const path = `/v1/platforms/connections/${id}`
  await confirm(first, second, path)
  return path
}

async function link(first: Headers, second: Headers, accountNumber: string): Promise<End> {
  const { id: traderId } = await done(call(first, 'POST', '/v1/traders', { email: `c${accountNumber}@terminal.test` }))
  const place = { platform: 'terminal5', server: 'Sim-Live', accountNumber, currency: 'USD', note: 'a trial' }
  const account = await done(call(first, 'POST', '/v1/accounts', { traderId, ...place }))
  const money = { traderId, currency: 'USD', amount: '1000000', method: 'bank' }
  const deposit = await done(call(first, 'POST', '/v1/deposits', money))
  await done(call(second, 'POST', `/v1/deposits/${deposit.id}/settle`, {}))
  const [wallet] = await list(first, `/v1/wallets?traderId=${traderId}`)
  return { accountId: String(account.id), walletId: wallet?.id ?? '' }
}

/** Asks for transfers in both directions until there are enough. */
async function trade(people: { first: Headers; second: Headers; ends: End[] }, made: Made[]): Promise<void> {
  const { first, second, ends } = people
  while (made.length < TRANSFERS) {
    const end = ends[Math.floor(Math.random() * ends.length)]
    if (end === undefined) return
    const isIn = Math.random() < 0.7
    const amount = (1 + Math.floor(Math.random() * 5000) / 100).toFixed(2)
    const ways = isIn
      ? { fromWalletId: end.walletId, toAccountId: end.accountId }
      : { fromAccountId: end.accountId, toWalletId: end.walletId }
    const answer = await call(isIn ? first : second, 'POST', '/v1/transfers', { ...ways, amount })
    must(answer.status === 201 || answer.status === 409, answer.text)
    if (answer.status === 201) made.push({ id: String(answer.json.id), reference: String(answer.json.reference) })
    // they are asked for about as fast as the terminal may be asked
    await Bun.sleep(Math.random() * 3 * SECOND)
  }
}

/**
 * Puts the database back to what it was some seconds ago, takes out of `made` what it does not have any more, and
 * returns once an owner let money move again.
 */
async function putBack(first: Headers, path: string, made: Made[]): Promise<void> {
  const copy = join(cwd, 'copy.db')
  const reader = openReader(join(dataDir, 'brokerbase.db'))
  reader.raw.run('PRAGMA query_only = 0')
  reader.raw.run(`VACUUM INTO '${copy}'`)
  reader.close()
  await Bun.sleep(BACK_BY)
  await server?.kill('SIGKILL')
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `brokerbase.db${end}`), { force: true })
  copyFileSync(copy, join(dataDir, 'brokerbase.db'))
  server = await startProcess(['serve'], { cwd, env, port: PORT })
  const back = openReader(join(dataDir, 'brokerbase.db'))
  const known = new Set(back.all<{ id: string }>('SELECT id FROM transfers', []).map(({ id }) => id))
  back.close()
  made.splice(0, made.length, ...made.filter(({ id }) => known.has(id)))
  await until('the hold', async () => (await done(call(first, 'GET', path))).moneyHeldAt !== null, MINUTE)
  await until('the release', async () => {
    await explain(first, 'reference_unknown')
    return (await call(first, 'PATCH', path, { money: true })).status === 200
  })
}

/** Closes what the terminal has under references that the database put back does not know, or booked by hand. */
async function explain(headers: Headers, kind: 'reference_unknown' | 'movement_unknown'): Promise<void> {
  const open = await list(headers, `/v1/platforms/findings?state=open&kind=${kind}&limit=200`)
  if (open.length === 0) return
  const body = { ids: open.map(({ id }) => id), reason: 'A dealer looked at it.' }
  await done(call(headers, 'POST', '/v1/platforms/findings/close', body))
}

const OPEN = ['queued', 'sending', 'unclear'] as const
async function waitForAll(headers: Headers): Promise<void> {
  for (const state of OPEN)
    await until(
      `the end of what is ${state}`,
      async () => (await list(headers, `/v1/platforms/instructions?state=${state}&limit=1`)).length === 0,
    )
}

/** Waits for the day that has ended, and expects that nothing of it is open: in findings and on the terminal's days. */
async function expectExplained(headers: Headers): Promise<void> {
  for (const kind of ['reference_unknown', 'movement_unknown'] as const) await explain(headers, kind)
  const open = await list(headers, '/v1/platforms/findings?state=open&limit=200')
  must(open.length === 0, `open still: ${JSON.stringify(open.slice(0, 3))}`)
  const readDays = () => list(headers, '/v1/platforms/days?limit=100')
  // the day before the connection was confirmed has no transfers
  const findMoved = async () => (await readDays()).filter(({ transfersIn }) => Number(transfersIn) > 0)
  const hasEnded = async () => (await findMoved()).length > 0
  await until('the day', hasEnded, Math.max(0, END_OF_DAY - Date.now()) + 15 * MINUTE)
  // what became known late stands in a later revision
  await Bun.sleep(2 * MINUTE)
  for (const day of await readDays()) must(day.state !== 'open', `not explained: ${JSON.stringify(day)}`)
  const moved = await findMoved()
  for (const { day, revision, state, transfersIn, transfersOut, owned, unexplained } of moved)
    process.stdout.write(
      `${day}, revision ${revision}: ${state}, in ${transfersIn}, out ${transfersOut}, explained by a person ${owned}, ` +
        `unexplained ${unexplained}\n`,
    )
}

async function run(): Promise<void> {
  const { port, identity, stop } = await simulator.listen({ port: 0, names: ['localhost'] })
  const people = await prepare(`https://localhost:${port}`, new X509Certificate(identity.cert).fingerprint256)
  const { first, second } = people
  const [connection] = await list(first, '/v1/platforms/connections')
  const path = `/v1/platforms/connections/${connection?.id}`
  const calm = disturb()
  const made: Made[] = []
  const work = Array.from({ length: CLIENTS }, () => trade(people, made))
  const killer = kill(() => made.length > TRANSFERS / 2)
  await until('half of the transfers', async () => made.length > TRANSFERS / 2)
  await killer
  await putBack(first, path, made)
  const again = kill(() => false)
  await Promise.all(work)
  await again
  process.stdout.write(`${made.length} transfers asked for, ${kills} kills; waiting for the last looks\n`)
  await Bun.sleep(LATEST)
  calm()
  await waitForAll(first)
  await Bun.sleep(MINUTE)
  const all = compare(made, { simulator, dataDir }, false)
  for (const { id, asked, kind } of all) {
    if (asked !== 'unresolved') continue
    // whoever did not ask for it
    const person = kind === 'account_to_wallet' ? first : second
    await done(call(person, 'POST', `/v1/transfers/${id}/acknowledge`, { state: 'refused', reason: 'not there' }))
  }
  compare(made, { simulator, dataDir }, true)
  await expectExplained(first)
  await stop()
}

try {
  await run()
  process.stdout.write('1 passed, 0 failed\n')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n${server?.log().slice(-3000)}\n${cwd}\n`)
  process.exitCode = 1
}
await server?.kill('SIGKILL')
if (process.exitCode !== 1) rmSync(cwd, { recursive: true, force: true })
process.exit()
