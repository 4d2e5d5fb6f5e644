import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { CHANGES, type Change, type Part } from './change-list.ts'
import { filesOf, withParts } from './parts.ts'

/**
 * Says how far three usual changes reach, and that no part of them is forgotten unseen: makes each in a copy of the
 * sources, counts the files, expects all checks to pass; then leaves out one part after the other and expects a red
 * check each time. `bun run changes [name]`; about six minutes for all of them.
 */
const root = join(import.meta.dir, '../../..')
const bun = process.execPath
const only = process.argv[2]
let passed = 0
let failed = 0
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const count = (ok: boolean): void => {
  if (ok) passed += 1
  else failed += 1
}

/** What writes the committed documents; a document that is another one then is a file that the change touches. */
const CONTRACTS = ['src/contract/openapi.test.ts', 'src/contract/access.test.ts']
const DOCUMENTS = ['src/contract/openapi.snapshot.json', 'src/contract/access.snapshot.json']

/** The sources as they are, in a directory of their own. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'brokerbase-change-'))
  const left = ['node_modules', 'dist', '.git', 'demo-data', 'data']
  cpSync(root, copy, { recursive: true, filter: (path) => !left.includes(relative(root, path)) })
  for (const shared of ['node_modules', 'dist']) symlinkSync(join(root, shared), join(copy, shared))
  return copy
}

type Spoken = { ok: boolean; what: string }
/** Runs one check in the copy; what it says first where it is red. */
function check(copy: string, command: readonly string[], fault: RegExp, env: Record<string, string> = {}): Spoken {
  const child = Bun.spawnSync([...command], { cwd: copy, env: { ...process.env, ...env } })
  const output = `${child.stdout}${child.stderr}`
  return { ok: child.exitCode === 0, what: fault.exec(output)?.[0].trim().slice(0, 160) ?? output.slice(-160) }
}
const types = (copy: string): Spoken => check(copy, ['node_modules/.bin/tsc', '--noEmit'], /^.*error TS.*$/m)
const style = (copy: string): Spoken =>
  check(copy, ['node_modules/.bin/biome', 'ci', '--colors=off', '.'], /^.*(━|×).*$/m)
const tests = (copy: string, files: readonly string[], env?: Record<string, string>): Spoken =>
  check(copy, [bun, 'src/testing/run.ts', ...files], /^\(fail\).*$|^.*error:.*$/m, env)
const all = (copy: string, files: readonly string[]): Spoken => {
  const typed = types(copy)
  return typed.ok ? tests(copy, files) : typed
}

/** Writes the change with all of its parts but one; a new file that is left out is not there. */
function write(copy: string, { parts }: Change, without?: Part): void {
  for (const file of filesOf(parts)) {
    const whole = parts.find((part) => part.file === file && 'text' in part)
    const kept = parts.filter((part) => part.file === file && part !== without)
    if (whole && kept.length === 0) rmSync(join(copy, file))
    else writeFileSync(join(copy, file), withParts(whole ? '' : readFileSync(join(root, file), 'utf8'), kept))
  }
}

/** The first line that a part brings. */
function titleOf(part: Part): string {
  if ('text' in part) return 'the file'
  const brought = part.to.startsWith(part.from) ? part.to.slice(part.from.length) : part.to
  return brought.trim().split('\n')[0] ?? ''
}

function documentsChanged(copy: string): string[] {
  const text = (at: string, file: string): string => readFileSync(join(at, file), 'utf8')
  return DOCUMENTS.filter((file) => text(copy, file) !== text(root, file))
}

/** Makes a change in the copy and takes it apart. */
function tryOut(copy: string, change: Change): void {
  write(copy, change)
  tests(copy, CONTRACTS, { BROKERBASE_UPDATE_SNAPSHOTS: '1' })
  const documents = documentsChanged(copy)
  const files = filesOf(change.parts).length + documents.length
  const fault = [style(copy), all(copy, change.tests)].find(({ ok }) => !ok)
  const found = fault ? `RED: ${fault.what}` : 'all checks pass'
  print(`${change.name}: ${files} files of at most ${change.mostFiles}; ${found}`)
  count(fault === undefined && files <= change.mostFiles)
  // where the whole is red already, a red check says nothing of a part
  if (fault) return

  const forgotten = (what: string, spoken: Spoken): void => {
    print(`  ${spoken.ok ? 'FORGOTTEN UNSEEN' : 'red'}  ${what}`)
    if (!spoken.ok) print(`       ${spoken.what}`)
    count(!spoken.ok)
  }
  for (const part of change.parts) {
    write(copy, change, part)
    forgotten(`${part.file}: ${titleOf(part)}`, all(copy, change.tests))
  }
  write(copy, change)
  for (const document of documents) {
    const now = readFileSync(join(copy, document))
    cpSync(join(root, document), join(copy, document))
    forgotten(document, tests(copy, CONTRACTS))
    writeFileSync(join(copy, document), now)
  }
}

for (const change of CHANGES.filter(({ name }) => only === undefined || name.includes(only))) {
  const copy = copySources()
  try {
    tryOut(copy, change)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
print(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
