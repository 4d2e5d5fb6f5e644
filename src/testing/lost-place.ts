import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReader } from '../platform/sqlite.ts'
import {
  ask,
  must,
  NO_LIMITS,
  PASSWORD,
  type Process,
  requireExecutable,
  runCommand,
  signIn,
  startFirm,
  startProcess,
  untilReplicated,
} from './executable.ts'
import { bucketPlace, filePlace, sftpPlace, type TrialPlace } from './places.ts'

/**
 * Loses the place of a replica in twelve ways, under 50 writes a second whose answers wait for it, on a directory, a
 * host by SFTP and a bucket. Each loss must be noticed within 10 s, and the place must be complete again within 60 s
 * without help; no acknowledged write may be missing from a restore then. At the end the machine is lost, another one
 * continues, and the old one comes back: it may take no write, and must report the new machine. Usage: bun run
 * lost-place [--short]
 */
const NOTICED_WITHIN = 10_000
const WHOLE_WITHIN = 60_000
const WRITES_A_SECOND = 50
const SHORT = process.argv.includes('--short')

type Held = { names: string[]; history: string; before: Map<string, Uint8Array> }
type Way = {
  how: string
  /** Loses part or all of a place. Returns the name of a note that must come back, or null if the history is lost. */
  lose(place: TrialPlace, held: Held): Promise<string | null>
}

const isFileOf = (history: string, database: string) => (name: string) => name.startsWith(`${history}/${database}/`)
const getFileName = (name: string): string => name.split('/').at(-1) ?? ''
/** Makes a loss that removes the files with some names, but no note that must come back. */
const removing =
  (chosen: (held: Held) => string[]) =>
  async (place: TrialPlace, held: Held): Promise<null> => {
    const names = chosen(held)
    must(names.length > 0, 'there is nothing to remove')
    await place.remove(names)
    return null
  }
const note =
  (toName: (history: string) => string) =>
  async (place: TrialPlace, { history }: Held) => {
    await place.remove([toName(history)])
    return toName(history)
  }

const WAYS: readonly Way[] = [
  { how: 'it is emptied', lose: removing(({ names }) => names) },
  { how: 'it is gone, or made anew', lose: (place) => place.vanish().then(() => null) },
  {
    how: 'it is exchanged for what it was before',
    lose: async (place, { names, before }) => {
      await place.remove(names)
      for (const [name, bytes] of before) await place.write(name, bytes)
      return null
    },
  },
  { how: 'the lease is gone', lose: note(() => 'lease.json') },
  { how: 'the list of histories is gone', lose: note(() => 'lineages.json') },
  { how: 'the claim is gone', lose: note((history) => `claims/${history}.json`) },
  { how: 'the count of starts is gone', lose: note((history) => `${history}/begun.json`) },
  {
    how: 'the first copy of the books is gone',
    lose: removing(({ names, history }) => {
      const books = names.filter(isFileOf(history, 'brokerbase.db'))
      return books.filter((name) => getFileName(name).startsWith('0000000000000001-'))
    }),
  },
  { how: 'the papers are gone', lose: removing(({ names, history }) => names.filter(isFileOf(history, 'files.db'))) },
  {
    how: 'the newest changes are gone',
    lose: removing(({ names, history }) =>
      names
        .filter(isFileOf(history, 'brokerbase.db'))
        .toSorted((a, b) => (getFileName(a) < getFileName(b) ? -1 : 1))
        .slice(-5),
    ),
  },
  { how: 'all that is older than four seconds is pruned', lose: () => Promise.resolve(null) },
  {
    how: 'one database is gone with its notes',
    lose: removing(({ names, history }) =>
      names.filter((name) => name.startsWith(`${history}/brokerbase.db/`) || name === 'lineages.json'),
    ),
  },
]

/** Creates clients at a steady pace; records which were acknowledged, and the time of the first refusal. */
function createLoad(server: Process, cookie: string) {
  const acknowledged: string[] = []
  let serial = 0
  let isOver = false
  let lastDone = performance.now()
  const one = async (): Promise<void> => {
    serial += 1
    const body = { email: `c${serial}-${Date.now()}@load.test`, firstName: 'Load' }
    const answer = await ask(server.url, 'POST', '/v1/traders', {
      headers: { cookie, origin: server.url },
      body,
    }).catch(() => null)
    if (answer?.status !== 201) return
    lastDone = performance.now()
    acknowledged.push(String(answer.json.id))
  }
  const timer = setInterval(() => {
    if (!isOver) void one()
  }, 1000 / WRITES_A_SECOND)
  return {
    acknowledged,
    lastDone: () => lastDone,
    stop: async () => {
      isOver = true
      clearInterval(timer)
      await Bun.sleep(6_000)
    },
  }
}

const readFigure = async ({ url }: Process, name: string): Promise<number> => {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^brokerbase_${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}
async function until(what: string, holds: () => Promise<boolean>, most: number): Promise<number> {
  const began = performance.now()
  while (!(await holds())) {
    must(performance.now() - began < most, `${what}: not within ${most / 1000} s`)
    await Bun.sleep(100)
  }
  return performance.now() - began
}

/** Returns the ids of all clients that a restore from the place would bring back now. */
async function restored(cwd: string, place: TrialPlace): Promise<Set<string>> {
  const to = join(cwd, 'restored')
  const made = await runCommand(['restore', '--to', to, '--key-file', join(cwd, 'data/secret.key'), '--json'], {
    cwd,
    env: place.env,
  })
  must(made.code === 0, `nothing can be restored: ${made.stderr}`)
  const db = openReader(join(to, 'brokerbase.db'))
  const ids = new Set(db.all<{ id: string }>('SELECT id FROM traders').map(({ id }) => id))
  db.close()
  rmSync(to, { recursive: true })
  return ids
}

async function tryWay(
  way: Way,
  cwd: string,
  place: TrialPlace,
  firm: { server: Process; cookie: string },
  before: Held['before'],
) {
  const { server, cookie } = firm
  await untilReplicated(server)
  const load = createLoad(server, cookie)
  // a check of the place records what the place has
  await Bun.sleep(7_000)
  const status = await ask(server.url, 'GET', '/v1/system/status', { headers: { cookie } })
  const { history } = status.json.replica as { history: string }
  const losses = await readFigure(server, 'replica_losses_total')
  const held = { names: await place.list(), history, before }
  let gone = await way.lose(place, held)
  if (way.how.includes('pruned')) {
    const ages = await Promise.all(
      held.names.map(async (name) => [name, await place.readAge(name).catch(() => 0)] as const),
    )
    const old = ages.filter(([, age]) => age > 4_000).map(([name]) => name)
    must(old.length > 0, 'there is nothing to prune')
    await place.remove(old)
  }
  const noticed = await until(
    `${way.how} is noticed`,
    async () => {
      if (gone === null) return (await readFigure(server, 'replica_losses_total')) > losses
      return (await place.list()).includes(gone)
    },
    NOTICED_WITHIN,
  )
  const whole = await until(
    'it is whole again',
    async () => {
      if ((await readFigure(server, 'replica_running')) !== 1) return false
      return performance.now() - load.lastDone() < 500
    },
    WHOLE_WITHIN,
  )
  gone = null
  await load.stop()
  const kept = await restored(cwd, place)
  const missing = load.acknowledged.filter((id) => !kept.has(id))
  must(missing.length === 0, `${missing.length} of ${load.acknowledged.length} acknowledged clients are missing`)
  const seconds = (ms: number): string => (ms / 1000).toFixed(1)
  process.stdout.write(
    `  ${way.how}: noticed after ${seconds(noticed)} s, whole ${seconds(whole)} s later; ${load.acknowledged.length} acknowledged, none missing\n`,
  )
}

/** Loses the machine, lets another one continue, and brings the old one back. */
async function comeBack(cwd: string, place: TrialPlace, server: Process): Promise<void> {
  await server.kill('SIGKILL')
  Bun.spawnSync(['pkill', '-9', '-f', join(cwd, 'data/engine')])
  const to = join(cwd, 'other')
  const made = await runCommand(['restore', '--to', to, '--key-file', join(cwd, 'data/secret.key')], {
    cwd,
    env: place.env,
  })
  must(made.code === 0, `the other machine could not restore: ${made.stderr}`)
  const env = { ...NO_LIMITS, ...place.env, BROKERBASE_REPLICA_WAIT: 'all' }
  const other = await startProcess(['serve', '--data-dir', to], {
    cwd,
    env: { ...env, BROKERBASE_PUBLIC_URL: 'http://127.0.0.1:1' },
  })
  await untilReplicated(other)
  const cookie = await signIn(other.url, 'owner@lost.test', PASSWORD)
  const create = (url: string) =>
    ask(url, 'POST', '/v1/traders', {
      headers: { cookie, origin: url },
      body: { email: `${Math.random()}@x.test`, firstName: 'A' },
    })
  must((await create(other.url)).status === 201, 'the other machine does not write')
  const back = await startProcess(['serve'], { cwd, env })
  for (const path of ['/ready', '/ready/primary', '/v1/traders']) {
    const answer = await ask(back.url, 'GET', path)
    must(answer.status === 503, `${path} of the old machine is ${answer.status}`)
    must(answer.headers.get('x-crm-primary') === 'http://127.0.0.1:1', `${path} does not say where to go`)
  }
  must((await create(back.url)).status === 503, 'the old machine takes a write')
  must((await create(other.url)).status === 201, 'the other machine stopped')
  await back.kill('SIGKILL')
  await other.kill('SIGTERM')
  process.stdout.write('  a server whose place was taken over comes back: no write, and it says where to go\n')
}

requireExecutable()
let passed = 0
let failed = 0
const count = async (what: string, act: () => Promise<void>): Promise<void> => {
  try {
    await act()
    passed += 1
  } catch (error) {
    failed += 1
    process.stdout.write(`  ${what}: ${error instanceof Error ? error.message : error}\n`)
  }
}
async function tryPlace(made: Promise<TrialPlace | null> | TrialPlace, cwd: string): Promise<void> {
  const place = await made
  if (!place) return void process.stdout.write('no sftp-server here: a host by SFTP is not tried\n')
  process.stdout.write(`${place.name}\n`)
  const env = { ...NO_LIMITS, ...place.env, BROKERBASE_REPLICA_WAIT: 'all', BROKERBASE_LOG_LEVEL: 'warn' }
  const firm = await startFirm('lost', { cwd, env: { ...env, BROKERBASE_LOG_LEVEL: 'info' } })
  await untilReplicated(firm.server)
  await Bun.sleep(1_000)
  const before = new Map<string, Uint8Array>()
  for (const name of await place.list()) before.set(name, await place.read(name).catch(() => new Uint8Array()))
  for (const way of SHORT ? WAYS.slice(0, 2) : WAYS) await count(way.how, () => tryWay(way, cwd, place, firm, before))
  await count('a server that comes back', () => comeBack(cwd, place, firm.server))
  await place.stop()
}

const root = mkdtempSync(join(tmpdir(), 'brokerbase-lost-place-'))
const inside = (name: string): string => {
  const path = join(root, name)
  Bun.spawnSync(['mkdir', '-p', path])
  return path
}
try {
  await tryPlace(filePlace(inside('file')), inside('file'))
  if (!SHORT) await tryPlace(sftpPlace(inside('sftp')), inside('sftp'))
  if (!SHORT) await tryPlace(bucketPlace(), inside('s3'))
} finally {
  rmSync(root, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
