import { join } from 'node:path'

/** How long a test may take: none is of speed, and a busy machine is no fault. */
const MOST_MS = 30_000

/**
 * All tests in one run of Bun's runner, files at once on as many cores as there are, and one closing line. Arguments
 * go to the runner. Exits as the runner does. Files of one worker share what they import: loading it anew for each of
 * them would take longer than the tests.
 */
const ALL_CORES = ['--parallel', '--no-isolate']
const child = Bun.spawn(
  [process.execPath, 'test', ...ALL_CORES, '--timeout', String(MOST_MS), ...process.argv.slice(2)],
  {
    cwd: join(import.meta.dir, '../..'),
    stdin: 'ignore',
    stdout: 'inherit',
    stderr: 'pipe',
  },
)
let tail = ''
const decoder = new TextDecoder()
for await (const chunk of child.stderr) {
  process.stderr.write(chunk)
  tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4000)
}
const code = await child.exited
const count = (word: string): number => Number(new RegExp(`^\\s*(\\d+) ${word}$`, 'm').exec(tail)?.[1] ?? 0)
const [passed, failed, skipped] = [count('pass'), count('fail'), count('skip')]
// a run that broke before its first test has failed, whatever it counted
const broken = code !== 0 && failed === 0 ? 1 : failed
process.stdout.write(`${passed} passed, ${broken} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`)
process.exit(code === 0 && passed > 0 ? 0 : 1)
