import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { findEngine as findProgram } from '../../litestream.ts'
import { startStandby } from '../commands/standby.ts'
import { askStandby } from '../commands/standby-control.ts'
import { loadConfig } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { ask, must, NO_LIMITS, requireExecutable, runCommand, untilReplicated } from './executable.ts'
import { hasSftp, startSftp } from './fakes/sftp.ts'
import {
  closePair,
  findEngine,
  foundPair,
  type Machine,
  type Pair,
  readFigures,
  signInOn,
  startOn,
  untilStatus,
  within,
} from './pair.ts'

/**
 * Lets a pair have accidents one after the other, and compares the age that its standby says with the true one: a row
 * on the primary is stamped twice a second. The age must be right within 3 s, `stale` must be said within 10 s, and the
 * standby must be fresh within 60 s after it can be, by itself. Usage: bun run ages -- [--only pruned]
 */
const RIGHT_WITHIN = 3
const STALE_AFTER = 30
const SAID_WITHIN = 10
const FRESH_WITHIN = 60
const STAMPED_EVERY = 500
const CLOCK_OFF = 10_000

const onlyAt = process.argv.indexOf('--only')
const ONLY = onlyAt === -1 ? '' : (process.argv[onlyAt + 1] ?? '')
const program = findProgram()?.path ?? ''

/** What a standby said at a moment of the steady clock, and what was true, in seconds. */
type Sample = { at: number; said: number; truth: number; isStale: boolean }

/** Reads the age that an answer of a standby says, and how old the stamp in it is. */
async function readAge(url: string, path: string, headers: Record<string, string>): Promise<Omit<Sample, 'isStale'>> {
  const answer = await ask(url, 'GET', path, { headers })
  must(answer.status === 200, `${path}: ${answer.text}`)
  const truth = (Date.now() - Number(answer.json.lastName)) / 1_000
  return { at: performance.now() / 1_000, said: Number(answer.headers.get('x-crm-age')), truth }
}

type Watched = Pair & { path: string; headers: Record<string, string>; samples: Sample[]; end(): void }

/** Starts both machines of a pair, stamps a row of the primary, and notes what the standby says of its age. */
async function watch(pair: Pair): Promise<Watched> {
  const { primary, standby } = pair
  await startOn(primary, ['serve'])
  const owner = await signInOn(primary)
  const scopes = ['traders:read', 'traders:write']
  const made = await ask(primary.url, 'POST', '/v1/api-keys', { headers: owner, body: { label: 'ages', scopes } })
  must(made.status === 201, made.text)
  const headers = { 'x-api-key': String(made.json.key) }
  const { json } = await ask(primary.url, 'POST', '/v1/traders', { headers, body: { email: 'stamp@pair.test' } })
  const path = `/v1/traders/${json.id}`
  const stamp = (): void => {
    const body = { lastName: String(Date.now()) }
    void ask(primary.url, 'PATCH', path, { headers, body }).catch(() => {})
  }
  const stamping = setInterval(stamp, STAMPED_EVERY)
  await startOn(standby, ['standby'])
  await untilStatus(standby, '/ready/read', 200)
  const samples: Sample[] = []
  let isOver = false
  const note = async (): Promise<void> => {
    const [isStale] = await readFigures(standby, ['standby_stale'])
    samples.push({ ...(await readAge(standby.url, path, headers)), isStale: isStale === 1 })
  }
  void (async () => {
    for (; !isOver; await Bun.sleep(500)) await note().catch(() => {})
  })()
  const end = (): void => {
    isOver = true
    clearInterval(stamping)
  }
  await within('the standby is fresh', 60, async () => samples.at(-1)?.isStale === false)
  return { ...pair, path, headers, samples, end }
}

const steady = (): number => performance.now() / 1_000

/** Lets an accident happen, and waits until the standby is fresh after it. `act` returns when it can be fresh again. */
async function haveAccident(what: string, watched: Watched, act: () => Promise<void>): Promise<void> {
  const { samples } = watched
  const began = steady()
  samples.length = 0
  await act()
  const healed = steady()
  const isFresh = (): boolean => samples.some(({ at, isStale, truth }) => at > healed + 5 && !isStale && truth < 15)
  await within(`${what}: fresh again`, 180, async () => isFresh())
  const seconds = (value: number): string => value.toFixed(1)
  const worst = samples.reduce((most, one) => Math.max(most, Math.abs(one.said - one.truth)), 0)
  const oldest = samples.reduce((most, { truth }) => Math.max(most, truth), 0)
  const stale = samples.find(({ truth }) => truth > STALE_AFTER)
  const said = samples.find(({ isStale }) => isStale)
  const last = samples.findLast(({ isStale }) => isStale)
  const fresh = samples.find(({ at }) => at > Math.max(healed, last?.at ?? 0))
  const told = said ? `said after ${seconds(said.at - began)} s` : 'never said'
  const line = `${what}: oldest ${seconds(oldest)} s, said wrong by at most ${seconds(worst)} s; stale ${stale ? `after ${seconds(stale.at - began)} s` : 'never'}, ${told}; fresh ${seconds((fresh?.at ?? healed) - healed)} s after it could be (${samples.length} looks)`
  process.stdout.write(`${line}\n`)
  must(worst <= RIGHT_WITHIN, `${what}: an age was wrong by ${seconds(worst)} s`)
  const unsaid = samples.find(({ truth, isStale }) => truth > STALE_AFTER + SAID_WITHIN && !isStale)
  must(!unsaid, `${what}: stale was not said of what was ${seconds(unsaid?.truth ?? 0)} s old`)
  must((fresh?.at ?? Number.POSITIVE_INFINITY) - healed <= FRESH_WITHIN, `${what}: it was not fresh in time`)
}

const FOLLOWS = 'brokerbase.db.json'

/** Returns whether the place has no change any more that continues what the follower has applied. */
function isPruned({ root, standby }: Pair): boolean {
  const followed = join(standby.data, 'standby/followed')
  const [history = ''] = readdirSync(followed)
  const applied = Number.parseInt(readFileSync(join(followed, history, 'brokerbase.db-txid'), 'utf8'), 16)
  const levels = join(root, 'replica', history.slice(0, 26), 'brokerbase.db/ltx')
  const files = readdirSync(levels).flatMap((level) => (level === '9' ? [] : readdirSync(join(levels, level))))
  return !files.some((name) => {
    const [first = 0, last = 0] = name.split('.', 1).flatMap((both) => both.split('-').map((hex) => parseInt(hex, 16)))
    return first <= applied + 1 && last > applied
  })
}

/** Puts the primary's data back to a moment, after it was stopped for longer than a copy may be old. */
async function putBack({ primary }: Pair, moment: string): Promise<void> {
  await primary.server?.kill('SIGTERM')
  await Bun.sleep((STALE_AFTER + 5) * 1_000)
  const restored = await runCommand(['restore', '--at', moment, '--replace'], { cwd: primary.cwd, env: primary.env })
  must(restored.code === 0, restored.stderr)
  await startOn(primary, ['serve'])
  if (primary.server) await untilReplicated(primary.server)
}

/** A standby whose clock is behind or ahead tells by how much. */
async function haveClock(watched: Watched, off: number): Promise<void> {
  const { root, primary, path, headers } = watched
  const directory = join(root, `clock-${off}`)
  mkdirSync(directory)
  copyFileSync(join(primary.data, 'secret.key'), join(directory, 'secret.key'))
  const env = { ...NO_LIMITS, ...primary.env, BROKERBASE_LITESTREAM: program, BROKERBASE_LOG_LEVEL: 'error' }
  const config = loadConfig({ 'data-dir': directory, port: '0' }, { env })
  const nothing = (): never => {
    throw new Error('nothing is asked')
  }
  const standby = await startStandby(config, {}, nothing, { ...systemClock, now: () => systemClock.now() - off })
  try {
    const { url } = standby.current()
    await within('the other standby is read', 60, async () => (await readAge(url, path, headers)).said >= 0)
    await within(
      'its clock is compared',
      60,
      async () => typeof (await askStandby(directory))?.clockAheadMs === 'number',
    )
    const { said, truth } = await readAge(url, path, headers)
    const told = (await askStandby(directory))?.clockAheadMs ?? 0
    process.stdout.write(
      `a primary whose clock is ${off / 1_000} s ahead: ${said} s said, ${truth.toFixed(1)} s true, the clock told as ${(told / 1_000).toFixed(1)} s ahead\n`,
    )
    must(Math.abs(told - off) <= 1_500, `its clock was told as ${told} ms ahead`)
    must(Math.abs(said - Math.max(0, truth - off / 1_000)) <= RIGHT_WITHIN, 'the age is not that of its own clock')
  } finally {
    await standby.stop()
  }
}

/** Writes a program that runs the engine with levels and copies that are pruned within seconds. */
function writeHasty(path: string): string {
  const short =
    '{"levels":[{"interval":"2s"},{"interval":"4s"}],"l0-retention":"3s","l0-retention-check-interval":"1s",'
  const script = `#!/bin/sh
PATH=/usr/bin:/bin
if [ "$2" = -no-expand-env ] || [ "$1" = replicate ]; then
  for one in "$@"; do case $one in *.json|*.yml) config=$one ;; esac; done
  sed -i -e '1s/^{/${short}/' -e 's/"24h"/"8s"/' -e 's/"168h"/"10s"/' "$config"
fi
exec ${program} "$@"
`
  writeFileSync(path, script)
  chmodSync(path, 0o755)
  return path
}

/** Opens a door to a port that can be shut: connections then break, or are open and silent. */
async function openDoor(port: number) {
  const open = new Set<Socket>()
  let state: 'open' | 'broken' | 'silent' = 'open'
  const server = createServer((near) => {
    if (state === 'broken') return void near.destroy()
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => {})
      one.on('data', (bytes) => void (state === 'open' && other.write(bytes)))
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const at = server.address()
  return {
    port: typeof at === 'object' && at ? at.port : 0,
    become: (next: typeof state): void => {
      state = next
      if (next !== 'silent') for (const one of open) one.destroy()
    },
    close: () => void server.close(),
  }
}

let passed = 0
let failed = 0
async function count(name: string, act: () => Promise<void>): Promise<void> {
  if (!name.includes(ONLY)) return
  try {
    await act()
    passed += 1
  } catch (error) {
    failed += 1
    process.stdout.write(`FAILED ${name}: ${error instanceof Error ? error.message : error}\n`)
  }
}

async function tryDirectory(): Promise<void> {
  const hasty = writeHasty(join(process.env.TMPDIR ?? '/tmp', `brokerbase-hasty-${process.pid}`))
  const pair = await foundPair((root) => `file://${root}/replica`, { primary: { BROKERBASE_LITESTREAM: hasty } })
  const watched = await watch(pair).catch(async (error: unknown) => {
    await closePair(pair)
    throw error
  })
  const { primary, standby } = pair
  const have = (what: string, act: () => Promise<void>) => count(what, () => haveAccident(what, watched, act))
  const end = (machine: Machine, words: string, how: 'SIGKILL' | 'SIGSTOP', seconds: number) => async () => {
    process.kill(findEngine(machine, words), how)
    await Bun.sleep(seconds * 1_000)
  }
  await have('the engine of the primary is killed', end(primary, 'replicate', 'SIGKILL', 15))
  await have('the engine that follows is killed', end(standby, FOLLOWS, 'SIGKILL', 15))
  await have('the engine that follows is stopped', end(standby, FOLLOWS, 'SIGSTOP', 30))
  await have('the engine that follows is parked until its files are pruned', async () => {
    process.kill(findEngine(standby, FOLLOWS), 'SIGSTOP')
    const pruned = await within('its files are pruned', 90, async () => isPruned(pair))
    process.stdout.write(`  its files were pruned after ${pruned.toFixed(0)} s\n`)
  })
  for (const off of [CLOCK_OFF, -CLOCK_OFF]) await count(`clock ${off}`, () => haveClock(watched, off))
  const moment = new Date().toISOString()
  await Bun.sleep(5_000)
  await have('the primary’s data is put back', () => putBack(pair, moment))
  watched.end()
  await closePair(pair)
  rmSync(hasty)
}

async function tryHost(): Promise<void> {
  if (!hasSftp) return void process.stdout.write('no sftp-server here: an unreachable place is not tried\n')
  const host = await startSftp()
  const door = await openDoor(host.port)
  const keys = { BROKERBASE_REPLICA_SSH_KEY: host.privateKey, BROKERBASE_REPLICA_HOST_KEY: host.hostKey }
  const toUrl = (root: string): string => `sftp://${host.user}@127.0.0.1:${door.port}${root}/replica`
  const pair = await foundPair(toUrl, { primary: keys, standby: keys })
  try {
    const watched = await watch(pair)
    for (const state of ['broken', 'silent'] as const) {
      const what = `the place is unreachable for 60 s (${state})`
      const act = async (): Promise<void> => {
        door.become(state)
        await Bun.sleep(60_000)
        door.become('open')
      }
      await count(what, () => haveAccident(what, watched, act))
    }
    watched.end()
  } finally {
    await closePair(pair)
    door.close()
    await host.stop()
  }
}

requireExecutable()
try {
  if ('the place is unreachable'.includes(ONLY) || ONLY.includes('unreachable')) await tryHost()
  if (!ONLY.includes('unreachable')) await tryDirectory()
} catch (error) {
  failed += 1
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`)
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
