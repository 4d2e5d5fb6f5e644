import { join } from 'node:path'

/** How long a test may take: none is of speed, and a busy machine is no fault. */
const MOST_MS = 180_000

/**
 * Files at once: twice as many as there are cores, for many tests wait for a server, a browser or a moment. Files
 * of one worker share what they import: loading it anew for each of them would take longer than the tests.
 */
const WORKERS = navigator.hardwareConcurrency * 2
const ALL_CORES = [`--parallel=${WORKERS}`, '--no-isolate']

/**
 * How long each file took when that was last recorded (`BROKERBASE_RECORD_TIMINGS=1`): each worker begins with its
 * slowest file, so that none of them is left alone at the end.
 */
const TIMINGS = [
  '--timings=src/testing/timings.json',
  ...(process.env.BROKERBASE_RECORD_TIMINGS ? ['--update-timings'] : []),
]

/** Tests of the console stand in a page of their own (see preload.ts), which those of the server shall not see. */
const CONSOLE = 'admin-ui'

/** How much of what failed is printed again at the end: who reads a log from its tail finds it there. */
const FAILURES_LENGTH = 12_000

type Counts = { code: number; passed: number; failed: number; skipped: number; failures: string }

/** Gathers what the runner printed of tests that failed, around the line that says so, from chunks of its text. */
function failuresOf(): { read: (text: string) => void; all: () => string } {
  let rest = ''
  let lines: string[] = []
  let found = ''
  const flush = (): void => {
    // a screen before a failure and one after it hold its error, its place and its code
    const at = lines.findIndex((line) => line.startsWith('(fail)'))
    if (at >= 0)
      found += `${lines
        .slice(Math.max(0, at - 40))
        .slice(0, 100)
        .join('\n')
        .trim()}\n\n`
    lines = []
  }
  return {
    read: (text) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        if (/^\((pass|skip|todo)\)/.test(line)) flush()
        else lines.push(line)
      }
    },
    all: () => {
      flush()
      return found
    },
  }
}

/** One run of Bun's runner. */
async function run(args: readonly string[]): Promise<Counts> {
  const child = Bun.spawn([process.execPath, 'test', ...ALL_CORES, ...TIMINGS, '--timeout', String(MOST_MS), ...args], {
    cwd: join(import.meta.dir, '../..'),
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  })
  let tail = ''
  const failures = failuresOf()
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
 * All tests, those of the server and then those of the console, and one closing line for both. Arguments go to the
 * runner; whoever names files of one of them runs that one only. Fails if either does.
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
const failures = runs.map((counts) => counts.failures).join('')
if (failures !== '') process.stdout.write(`\nWhat failed:\n\n${failures.slice(0, FAILURES_LENGTH)}\n`)
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exit(runs.every(({ code }) => code === 0) && passed > 0 ? 0 : 1)
