import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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
 * HAProxy, as `brokerbase proxy print` configures it, before a pair and a third box, with requests all the time: the
 * primary is killed, the standby promoted, the old server comes back, and a firm is moved by a line of the map. Ends
 * with 1 if reads or writes are away too long, the old server answers, or a request fails while the firm moves. Usage:
 * bun run proxied-pair -- [--rate 200]
 */
const RATE = numberOption('rate', 200)
const EMAIL = 'owner@pair.test'
const HOST = 'acme.test'
const READS_WITHIN = 5_000
const WRITES_WITHIN = 3_000

requireExecutable()
must(Bun.which('haproxy') !== null, 'HAProxy is needed: apt-get install haproxy')
const root = mkdtempSync(join(tmpdir(), 'brokerbase-proxied-'))
const env = { ...NO_LIMITS, BROKERBASE_REPLICA_URL: `file://${root}/replica`, BROKERBASE_ALLOWED_HOSTS: HOST }
const ports = { a: await freePort(), b: await freePort(), c: await freePort(), front: await freePort() }
type Name = 'a' | 'b' | 'c'

async function start(name: Name, args: string[], more: Record<string, string> = {}): Promise<Process> {
  mkdirSync(join(root, name), { recursive: true })
  return startProcess(args, { cwd: join(root, name), env: Object.assign({}, env, more), port: ports[name] })
}
async function until(what: string, holds: () => Promise<boolean>, patience = 120_000): Promise<number> {
  for (const began = performance.now(); performance.now() - began < patience; await Bun.sleep(20))
    if (await holds()) return performance.now() - began
  throw new Error(`it did not come to this: ${what}`)
}

/** Asks through the proxy; 0 if no answer came. */
async function through(method: 'GET' | 'POST'): Promise<{ status: number; body: string }> {
  const init = method === 'GET' ? {} : { body: JSON.stringify({ email: 'nobody@pair.test', password: 'wrong' }) }
  const headers = { host: HOST, 'content-type': 'application/json' }
  const path = method === 'GET' ? '/v1/setup' : '/v1/auth/login'
  try {
    const answer = await fetch(`http://127.0.0.1:${ports.front}${path}`, { method, headers, ...init })
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
async function startProxy(): Promise<Bun.Subprocess> {
  const url = `http://127.0.0.1:${ports.a}`
  const headers = { cookie: await signIn(url, EMAIL, PASSWORD), origin: url }
  const boxes = (['a', 'b', 'c'] as const).map((name) => ({ name, url: `http://127.0.0.1:${ports[name]}` }))
  const named = await ask(url, 'PUT', '/v1/system/boxes', { headers, body: { boxes } })
  must(named.status === 200, named.text)
  const { stdout, stderr, code } = await runCommand(['proxy', 'print'], { cwd: join(root, 'a'), env })
  must(code === 0, stderr)
  mkdirSync(join(root, 'run'))
  writeFileSync(join(root, 'firms.map'), `${HOST} a\n`)
  const config = stdout
    .replaceAll('/etc/haproxy/firms.map', join(root, 'firms.map'))
    .replaceAll('/run/haproxy', join(root, 'run'))
    .replace('    bind :80\n', `    bind 127.0.0.1:${ports.front}\n`)
    // there is no certificate here
    .replace(/ {4}bind :443.*\n/, '')
    .replace(/ {4}http-request redirect.*\n/, '')
  writeFileSync(join(root, 'haproxy.cfg'), config)
  return Bun.spawn(['haproxy', '-db', '-f', join(root, 'haproxy.cfg')], { stdout: 'ignore', stderr: 'ignore' })
}

/** Changes a line of the map while HAProxy runs. */
async function moveFirm(box: Name): Promise<void> {
  const socket = connect(join(root, 'run/admin.sock'))
  socket.end(`set map ${join(root, 'firms.map')} ${HOST} ${box}\n`)
  must(!(await text(socket)).includes('rror'), 'the map was not changed')
}

const format = (statuses: Map<string, number>): string =>
  [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')

async function run(): Promise<void> {
  for (const name of ['a', 'c'] as const) {
    mkdirSync(join(root, name))
    const args = ['setup', '--tenant', 'Pair', '--email', EMAIL, '--password-stdin']
    must((await runCommand(args, { cwd: join(root, name), stdin: PASSWORD })).code === 0, 'no firm was founded')
  }
  mkdirSync(join(root, 'b/data'), { recursive: true })
  copyFileSync(join(root, 'a/data/secret.key'), join(root, 'b/data/secret.key'))
  const a = await start('a', ['serve'])
  await start('b', ['standby'])
  await start('c', ['serve'], { BROKERBASE_REPLICA_URL: `file://${root}/other` })
  await until('the standby reads', async () => (await fetch(`http://127.0.0.1:${ports.b}/ready/read`)).status === 200)
  const proxy = await startProxy()
  await until('writes go through', isWritten)
  let stop = flood()
  await Bun.sleep(3_000)
  process.stdout.write(`quiet: ${format(await stop())}\n`)

  Bun.spawnSync(['pkill', '-9', '-f', join(root, 'a/')])
  await a.kill('SIGKILL')
  const readsAfter = await until('reads go on', isRead)
  must(readsAfter <= READS_WITHIN, `reads came back after ${readsAfter.toFixed(0)} ms`)
  const promoted = await runCommand(['promote'], { cwd: join(root, 'b'), env })
  must(promoted.code === 0, promoted.stderr)
  const writesAfter = await until('writes go on', isWritten)
  must(writesAfter <= WRITES_WITHIN, `writes came back after ${writesAfter.toFixed(0)} ms`)
  process.stdout.write(`reads after ${readsAfter.toFixed(0)} ms, writes ${writesAfter.toFixed(0)} ms after promote\n`)

  stop = flood()
  await start('a', ['serve'])
  await Bun.sleep(12_000)
  const back = await stop()
  must(!back.has('replaced') && !back.has('0'), `the old server was asked: ${format(back)}`)
  process.stdout.write(`the old server comes back: ${format(back)}\n`)

  stop = flood()
  await Bun.sleep(1_000)
  await moveFirm('c')
  await Bun.sleep(3_000)
  const moved = await stop()
  must(
    [...moved.keys()].every((status) => status === '200' || WRITTEN.has(status)),
    `a move failed: ${format(moved)}`,
  )
  process.stdout.write(`the firm moves: ${format(moved)}\n1 passed, 0 failed\n`)
  proxy.kill()
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
