import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, EXECUTABLE, must, requireExecutable, untilReplicated } from './executable.ts'
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

/**
 * Breaks takeovers: the standby is killed at each of their steps, two are ordered at once, one while the primary lives,
 * one with a full disk, and one whose place goes away. The same command has to end with a primary that has every
 * acknowledged write. Usage: bun run promotions -- [--only "killed"]
 */
const onlyAt = process.argv.indexOf('--only')
const ONLY = onlyAt === -1 ? '' : (process.argv[onlyAt + 1] ?? '')
/** Every answer waits for the replica, so that nothing that was acknowledged may be missing. */
const WAIT = { BROKERBASE_REPLICA_WAIT: 'all' }

/** Clients that are made all the time, by the ids of those that were acknowledged and when. */
type Writing = { acknowledged: Map<string, number>; stop(): Promise<void> }

function writeOn({ url }: Machine, headers: Record<string, string>): Writing {
  const acknowledged = new Map<string, number>()
  let isOver = false
  const write = async (): Promise<void> => {
    while (!isOver) {
      const body = { email: `${crypto.randomUUID()}@pair.test` }
      const answer = await ask(url, 'POST', '/v1/traders', { headers, body }).catch(() => null)
      if (answer?.status === 201) acknowledged.set(String(answer.json.id), performance.now())
      await Bun.sleep(answer ? 5 : 100)
    }
  }
  const writing = Promise.all([write(), write(), write()])
  return {
    acknowledged,
    stop: async () => {
      isOver = true
      await writing
    },
  }
}

type Live = Pair & { headers: Record<string, string>; writing: Writing }

/** Starts a pair whose primary is written to. */
async function startPair(settings: Record<string, string> = WAIT): Promise<Live> {
  const pair = await foundPair((root) => `file://${root}/replica`, { primary: settings, standby: settings })
  const { primary, standby } = pair
  await startOn(primary, ['serve'])
  if (primary.server) await untilReplicated(primary.server)
  const headers = await signInOn(primary)
  const writing = writeOn(primary, headers)
  await startOn(standby, ['standby'])
  await untilStatus(standby, '/ready/read', 200)
  await Bun.sleep(1_000)
  return { ...pair, headers, writing }
}

/** Orders a takeover; `hear` is called with each step. */
function promote({ cwd, env }: Machine, args: string[] = [], hear: (step: string) => void = () => {}) {
  const { PATH = '', HOME = '', TMPDIR = '/tmp' } = process.env
  const child = Bun.spawn([EXECUTABLE, 'promote', ...args], {
    cwd,
    env: { PATH, HOME, TMPDIR, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const steps: string[] = []
  const ended = (async () => {
    const errors = new Response(child.stderr).text()
    const decoder = new TextDecoder()
    for await (const piece of child.stdout)
      for (const step of decoder.decode(piece, { stream: true }).split('\n').filter(Boolean)) {
        steps.push(step)
        hear(step)
      }
    return { code: await child.exited, steps, errors: (await errors).trim() }
  })()
  return { ended, steps }
}

/** Waits until a machine takes a write; everything that was acknowledged must be there. */
async function findAll({ standby, writing }: Live): Promise<string> {
  let headers = {}
  let last = ''
  const takesWrite = async (): Promise<boolean> => {
    headers = await signInOn(standby)
    const body = { email: `${crypto.randomUUID()}@pair.test` }
    const { status, text } = await ask(standby.url, 'POST', '/v1/traders', { headers, body })
    last = text
    return status === 201
  }
  const seconds = await within('the new primary takes a write', 60, takesWrite).catch((error: unknown) => {
    throw new Error(`${error}: ${last} ${standby.server?.log().slice(-2_000)}`)
  })
  await untilStatus(standby, '/ready/primary', 200)
  const missing: string[] = []
  for (const id of writing.acknowledged.keys())
    if ((await ask(standby.url, 'GET', `/v1/traders/${id}`, { headers })).status !== 200) missing.push(id)
  must(missing.length === 0, `${missing.length} of ${writing.acknowledged.size} are missing: ${missing[0]}`)
  return `${writing.acknowledged.size} acknowledged, none missing, a write after ${seconds.toFixed(1)} s`
}

/** A moment of a takeover: after a step was said, or once a file is there. */
type Moment = { step: string; most: number; isCut?: true } | { file: string }
const MOMENTS: readonly Moment[] = [
  { step: 'the lease is that of', most: 10_000, isCut: true },
  { step: 'a new history is claimed', most: 9_000, isCut: true },
  { step: 'following what arrived last', most: 1_500 },
  { step: 'proving the copy', most: 800 },
  { step: 'proven', most: 50 },
  { file: 'standby/promoted' },
  { file: 'swap.json' },
  { file: 'before-promotion/.out' },
  { file: 'brokerbase.db' },
  { step: 'starting as the server', most: 1_000 },
  { step: 'serving at', most: 2_000 },
]
const describe = (moment: Moment): string => ('file' in moment ? `${moment.file} is there` : `“${moment.step}”`)

/** Kills the standby at a moment of its takeover; the same command must end as primary after a restart. */
async function killAt(moment: Moment): Promise<string> {
  const live = await startPair()
  const { primary, standby, writing } = live
  try {
    if ('isCut' in moment) await cutPower(primary)
    else await primary.server?.kill('SIGTERM')
    await writing.stop()
    const reached = Promise.withResolvers<void>()
    const order = promote(standby, [], (step) => {
      if ('step' in moment && step.startsWith(moment.step)) setTimeout(reached.resolve, Math.random() * moment.most)
    })
    let isOver = false
    void order.ended.then(() => {
      isOver = true
      reached.resolve()
    })
    // a busy machine may miss the moment in which the file is there
    if ('file' in moment) while (!existsSync(join(standby.data, moment.file)) && !isOver) await Bun.sleep(0)
    else await reached.promise
    await cutPower(standby)
    const first = await order.ended
    await startOn(standby, ['standby'])
    const isStandby = (await ask(standby.url, 'GET', '/ready/primary')).json.code === 'standby'
    if (isStandby) await untilStatus(standby, '/ready/read', 200)
    const again = await promote(standby).ended
    must(
      again.code === 0,
      `the second order after ${first.steps.at(-1)}: ${again.code} ${again.steps.at(-1)} ${again.errors}\n${standby.server?.log().slice(-2_000)}`,
    )
    return `${isStandby ? 'took over again' : 'was a server already'}; ${await findAll(live)}; ${again.steps.at(-1)}`
  } finally {
    await closePair(live)
  }
}

async function orderTwice(): Promise<string> {
  const live = await startPair()
  try {
    await live.primary.server?.kill('SIGTERM')
    await live.writing.stop()
    const orders = [promote(live.standby), promote(live.standby), promote(live.standby)]
    const ended = await Promise.all(orders.map((order) => order.ended))
    must(
      ended.every(({ code }) => code === 0),
      ended.map(({ errors }) => errors).join('; '),
    )
    must(new Set(ended.map(({ steps }) => JSON.stringify(steps))).size === 1, 'they heard different steps')
    return await findAll(live)
  } finally {
    await closePair(live)
  }
}

/** Orders a takeover at once while the primary lives, which must stop acknowledging at its next look. */
async function orderNow(wait: string): Promise<string> {
  const live = await startPair({ BROKERBASE_REPLICA_WAIT: wait })
  const { primary, standby, writing } = live
  try {
    let takenAt = 0
    const order = promote(standby, ['--now'], (step) => {
      if (step.includes('is taken')) takenAt = performance.now()
    })
    const { code, errors, steps } = await order.ended
    must(code === 0, errors)
    const replaced = await untilStatus(primary, '/v1/traders', 503, 60)
    await Bun.sleep(3_000)
    await writing.stop()
    const last = Math.max(...writing.acknowledged.values())
    const after = [...writing.acknowledged.values()].filter((at) => at > takenAt).length
    const headers = await signInOn(standby)
    let missing = 0
    for (const id of writing.acknowledged.keys())
      if ((await ask(standby.url, 'GET', `/v1/traders/${id}`, { headers })).status !== 200) missing += 1
    const late = (last - takenAt) / 1_000
    must(late < 6, `it acknowledged for ${late} s after the place was taken`)
    return `${after} acknowledged in the ${late.toFixed(1)} s after the place was taken, ${missing} missing; replaced ${replaced.toFixed(1)} s after; ${steps.at(-1)}`
  } finally {
    await closePair(live)
  }
}

/** Orders a takeover of a standby whose disk is full from the beginning, or from a step on. */
async function fillDisk(step: string): Promise<string> {
  const live = await startPair()
  const { primary, standby } = live
  const disk = join(live.root, 'small')
  try {
    await standby.server?.kill('SIGTERM')
    standby.server = undefined
    mkdirSync(disk)
    must(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=400m', 'none', disk]).success, 'no small disk here')
    Bun.spawnSync(['cp', '-a', `${standby.data}/.`, disk])
    rmSync(standby.data, { recursive: true })
    Bun.spawnSync(['ln', '-s', disk, standby.data])
    await startOn(standby, ['standby'])
    await untilStatus(standby, '/ready/read', 200)
    await primary.server?.kill('SIGTERM')
    await live.writing.stop()
    const ballast = join(disk, 'ballast')
    const fill = (): void => void Bun.spawnSync(['dd', 'if=/dev/zero', `of=${ballast}`, 'bs=64k'], { stderr: 'ignore' })
    if (step === '') fill()
    const failed = await promote(standby, [], (said) => {
      if (step !== '' && said.startsWith(step)) fill()
    }).ended
    if (failed.code === 0) {
      rmSync(ballast)
      return `it took over all the same, ${failed.steps.at(-2)}; ${await findAll(live)}`
    }
    const alive = await ask(standby.url, 'GET', '/health').then(
      ({ status }) => String(status),
      () => 'dead',
    )
    rmSync(ballast)
    if (alive === 'dead') await startOn(standby, ['standby'])
    const ready = await untilStatus(standby, '/ready/read', 200, 60)
    // a follower that could not apply its changes for a minute fetches everything again
    await within('the second order', 120, async () => (await promote(standby).ended).code === 0)
    return `“${failed.errors}”; health ${alive}, read again after ${ready.toFixed(1)} s; ${await findAll(live)}`
  } finally {
    await Promise.all([primary, standby].map(cutPower))
    Bun.spawnSync(['umount', '-l', disk])
    await closePair(live)
  }
}

/** Takes the place away at a step of a takeover, and brings it back after that has failed. */
async function losePlace(step: string, isCut: boolean): Promise<string> {
  const live = await startPair()
  const { root, primary, standby } = live
  const [place, away] = [join(root, 'replica'), join(root, 'away')]
  try {
    if (isCut) await cutPower(primary)
    else await primary.server?.kill('SIGTERM')
    await live.writing.stop()
    const lost = await promote(standby, [], (said) => {
      if (!said.startsWith(step)) return
      renameSync(place, away)
      writeFileSync(place, '')
    }).ended
    must(existsSync(away), `the step was never said: ${lost.steps}`)
    const health = await ask(standby.url, 'GET', '/health').then(
      ({ status }) => String(status),
      () => 'dead',
    )
    rmSync(place, { recursive: true, force: true })
    renameSync(away, place)
    if (health === 'dead') await startOn(standby, ['standby'])
    if (lost.code === 0) return `it took over all the same; ${await findAll(live)}`
    await untilStatus(standby, '/ready/read', 200, 60)
    const again = await promote(standby).ended
    must(again.code === 0, `the second order: ${again.errors}`)
    return `“${lost.errors}”; health ${health}; ${await findAll(live)}`
  } finally {
    await closePair(live)
  }
}

let passed = 0
let failed = 0
async function count(name: string, act: () => Promise<string>): Promise<void> {
  if (!name.includes(ONLY)) return
  try {
    process.stdout.write(`${name}: ${await act()}\n`)
    passed += 1
  } catch (error) {
    failed += 1
    process.stdout.write(`FAILED ${name}: ${error instanceof Error ? error.message : error}\n`)
  }
}

requireExecutable()
for (const moment of MOMENTS) await count(`killed at ${describe(moment)}`, () => killAt(moment))
await count('ordered three times at once', orderTwice)
for (const wait of ['off', 'all']) await count(`--now while the primary lives (${wait})`, () => orderNow(wait))
for (const step of ['', 'proving the copy', 'proven', 'starting as the server'])
  await count(`full disk from “${step}”`, () => fillDisk(step))
await count('the place is gone at the claim', () => losePlace('a new history is claimed', true))
for (const step of ['the lease was', 'following', 'proving the copy', 'proven', 'starting'])
  await count(`the place is gone at “${step}”`, () => losePlace(step, false))
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
