import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EXECUTABLE } from './executable.ts'

/**
 * What CI runs: check, build, test, smoke and a short form of each trial; with `BROKERBASE_OPERATIONS_CHECK` also that
 * command, which compares the document (`{file}`) with an agreement kept elsewhere. Stops at the first failure.
 */
const root = join(import.meta.dir, '../..')
const operations = process.env.BROKERBASE_OPERATIONS_CHECK
let passed = 0
let failed = 0

/** Runs a step, passing its output through; counts its closing line, or one for the step itself. */
async function step(name: string, command: string[]): Promise<void> {
  process.stdout.write(`\n── ${name}\n`)
  const began = performance.now()
  const child = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  let output = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout) {
    const text = decoder.decode(chunk, { stream: true })
    output = (output + text).slice(-2000)
    process.stdout.write(text)
  }
  const code = await child.exited
  process.stdout.write(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
  const [, ok, bad] = /^(\d+) passed, (\d+) failed/m.exec(output.trimEnd().split('\n').at(-1) ?? '') ?? []
  passed += ok === undefined ? (code === 0 ? 1 : 0) : Number(ok)
  failed += bad === undefined ? (code === 0 ? 0 : 1) : Number(bad)
  if (code !== 0) {
    process.stdout.write(`\n${name} failed\n${passed} passed, ${Math.max(failed, 1)} failed\n`)
    process.exit(1)
  }
}

const bun = process.execPath
// the build first: tests look at the console and the executable as they are shipped
await step('install', [bun, 'install', '--frozen-lockfile'])
await step('check', [bun, 'run', 'check'])
await step('build', [bun, 'run', 'build'])
await step('test', [bun, 'run', 'test'])
await step('smoke', [bun, 'run', 'smoke'])
// a few cycles, so that the tests of crashes and lost machines cannot rot; their proof are 1,000 and 100
const replicates = existsSync(join(root, 'dist/tools/litestream'))
await step('crash', [bun, 'run', 'crash', '--cycles', '5', ...(replicates ? ['--replica'] : [])])
if (replicates) {
  await step('drill', [bun, 'run', 'drill', '--rounds', '3'])
  await step('lost machine', [bun, 'src/testing/lost-machine.ts'])
}
await step('forge', [bun, 'run', 'forge', '--rounds', '100', '--sample', '50'])
await step('pressure', [bun, 'run', 'pressure', '--short'])
// samples of what `bun run insider` and `bun run machine` do in full
await step('insider', [bun, 'src/testing/insider/insider.ts', '--walks', '200'])
await step('thief', [bun, 'run', 'thief'])
// figures of a quiet machine come from `bun run bench`; this says that it still measures everything
await step('bench', [bun, 'src/bench/bench.ts', '--tiny'])
await step('lease', [bun, 'src/testing/lease/lease.ts', '--walks', '500', '--mutated', '1500'])
await step('machine', [bun, 'src/testing/machine.ts', '--cases', '1000'])
const file = join(root, 'dist/openapi.json')
await Bun.write(file, await new Response(Bun.spawn([EXECUTABLE, 'openapi'], { stdout: 'pipe' }).stdout).text())
await step('document', [bun, 'src/testing/lint-document.ts', file])
if (operations) await step('operations', operations.replace('{file}', file).split(' '))
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
