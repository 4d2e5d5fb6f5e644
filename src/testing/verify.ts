import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from './executable.ts'

/**
 * Runs what CI runs: check and build, then the tests, with smoke and a short form of each trial beside them. If
 * `BROKERBASE_OPERATIONS_CHECK` is set, also runs that command, which compares the API document (`{file}`) with an
 * agreement kept elsewhere. Stops at the first failure.
 */
const root = join(import.meta.dir, '../..')
const operations = process.env.BROKERBASE_OPERATIONS_CHECK
const bun = process.execPath
const started = performance.now()
let passed = 0
let failed = 0

type Step = readonly [name: string, command: readonly string[]]

/** Adds the numbers of a closing line to the totals, or one for the step itself. */
function count(output: string, ok: boolean): void {
  const [, good, bad] = /^(\d+) passed, (\d+) failed/m.exec(output.trimEnd().split('\n').at(-1) ?? '') ?? []
  passed += good === undefined ? Number(ok) : Number(good)
  failed += bad === undefined ? Number(!ok) : Number(bad)
}

const running = new Set<Bun.Subprocess>()

/** Runs a step. Prints its output at once, or at the end of the step if another one prints beside it. */
async function run([name, command]: Step, atOnce = true): Promise<void> {
  const began = performance.now()
  if (atOnce) process.stdout.write(`\n── ${name}\n`)
  const child = Bun.spawn([...command], { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  running.add(child)
  let output = ''
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      const text = decoder.decode(chunk, { stream: true })
      if (atOnce) process.stdout.write(text)
      output += text
    }
  }
  const [code] = await Promise.all([child.exited, read(child.stdout), read(child.stderr)])
  running.delete(child)
  if (!atOnce) process.stdout.write(`\n── ${name}\n${output}`)
  process.stdout.write(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  count(output, code === 0)
  if (code === 0) return
  for (const other of running) other.kill()
  process.stdout.write(`\n${name} failed\n${passed} passed, ${Math.max(failed, 1)} failed\n`)
  process.exit(1)
}

/** Runs lanes of steps beside one another, each lane in its order. The output of the first lane is printed at once. */
const together = (...lanes: readonly (readonly Step[])[]): Promise<unknown> =>
  Promise.all(
    lanes.map(async (lane, index) => {
      for (const step of lane) await run(step, index === 0)
    }),
  )

const script = (name: string, ...args: string[]): Step => [name, [bun, 'run', name, ...args]]
/** These options make a script use the cheap hashes and tasks of the tests. */
const PRELOAD = ['--preload', './src/testing/preload.ts']
const replicates = existsSync(join(root, 'dist/tools/litestream'))
const file = join(root, 'dist/openapi.json')

await run(['install', [bun, 'install', '--frozen-lockfile']])
// the build comes before the tests, which check the console and the executable as they are shipped
await together([script('build')], [script('check')])
await Bun.write(file, await new Response(Bun.spawn([EXECUTABLE, 'openapi'], { stdout: 'pipe' }).stdout).text())
await together(
  [script('test')],
  [
    script('smoke'),
    ['document', [bun, 'src/testing/lint-document.ts', file]],
    ...(operations ? [['operations', operations.replace('{file}', file).split(' ')] satisfies Step] : []),
    // a few cycles show that the trials of crashes and lost machines still work; their proof takes 1,000 and 100
    script('crash', '--cycles', '5', ...(replicates ? ['--replica'] : [])),
    ...(replicates
      ? [script('drill', '--rounds', '3'), ['lost machine', [bun, 'src/testing/lost-machine.ts']] satisfies Step]
      : []),
    script('forge', '--rounds', '40', '--sample', '20'),
    script('pressure', '--short'),
    // samples of what `bun run insider` and `bun run machine` do in full
    ['insider', [bun, ...PRELOAD, 'src/testing/insider/insider.ts', '--walks', '100']],
    ['thief', [bun, ...PRELOAD, 'src/testing/thief.ts']],
    ['lease', [bun, 'src/testing/lease/lease.ts', '--walks', '500', '--mutated', '1500']],
    ['machine', [bun, 'src/testing/machine.ts', '--cases', '1000']],
    // figures need a quiet machine and `bun run bench`; this shows that the benchmark still measures
    ['bench', [bun, 'src/bench/bench.ts', '--tiny', '--only', 'create']],
  ],
)
process.stdout.write(
  `\n${((performance.now() - started) / 60_000).toFixed(1)} minutes\n${passed} passed, ${failed} failed\n`,
)
