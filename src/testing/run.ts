import { join } from 'node:path'
import { collectFailures, printFailures } from './failures.ts'

/** A test may take this long: no test is about speed, and a busy machine is not a fault. */
const MOST_MS = 180_000

/**
 * The number of files that run at once: two per core, since many tests wait for a server, a browser or a moment. The
 * files of one worker share their imports, since loading them for each file would take longer than the tests.
 */
const WORKERS = navigator.hardwareConcurrency * 2
const ALL_CORES = [`--parallel=${WORKERS}`, '--no-isolate']

/**
 * The recorded duration of each file (`BROKERBASE_RECORD_TIMINGS=1`): each worker begins with its slowest file, so that
 * none of them is left alone at the end.
 */
const TIMINGS = [
  '--timings=src/testing/timings.json',
  ...(process.env.BROKERBASE_RECORD_TIMINGS ? ['--update-timings'] : []),
]

/** Tests of the console share a page (see preload.ts), which those of the server must not see. */
const CONSOLE = 'admin-ui'

type Counts = { code: number; passed: number; failed: number; skipped: number; failures: string[][] }

/** Runs Bun's runner once. */
async function run(args: readonly string[]): Promise<Counts> {
  const child = Bun.spawn([process.execPath, 'test', ...ALL_CORES, ...TIMINGS, '--timeout', String(MOST_MS), ...args], {
    cwd: join(import.meta.dir, '../..'),
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  })
  let tail = ''
  const failures = collectFailures()
  const decoder = new TextDecoder()
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk)
    const text = decoder.decode(chunk, { stream: true })
    failures.read(text)
    tail = (tail + text).slice(-4000)
  }
  const code = await child.exited
  const count = (word: string): number => Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(tail)?.[1] ?? 0)
  const failed = count('fail')
  // a run that broke before its first test has failed, whatever it counted
  return {
    code,
    passed: count('pass'),
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: count('skip'),
    failures: failures.all(),
  }
}

/**
 * Runs all tests, those of the server and then those of the console, and prints one closing line for both. Arguments go
 * to the runner; if they name files of one part, only that part runs. Fails if either part fails.
 */
const args = process.argv.slice(2)
const isOfConsole = (arg: string): boolean => new RegExp(`^(\\./)?${CONSOLE}(/|$)`).test(arg)
const named = args.filter((arg) => isOfConsole(arg) || /^(\.\/)?src(\/|$)/.test(arg))
const runs: Counts[] = []
if (named.length === 0 || !named.every(isOfConsole))
  runs.push(await run(['--path-ignore-patterns', `${CONSOLE}/**`, ...args.filter((arg) => !isOfConsole(arg))]))
if (named.length === 0) runs.push(await run([...args, CONSOLE]))
else if (named.some(isOfConsole)) runs.push(await run(args.filter((arg) => isOfConsole(arg) || !named.includes(arg))))

const sum = (of: 'passed' | 'failed' | 'skipped'): number => runs.reduce((total, counts) => total + counts[of], 0)
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')]
const failures = runs.flatMap((counts) => counts.failures)
if (failures.length > 0) process.stdout.write(`\nWhat failed:\n\n${printFailures(failures)}\n`)
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exit(runs.every(({ code }) => code === 0) && passed > 0 ? 0 : 1)
