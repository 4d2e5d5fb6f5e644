/**
 * `bun run bench` measures the built executable with everything on, against a bare server with the same SQL, in the
 * same run. src/README “Benchmarks”. `--quick` measures for less time. `--only NAME` measures one of get, list, search,
 * create, mixed, lists, ingest, frames, beside, clicks, replica, followed, start, memory, size or webhooks, or
 * search-million, terminal, terminal-deals or terminal-hostile. Those only run if they are named: they take minutes,
 * and the data set of the first one 4 GB. `--seconds`, `--accounts`, `--positions` and `--deals` make those about
 * terminals smaller.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MOST_MEGABYTES } from '../testing/executable.ts'
import { measureBeside, QUERIES, REPORTS } from './beside.ts'
import { measureClicks } from './clicks.ts'
import { copyDataset, type Dataset, dataset, FULL, HUGE, LARGE, MILLION, type Shape, SMALL, TINY } from './dataset.ts'
import { drainRate } from './drain.ts'
import { measureFrames } from './frames.ts'
import { measureIngest } from './ingest.ts'
import { measureLists } from './lists.ts'
import { measureFollowed, measureReplica, type ReplicaFigure } from './replica.ts'
import { compare, type Measured, measureGroup, type Pace, type Servers } from './rounds.ts'
import { differences } from './same.ts'
import { measureSearch } from './searching.ts'
import { ENGINE, EXECUTABLE, residentMegabytes, startBare, startProduct } from './servers.ts'
import { executableSize, idleMemory, startTime } from './start.ts'
import { type Figure, measureLarge, measureNone, measureSmall } from './terminal.ts'
import { measureBackfill } from './terminal-backfill.ts'
import { measureHostile } from './terminal-hostile.ts'
import { workloads } from './workloads.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    tiny: { type: 'boolean', default: false },
    only: { type: 'string' },
    seconds: { type: 'string', default: '300' },
    accounts: { type: 'string', default: '10000' },
    positions: { type: 'string', default: '200000' },
    deals: { type: 'string', default: '1000000' },
  },
})
const wanted = (name: string): boolean => options.only === undefined || options.only === name

const note = (text: string): void => void process.stderr.write(`${text}\n`)
/** Reports something that was refused or missing. It gets no figure, and the run fails. */
const wrong = (text: string): void => {
  note(text)
  process.exitCode = 1
}
/** Returns the number for the tiny, quick or full run. */
const amount = (tiny: number, quick: number, full: number): number =>
  options.tiny ? tiny : options.quick ? quick : full
const pace: Pace = { rounds: amount(1, 3, 5), seconds: amount(0.3, 1.5, 4) }
/** Returns the data set with a name; all data sets are tiny if only the benchmark itself is tested. */
const openDataset = (name: string, shape: Shape): Promise<Dataset> =>
  options.tiny ? dataset('tiny', TINY, note) : dataset(name, shape, note)
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
const verdict = (good: boolean): string => (good ? '' : ' ✗')

/** Returns the product's cursor for its hundredth page of 50. */
async function fetchCursor(port: number, set: Dataset, page: number): Promise<string> {
  let cursor = ''
  for (let at = 1; at < page; at += 1) {
    const path = `/v1/traders?limit=50${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie: `crm_session=${set.token}` } })
    const { nextCursor }: { nextCursor?: string | null } = await answer.json()
    if (!nextCursor) throw new Error(`page ${at} of the traders answered ${answer.status} without a next cursor`)
    cursor = nextCursor
  }
  return cursor
}

async function underLoad(set: Dataset, scratch: string): Promise<void> {
  const ours = await startProduct(copyDataset(set, join(scratch, 'ours')))
  const bare = await startBare(copyDataset(set, join(scratch, 'bare')), set.tenantId)
  const servers: Servers = { ours, bare }
  try {
    for (const line of await differences(set, servers)) wrong(`The two servers do not answer alike: ${line}`)
    const deepCursor = await fetchCursor(ours.port, set, 100)
    const { groups, ratioLines } = workloads(set, { ours: ours.port, bare: bare.port }, deepCursor)
    const measured: Measured = new Map()
    const numbers = { ours: 1, bare: 1 }
    for (const group of groups.filter(({ name }) => wanted(name))) {
      note(`Measuring ${group.name} …`)
      for (const [name, results] of await measureGroup(group, servers, pace, numbers)) {
        measured.set(name, results)
        note(`  ${name}: ${results.map(({ rps, cpu }) => `${whole(rps)}/s (load ${cpu.toFixed(2)} CPU)`).join(', ')}`)
      }
    }
    print('| figure | ours/s | bare/s | ratio | target | p50 ms | p99 ms |')
    print('|---|---:|---:|---:|---:|---:|---:|')
    for (const figure of ratioLines) {
      const row = compare(figure, measured)
      if (!row) continue
      const target = figure.target === null ? '–' : `≥ ${figure.target.toFixed(2)}`
      const bad = verdict(figure.target === null || row.ratio >= figure.target)
      const refused = row.refused === '' ? '' : ` (some answers: ${row.refused})`
      if (refused !== '') wrong(`${figure.label}:${refused}`)
      const cells = [whole(row.ours), whole(row.against), `${row.ratio.toFixed(2)}${bad}`, target]
      print(`| ${figure.label}${refused} | ${cells.join(' | ')} | ${row.p50.toFixed(2)} | ${row.p99.toFixed(2)} |`)
    }
    print('')
    print(`Memory of the server after the load: ${whole(residentMegabytes(ours.pid))} MB.`)
    print('')
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
  }
}

const SLOW_LIST_MS = 30
const STALL_MS = 250

/** Measures the product alone and compares it with limits instead of a yardstick. */
async function atWork(set: Dataset, scratch: string): Promise<void> {
  const directory = copyDataset(set, join(scratch, 'work'))
  const server = await startProduct(directory)
  try {
    if (wanted('lists')) {
      note('Measuring lists …')
      print(`| list, first 50 rows | filter | rows | median ms (≤ ${SLOW_LIST_MS}) | slowest ms |`)
      print('|---|---|---:|---:|---:|')
      for (const { path, query, rows, median, worst, refused } of await measureLists(set, server.port)) {
        if (refused !== '') wrong(`${path}?${query} answers ${refused}`)
        const shown = refused === '' ? `${median.toFixed(1)}${verdict(median <= SLOW_LIST_MS)}` : `answers ${refused}`
        print(
          `| ${path} | ${query.replace(/=(\w{3})_\w{26}/g, '=$1_…') || '–'} | ${rows} | ${shown} | ${worst.toFixed(1)} |`,
        )
      }
      print('')
    }
    if (wanted('ingest')) {
      note('Measuring ingest …')
      const figure = await measureIngest(set, server.port, directory, amount(1, 4, 12))
      const { calls, perSecond, callMs, updated, refused, beside, quiet } = figure
      const bad = refused === '' ? '' : ` (a call answered ${refused})`
      if (bad !== '') wrong(`ingest:${bad}`)
      const limit = `${beside.p99.toFixed(1)} ms${verdict(beside.p99 <= STALL_MS)}`
      print('| positions/sync, deltas of 10,000 | measured | limit |')
      print('|---|---:|---:|')
      print(`| positions${bad} | ${whole(perSecond)}/s | – |`)
      print(`| a call (median of ${calls}; ${whole(updated)} positions changed) | ${whole(callMs)} ms | – |`)
      print(`| get one trader meanwhile, p99 (of ${whole(beside.requests)}) | ${limit} | ≤ ${STALL_MS} ms |`)
      print(
        `| get one trader meanwhile, slowest | ${beside.max.toFixed(1)} ms${verdict(beside.max <= STALL_MS)} | ≤ ${STALL_MS} ms |`,
      )
      print(
        `| the same with nothing else going on, p99 / slowest | ${quiet.p99.toFixed(1)} / ${quiet.max.toFixed(1)} ms | – |`,
      )
      print('')
    }
  } finally {
    await server.stop()
  }
}

/** Measures the searches of a clerk on the phone, in a firm of a million clients. */
async function searching(set: Dataset, scratch: string): Promise<void> {
  note('Measuring searches …')
  const server = await startProduct(copyDataset(set, join(scratch, 'search')))
  try {
    print('| search, 1,000,000 clients | hits | median ms | slowest ms | limit |')
    print('|---|---:|---:|---:|---:|')
    for (const { label, path, hits, median, worst, limit, refused } of await measureSearch(set, server.port)) {
      if (refused !== '') wrong(`${path} answers ${refused}`)
      print(
        `| ${label} | ${hits} | ${median.toFixed(1)}${verdict(median <= limit)} | ${worst.toFixed(1)} | ≤ ${limit} |`,
      )
    }
    print('')
  } finally {
    await server.stop()
  }
}

const FRAME_MS = 100

/** Measures how smoothly the console shows the largest lists. */
async function measureListFrames(set: Dataset, scratch: string): Promise<void> {
  note('Measuring frames of lists …')
  const server = await startProduct(copyDataset(set, join(scratch, 'frames')))
  try {
    print(`| list in Chromium, 1440 px | act | rows | frames | p99 ms | longest ms (≤ ${FRAME_MS}) |`)
    print('|---|---|---:|---:|---:|---:|')
    const work = { seconds: amount(0.3, 3, 10), lists: amount(1, 4, 4) }
    await measureFrames(set, server.port, work, ({ list, act, rows, frames, p99, longest }) => {
      const cells = [
        list,
        act,
        whole(rows),
        frames,
        whole(p99),
        `${whole(longest)}${verdict(Math.round(longest) <= FRAME_MS)}`,
      ]
      print(`| ${cells.join(' | ')} |`)
    })
    print('')
  } finally {
    await server.stop()
  }
}

const BESIDE_MS = 5
const REPORT_MS = 10_000

/** Measures how reports and owners' queries on a million rows slow a steady load of gets. */
async function besideReports(set: Dataset, scratch: string): Promise<void> {
  note('Measuring reports and queries beside gets …')
  const server = await startProduct(copyDataset(set, join(scratch, 'beside')))
  try {
    const before = residentMegabytes(server.pid)
    print('| 500 gets/s beside | took ms (median, slowest) | get p99 ms, quiet → beside | limit |')
    print('|---|---:|---:|---:|')
    const works = [...QUERIES, ...REPORTS]
    await measureBeside(set, server.port, works, { seconds: amount(0.3, 4, 8), rounds: pace.rounds }, (figure) => {
      const { name, times, medianMs, slowestMs, quiet, beside, refused } = figure
      if (refused !== '') wrong(`${name} answers ${refused}`)
      const limit = Math.max(1.5 * quiet, BESIDE_MS)
      const took = `${whole(medianMs)}, ${whole(slowestMs)}${verdict(slowestMs <= REPORT_MS)} (${times} times)`
      const p99 = `${quiet.toFixed(2)} → ${beside.toFixed(2)}${verdict(beside <= limit)}`
      print(`| ${name} | ${times === 0 ? 'given up' : took} | ${p99} | ${limit.toFixed(2)} |`)
    })
    print('')
    print(`Memory of the server: ${whole(before)} → ${whole(residentMegabytes(server.pid))} MB.`)
    print('')
  } finally {
    await server.stop()
  }
}

const CLICKS_PER_SECOND = 5000
const ROWS_PER_SECOND = 200

/** Measures how a flood of clicks slows staff, and what it writes to the disk. */
async function measureClickFlood(set: Dataset, scratch: string): Promise<void> {
  note('Measuring a flood of clicks …')
  const directory = copyDataset(set, join(scratch, 'clicks'))
  const server = await startProduct(directory, { BROKERBASE_TRUSTED_PROXIES: '127.0.0.1/32' })
  try {
    const figure = await measureClicks(set, server.port, directory, amount(1, 10, 30), amount(1, 7, 7))
    const { perSecond, refused, rowsPerSecond, quiet, beside, known, unknown } = figure
    if (refused !== '') wrong(`clicks: ${refused}`)
    const apart = (Math.abs(known - unknown) / Math.min(known, unknown)) * 100
    const slower = beside.p99 / quiet.p99
    print('| a flood of clicks | measured | limit |')
    print('|---|---:|---:|')
    print(`| taken | ${whole(perSecond)}/s${verdict(perSecond >= CLICKS_PER_SECOND)} | ≥ ${CLICKS_PER_SECOND}/s |`)
    print(
      `| written | ${whole(rowsPerSecond)} rows/s${verdict(rowsPerSecond <= ROWS_PER_SECOND)} | ≤ ${ROWS_PER_SECOND} rows/s |`,
    )
    print(
      `| staff's writes, p99 quiet → beside | ${quiet.p99.toFixed(1)} → ${beside.p99.toFixed(1)} ms${verdict(slower <= 2)} | ≤ 2 × |`,
    )
    print(
      `| a known code, an unknown one (medians) | ${known.toFixed(3)}, ${unknown.toFixed(3)} ms${verdict(apart <= 5)} | ≤ 5 % apart |`,
    )
    print('')
  } finally {
    await server.stop()
  }
}

const REPLICA_RATIO = 0.85
/** Creates that a standby on the same cores follows, to creates beside a replica alone. */
const FOLLOWED_RATIO = 0.97
const WAITING_RATIO = 0.4

/** Prints figures of creates beside a replica, each with the ratio that it should have. */
function printReplica(figures: readonly ReplicaFigure[], targets: Readonly<Record<string, number>>): void {
  print('| durable create | a second | ratio | target | p50 ms | p99 ms | engine |')
  print('|---|---:|---:|---:|---:|---:|---:|')
  for (const figure of figures) {
    const { name, perSecond, ratio, p50, p99, engineMegabytes, refused } = figure
    if (refused !== '') wrong(`creates with ${name} answer ${refused}`)
    const target = targets[name] ?? 0
    const cells = [
      whole(perSecond),
      `${ratio.toFixed(2)}${verdict(ratio >= target)}`,
      target === 0 ? '–' : `≥ ${target}`,
    ]
    const engine = engineMegabytes === 0 ? '–' : `${whole(engineMegabytes)} MB`
    print(`| ${name} | ${cells.join(' | ')} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${engine} |`)
  }
  print('')
}

/** Prints figures beside their goals. */
function printFigures(figures: readonly Figure[]): void {
  print('| figure | measured | goal |')
  print('|---|---:|---:|')
  for (const { label, measured, goal, isGood } of figures)
    print(`| ${label} | ${measured}${verdict(isGood !== false)} | ${goal} |`)
  print('')
}

/** Measures a server that reads trading servers: a large and a small one, and none. */
async function besideTerminals(scratch: string): Promise<void> {
  const [accounts, positions, seconds] = [options.accounts, options.positions, options.seconds].map(Number)
  note('Measuring a server without connections …')
  printFigures(await measureNone(await openDataset('small', SMALL), scratch, amount(2, 10, 10)))
  note('Measuring a small trading server …')
  printFigures(await measureSmall(scratch, seconds ?? 300))
  note('Measuring a large trading server …')
  const shape = { accounts: accounts ?? 10_000, positions: positions ?? 200_000, seconds: seconds ?? 300 }
  printFigures(await measureLarge(scratch, shape, note))
}

async function atRest(set: Dataset, scratch: string): Promise<void> {
  const rows: string[] = []
  const row = (label: string, value: number, unit: string, limit: number): void =>
    void rows.push(`| ${label} | ${whole(value)} ${unit}${verdict(value <= limit)} | ≤ ${limit} ${unit} |`)
  if (wanted('start'))
    row('start to first answer (median)', await startTime(set, scratch, amount(2, 10, 10)), 'ms', 150)
  if (wanted('memory')) row('memory when idle', await idleMemory(set, scratch), 'MB', 120)
  const size = wanted('size') ? executableSize() : undefined
  if (size !== undefined) row('executable', size, 'MB', MOST_MEGABYTES)
  if (wanted('webhooks')) {
    const drained = await drainRate(set, scratch, amount(200, 2000, 5000))
    if ('rate' in drained) rows.push(`| webhook backlog to a receiver here | ${whole(drained.rate)} deliveries/s | – |`)
    else wrong(`Webhooks not measured: ${drained.reason}.`)
  }
  if (rows.length === 0) return
  print('| figure | measured | limit |')
  print('|---|---:|---:|')
  for (const line of rows) print(line)
}

if (!existsSync(EXECUTABLE)) note('dist/brokerbase is not built (bun run build): measuring the source instead.')
const scratch = mkdtempSync(join(tmpdir(), 'brokerbase-bench-run-'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    rmSync(scratch, { recursive: true, force: true })
    process.exit(1)
  })
}
try {
  print(`${cpus()[0]?.model ?? 'unknown CPU'}, ${cpus().length} cores, Bun ${Bun.version}; 64 connections.`)
  print('')
  if (['get', 'list', 'search', 'create', 'mixed'].some(wanted)) {
    await underLoad(await openDataset('full', FULL), scratch)
  }
  if (['lists', 'ingest'].some(wanted)) await atWork(await openDataset('large', LARGE), scratch)
  if (wanted('frames')) await measureListFrames(await openDataset('large', LARGE), scratch)
  if (wanted('beside')) await besideReports(await openDataset('huge', HUGE), scratch)
  if (options.only === 'search-million') await searching(await openDataset('million', MILLION), scratch)
  if (options.only === 'terminal') await besideTerminals(scratch)
  if (options.only === 'terminal-deals') printFigures(await measureBackfill(scratch, Number(options.deals), note))
  if (options.only === 'terminal-hostile') printFigures(await measureHostile(scratch, Number(options.seconds)))
  if (wanted('clicks')) await measureClickFlood(await openDataset('small', SMALL), scratch)
  if (wanted('replica')) {
    if (existsSync(ENGINE)) {
      note('Measuring creates with a replica …')
      const figures = await measureReplica(await openDataset('full', FULL), scratch, pace)
      printReplica(figures, { 'a replica': REPLICA_RATIO, 'answers wait for it': WAITING_RATIO })
    } else note('No Litestream in the build: replication is not measured.')
  }
  if (wanted('followed') && existsSync(ENGINE)) {
    note('Measuring creates with a standby …')
    // it proves what it follows, and the audit entries of larger sets are no chain
    const figures = await measureFollowed(await dataset('small', SMALL, note), scratch, pace)
    printReplica(figures, { 'a standby follows it': FOLLOWED_RATIO })
  }
  if (['start', 'memory', 'size', 'webhooks'].some(wanted)) await atRest(await openDataset('small', SMALL), scratch)
} catch (error) {
  wrong(`The benchmark stopped: ${error instanceof Error ? error.message : String(error)}`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
