import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MUTATIONS } from './mutation-list.ts'

/**
 * Proves that the walks find thefts. It removes one rule after the other from a copy of the sources, and expects a
 * theft within 2,000 walks each time. `bun src/testing/insider/mutations.ts [name]`; prints how many walks each theft
 * took, and ends with 1 if the absence of a rule was not found.
 */
const root = join(import.meta.dir, '../../..')
const only = process.argv[2]
let failed = 0
let passed = 0

for (const mutation of MUTATIONS.filter(({ name }) => only === undefined || name.startsWith(only))) {
  const copy = mkdtempSync(join(tmpdir(), 'brokerbase-mutation-'))
  for (const part of ['src', 'migrations', 'package.json', 'tsconfig.json', 'CHANGELOG.md'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const path = join(copy, mutation.file)
  const source = readFileSync(path, 'utf8')
  if (source.split(mutation.from).length !== 2)
    throw new Error(`${mutation.file} has not exactly one “${mutation.from}”`)
  writeFileSync(path, source.replace(mutation.from, mutation.to))
  const walks = ['--walks', '2000', '--seed', String(mutation.seed ?? 1)]
  const child = Bun.spawnSync([process.execPath, 'src/testing/insider/insider.ts', ...walks], { cwd: copy })
  const output = child.stdout.toString()
  const found = child.exitCode === 1 && output.startsWith('walk ')
  process.stdout.write(
    `${found ? 'found' : 'MISSED'}  ${mutation.name}: ${output.split('\n')[0] || child.stderr.toString().slice(0, 300)}\n`,
  )
  if (found) passed += 1
  else failed += 1
  rmSync(copy, { recursive: true, force: true })
}
process.stdout.write(`${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
