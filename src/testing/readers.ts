import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DAY } from '../platform/clock.ts'
import { ask, must, requireExecutable } from './executable.ts'
import { inviteColleague, type Moving, moveMoney } from './moving-money.ts'
import { numberOption } from './options.ts'
import {
  closePair,
  cutPower,
  foundPair,
  listChildren,
  type Machine,
  type Pair,
  readFigures,
  startOn,
  untilStatus,
  within,
} from './pair.ts'

/**
 * Reads reports and the SQL page of a primary with `BROKERBASE_READ_FROM` while money moves: the standby does the work,
 * the primary starts no child and its log is not held; answers are those of the primary itself, and go on without an
 * error when the standby dies. Prints what a request costs the primary meanwhile.
 * Usage: bun run readers -- [--rounds 3]
 */
const ROUNDS = numberOption('rounds', 3)
const REPORTS_AT_ONCE = 10
/** A person may have five reports that run or wait, a firm ten. */
const READERS = 3
/** A phase ends after this many small requests. */
const SMALL_REQUESTS = numberOption('requests', 2_000)
/** The query counts this far, which takes some ten seconds, more on busy cores; a firm runs one at a time. */
const COUNTED = numberOption('counted', 30_000_000)
const WALLETS = 200
const WRITERS = 2
/** The log of a database that nobody holds starts again; it may be this many times as long as when nobody reads. */
const LONGEST_LOG = 2
const LOOK_EVERY = 10
const TICK = 10

type Headers = Record<string, string>
type Answer = Awaited<ReturnType<typeof ask>>
type Reader = (path: string) => Promise<Answer>

let periods = 0
/** Returns a period with today that was not asked for before, since a report of one is remembered for a minute. */
function nextPeriod(): string {
  periods += 1
  const day = (n: number): string => new Date(Date.now() + n * DAY).toISOString().slice(0, 10)
  return `from=${day(-(periods % 300))}&to=${day(Math.floor(periods / 300))}`
}
/** Each makes the path of a report. */
const REPORTS: readonly (() => string)[] = [
  () => `/v1/admin/reporting/dashboard?currency=EUR&${nextPeriod()}`,
  () => `/v1/admin/reporting/revenue-breakdown?currency=EUR&${nextPeriod()}`,
  () => `/v1/admin/tax-report?${nextPeriod()}`,
]

/** How many reports and queries each server was asked for, refusals as well. */
const asked = new Map<string, number>()
/** Asks until the answer is no refusal for lack of places; any other error ends the trial. */
async function readUntilDone(url: string, ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    asked.set(url, (asked.get(url) ?? 0) + 1)
    if (answer.json.code !== 'busy') {
      must(answer.status === 200, `${answer.status} ${answer.text}`)
      return answer
    }
    await Bun.sleep(100)
  }
}

const makeReader =
  ({ url }: Machine, headers: Headers): Reader =>
  (path) =>
    readUntilDone(url, () => ask(url, 'GET', path, { headers }))

const runQuery = ({ url }: Machine, headers: Headers): Promise<Answer> =>
  readUntilDone(url, () => {
    const sql = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNTED}) SELECT count(*) AS n FROM n`
    return ask(url, 'POST', '/v1/admin/reports/sql', { headers, body: { sql } })
  })

/** Returns the processor time (ms) that a machine's server has used. */
function readProcessorTime({ server }: Machine): number {
  const [user = '', system = ''] =
    /\) (?:\S+ ){11}(\d+) (\d+) /.exec(readFileSync(`/proc/${server?.pid}/stat`, 'utf8'))?.slice(1) ?? []
  return (Number(user) + Number(system)) * TICK
}

/** Looks all the time at the children of a primary that are not its engine, and at the length of its log. */
function watch({ server, data }: Machine) {
  const children = new Set<number>()
  let longestLog = 0
  const timer = setInterval(() => {
    for (const { pid, command } of listChildren(server?.pid ?? 0))
      if (!command.includes('litestream')) children.add(pid)
    longestLog = Math.max(longestLog, statSync(join(data, 'brokerbase.db-wal')).size)
  }, LOOK_EVERY)
  return {
    end: () => {
      clearInterval(timer)
      return { children: children.size, longestLog }
    },
  }
}

type Heavy = { stop(): Promise<{ reports: number; queries: number; away: number }> }

/** Reads reports of a machine, again and again, until it is stopped; `query` is run beside. */
function readHeavily(
  machine: Machine,
  people: readonly Headers[],
  query: (headers: Headers) => Promise<unknown> = (headers) => runQuery(machine, headers),
): Heavy {
  const counts = { reports: 0, queries: 0, away: 0 }
  let isOver = false
  const pickPerson = (nth: number): Headers => people[nth % people.length] ?? {}
  const readReports = async (nth: number): Promise<void> => {
    const read = makeReader(machine, pickPerson(nth))
    while (!isOver) {
      const answer = await read(REPORTS[nth % REPORTS.length]?.() ?? '')
      counts.reports += 1
      counts.away += Number(answer.headers.has('x-crm-age'))
    }
  }
  const runQueries = async (): Promise<void> => {
    while (!isOver) {
      await query(pickPerson(0))
      counts.queries += 1
    }
  }
  const all = Promise.all([runQueries(), ...Array.from({ length: REPORTS_AT_ONCE }, (_, nth) => readReports(nth))])
  // a failure shows when the reading is stopped
  all.catch(() => {})
  return {
    stop: async () => {
      isOver = true
      await all
      return counts
    },
  }
}

/**
 * Sends small requests while money moves, and returns the processor time (ms) of a request, whichever it is, and what
 * was seen.
 */
async function measure(primary: Machine, headers: Headers, moving: Moving) {
  const countAsked = (): number => asked.get(primary.url) ?? 0
  const before = { time: readProcessorTime(primary), moved: moving.moved(), asked: countAsked() }
  const watching = watch(primary)
  for (let n = 0; n < SMALL_REQUESTS; n += 1) {
    const answer = await ask(primary.url, 'GET', '/v1/traders?limit=20', { headers })
    must(answer.status === 200, answer.text)
  }
  const requests = SMALL_REQUESTS + moving.moved() - before.moved + countAsked() - before.asked
  return { each: (readProcessorTime(primary) - before.time) / requests, ...watching.end() }
}

/**
 * Has the standby do such reads by itself, and a core count as for the query, which a standby does for a primary alone:
 * what shares cores and caches with the primary slows it down, and that is no cost of what it hands over.
 */
const occupy = (standby: Machine, people: readonly Headers[]): Heavy =>
  readHeavily(standby, people, async () => {
    const count = `let n = 0; while (n < ${100 * COUNTED}) n += 1`
    await Bun.spawn(['nice', '-n', '19', process.execPath, '-e', count], { stdin: 'ignore' }).exited
  })

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN

/** Measures the primary in turn without and with heavy reads, which the standby does. */
async function compareLoads({ primary, standby }: Pair, people: readonly Headers[], moving: Moving): Promise<void> {
  const ratios: number[] = []
  for (let n = 0; n < ROUNDS; n += 1) {
    const beside = occupy(standby, people)
    const quiet = await measure(primary, people[0] ?? {}, moving)
    await beside.stop()
    const heavy = readHeavily(primary, people)
    const busy = await measure(primary, people[0] ?? {}, moving)
    const { reports, queries, away } = await heavy.stop()
    ratios.push(busy.each / quiet.each)
    const log = `${(busy.longestLog / 1e6).toFixed(1)} MB of log (quiet ${(quiet.longestLog / 1e6).toFixed(1)})`
    process.stdout.write(
      `  ${reports} reports and ${queries} queries elsewhere; a request took ${busy.each.toFixed(2)} ms of processor time (asked of it ${quiet.each.toFixed(2)}), ${log}, ${busy.children} children\n`,
    )
    must(away === reports, `${reports - away} of ${reports} reports were made on the primary`)
    must(busy.children === 0, `the primary started ${busy.children} children`)
    must(busy.longestLog <= LONGEST_LOG * quiet.longestLog, `the log of the primary was held: ${log}`)
  }
  const [failed] = await readFigures(primary, ['reads_away_failed_total'])
  must(failed === 0, `${failed} reads came back to the primary`)
  process.stdout.write(
    `processor time of a request, heavy reads handed over ÷ asked of the standby itself: ${median(ratios).toFixed(2)}\n`,
  )
}

/** Compares what the standby answers about books that stand still with what the primary answers itself. */
async function compareAnswers({ primary, standby }: Pair, headers: Headers): Promise<void> {
  const read = makeReader(primary, headers)
  // the moment of an answer is the copy's, and the only thing that differs
  const tell = ({ text }: Answer): string => text.replace(/"asOf":"[^"]*"/, '"asOf":""')
  const newest = async ({ url }: Machine): Promise<string> =>
    (await ask(url, 'GET', '/v1/ledger/entries?limit=1&sort=-createdAt', { headers })).text
  await within('the standby has everything', 90, async () => (await newest(standby)) === (await newest(primary)))
  const paths = [...REPORTS.map((make) => make()), '/v1/admin/reporting/cohorts']
  const away = []
  for (const path of paths) {
    const answer = await read(path)
    must(answer.headers.has('x-crm-age'), `${path} was read on the primary`)
    away.push(answer)
  }
  await primary.server?.kill('SIGTERM')
  await startOn(primary, ['serve'], { BROKERBASE_READ_FROM: '' })
  const watching = watch(primary)
  for (const [nth, path] of paths.entries()) {
    const here = await read(path)
    must(!here.headers.has('x-crm-age'), `${path} was read elsewhere`)
    const there = away[nth]
    must(there !== undefined && tell(here) === tell(there), `${path} differs: ${here.text} is not ${there?.text}`)
  }
  must(watching.end().children > 0, 'the primary made its reports without a child, so that none could be seen')
  process.stdout.write(`${paths.length} answers of the standby are the primary’s, byte for byte\n`)
  await primary.server?.kill('SIGTERM')
  await startOn(primary, ['serve'])
}

/** Kills the standby while heavy reads run: all of them are answered. */
async function killStandby({ primary, standby }: Pair, people: readonly Headers[]): Promise<void> {
  const heavy = readHeavily(primary, people)
  await Bun.sleep(5_000)
  const watching = watch(primary)
  await cutPower(standby)
  await Bun.sleep(10_000)
  const { reports, queries, away } = await heavy.stop()
  must(away > 0 && away < reports, `${away} of ${reports} reports were made elsewhere`)
  must(watching.end().children > 0, 'the primary started no child')
  process.stdout.write(
    `the standby was killed: ${reports} reports and ${queries} queries answered, ${away} reports of them before\n`,
  )
}

async function run(pair: Pair): Promise<void> {
  const { primary, standby } = pair
  const moving = await moveMoney(pair, { wallets: WALLETS, writers: WRITERS })
  // whoever wrote just now is answered by the primary itself, so the readers are others
  const people: Headers[] = []
  for (let n = 0; n < READERS; n += 1) people.push(await inviteColleague(primary, `reader-${n}@pair.test`, 'owner'))
  const [reader = {}] = people
  await startOn(standby, ['standby'])
  await untilStatus(standby, '/ready/read', 200)
  await within('heavy reads are done elsewhere', 60, async () => {
    const { headers } = await makeReader(primary, reader)(REPORTS[0]?.() ?? '')
    await Bun.sleep(1_000)
    return headers.has('x-crm-age')
  })
  await compareLoads(pair, people, moving)
  await moving.stop()
  await compareAnswers(pair, reader)
  await killStandby(pair, people)
}

requireExecutable()
const found = await foundPair((root) => `file://${root}/replica`)
const env = { ...found.primary.env, BROKERBASE_READ_FROM: found.standby.url }
const pair: Pair = { ...found, primary: { ...found.primary, env } }
try {
  await run(pair)
  process.stdout.write('3 passed, 0 failed\n')
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n0 passed, 1 failed\n`)
  process.exitCode = 1
}
await closePair(pair)
process.exit()
