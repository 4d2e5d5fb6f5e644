import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ask, must, requireExecutable, runCommand } from './executable.ts'
import { numberOption } from './options.ts'
import {
  closePair,
  cutPower,
  foundPair,
  type Machine,
  type Pair,
  signInOn,
  startOn,
  untilStatus,
  within,
} from './pair.ts'
import { freePort } from './pebble.ts'

/**
 * HAProxy, as `brokerbase proxy print` configures it, before a pair and a third box, with requests all the time: the
 * primary is killed, the standby promoted, the old server comes back, and a firm is moved by a line of the map. Ends
 * with 1 if reads or writes are away too long, the old server answers, or a request fails while the firm moves. Usage:
 * bun run proxied-pair -- [--rate 200]
 */
const RATE = numberOption('rate', 200)
const HOST = 'acme.test'
/** Reads and writes have to go on within these seconds. */
const READS_WITHIN = 5
const WRITES_WITHIN = 3
/** All boxes answer to the host name, so that a firm can be moved between them. */
const SETTINGS = { BROKERBASE_ALLOWED_HOSTS: HOST }

requireExecutable()
must(Bun.which('haproxy') !== null, 'HAProxy is needed: apt-get install haproxy')
const front = freePort()

/** Asks through the proxy; 0 if no answer came. */
async function through(method: 'GET' | 'POST'): Promise<{ status: number; body: string }> {
  const init = method === 'GET' ? {} : { body: JSON.stringify({ email: 'nobody@pair.test', password: 'wrong' }) }
  const headers = { host: HOST, 'content-type': 'application/json' }
  const path = method === 'GET' ? '/v1/setup' : '/v1/auth/login'
  try {
    const answer = await fetch(`http://127.0.0.1:${front}${path}`, { method, headers, ...init })
    return { status: answer.status, body: await answer.text() }
  } catch {
    return { status: 0, body: '' }
  }
}
/** The answers to a wrong password of a server that writes; another one answers 503. */
const WRITTEN = new Set(['401', '429'])
const isWritten = async (): Promise<boolean> => WRITTEN.has(String((await through('POST')).status))
const isRead = async (): Promise<boolean> => (await through('GET')).status === 200

/** Sends requests until it is told to stop; returns how each of them was answered. */
function flood() {
  const statuses = new Map<string, number>()
  const open = new Set<Promise<void>>()
  const timer = setInterval(() => {
    for (let n = 0; n < RATE / 50; n += 1) {
      const one = through(n % 4 === 0 ? 'POST' : 'GET').then(({ status, body }) => {
        const key = body.includes('"replaced"') ? 'replaced' : String(status)
        statuses.set(key, (statuses.get(key) ?? 0) + 1)
        open.delete(one)
      })
      open.add(one)
    }
  }, 20)
  return async (): Promise<Map<string, number>> => {
    clearInterval(timer)
    await Promise.all(open)
    return statuses
  }
}

/** Names the boxes, and starts HAProxy with what the program prints for them. */
async function startProxy({ root, primary }: Pair, others: Readonly<Record<string, Machine>>): Promise<Bun.Subprocess> {
  const boxes = Object.entries({ a: primary, ...others }).map(([name, { url }]) => ({ name, url }))
  const headers = await signInOn(primary)
  const named = await ask(primary.url, 'PUT', '/v1/system/boxes', { headers, body: { boxes } })
  must(named.status === 200, named.text)
  const { stdout, stderr, code } = await runCommand(['proxy', 'print'], { cwd: primary.cwd, env: primary.env })
  must(code === 0, stderr)
  mkdirSync(join(root, 'run'))
  writeFileSync(join(root, 'firms.map'), `${HOST} a\n`)
  const config = stdout
    .replaceAll('/etc/haproxy/firms.map', join(root, 'firms.map'))
    .replaceAll('/run/haproxy', join(root, 'run'))
    .replace('    bind :80\n', `    bind 127.0.0.1:${front}\n`)
    // there is no certificate here
    .replace(/ {4}bind :443.*\n/, '')
    .replace(/ {4}http-request redirect.*\n/, '')
  writeFileSync(join(root, 'haproxy.cfg'), config)
  return Bun.spawn(['haproxy', '-db', '-f', join(root, 'haproxy.cfg')], { stdout: 'ignore', stderr: 'ignore' })
}

/** Changes a line of the map while HAProxy runs. */
async function moveFirm({ root }: Pair, box: string): Promise<void> {
  const socket = connect(join(root, 'run/admin.sock'))
  socket.end(`set map ${join(root, 'firms.map')} ${HOST} ${box}\n`)
  must(!(await text(socket)).includes('rror'), 'the map was not changed')
}

const format = (statuses: Map<string, number>): string =>
  [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')

/** Breaks the pair behind the proxy, and moves the firm to the third box. */
async function walk(pair: Pair): Promise<void> {
  const { primary, standby } = pair
  let stop = flood()
  await Bun.sleep(3_000)
  process.stdout.write(`quiet: ${format(await stop())}\n`)
  await cutPower(primary)
  const reads = await within('reads go on', READS_WITHIN, isRead)
  const promoted = await runCommand(['promote'], { cwd: standby.cwd, env: standby.env })
  must(promoted.code === 0, promoted.stderr)
  const writes = await within('writes go on', WRITES_WITHIN, isWritten)
  process.stdout.write(`reads after ${reads.toFixed(1)} s, writes ${writes.toFixed(1)} s after promote\n`)

  stop = flood()
  await startOn(primary, ['serve'])
  await Bun.sleep(12_000)
  const back = await stop()
  must(!back.has('replaced') && !back.has('0'), `the old server was asked: ${format(back)}`)
  process.stdout.write(`the old server comes back: ${format(back)}\n`)

  stop = flood()
  await Bun.sleep(1_000)
  await moveFirm(pair, 'c')
  await Bun.sleep(3_000)
  const moved = await stop()
  must(
    [...moved.keys()].every((status) => status === '200' || WRITTEN.has(status)),
    `a move failed: ${format(moved)}`,
  )
  process.stdout.write(`the firm moves: ${format(moved)}\n`)
}

async function run(): Promise<void> {
  const settings = { primary: SETTINGS, standby: SETTINGS }
  const pair = await foundPair((root) => `file://${root}/replica`, settings)
  // the third box is a firm of its own
  const third = await foundPair((root) => `file://${root}/replica`, settings)
  let proxy: Bun.Subprocess | undefined
  try {
    await startOn(pair.primary, ['serve'])
    await startOn(pair.standby, ['standby'])
    await startOn(third.primary, ['serve'])
    await untilStatus(pair.standby, '/ready/read', 200)
    proxy = await startProxy(pair, { b: pair.standby, c: third.primary })
    await within('writes go through', 60, isWritten)
    await walk(pair)
  } finally {
    proxy?.kill()
    await Promise.all([pair, third].map(closePair))
  }
}

try {
  await run()
  process.stdout.write('1 passed, 0 failed\n')
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
process.exit()
