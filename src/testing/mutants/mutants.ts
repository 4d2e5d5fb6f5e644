import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { numberOption } from '../options.ts'
import { type Mutant, withMutants } from './sites.ts'
import { SKIPPED, type Skip } from './skipped.ts'

/**
 * Changes each constant, comparison and rounding of modules by one, and lists the changes that no test notices.
 * `bun run mutants [module or file …] [--only FILE:LINE] [--jobs N]`; without a name it takes all that money, guards
 * and deadlines stand on. Everything happens in a copy of the sources.
 */
const root = join(import.meta.dir, '../../..')
const MODULES = [
  ...['src/platform/money.ts', 'src/modules/clients/support/sla.ts', 'independence', 'approval-policy', 'withdrawals'],
  ...['sanctions', 'fx', 'wallets', 'deposits', 'transfers', 'adjustments', 'payouts', 'commissions'],
]
/** Tests of a module's rules that stand elsewhere. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'approval-policy': ['withdrawals/withdrawals', 'withdrawals/four-eyes', 'payouts/payouts', 'tenants/tenants'],
  independence: ['withdrawals/four-eyes', 'staff/owner-mails', 'traders/traders', 'system/too-new'],
  withdrawals: [
    ...['approval-policy/approval-policy', 'independence/two-people', 'independence/days', 'independence/lifting'],
    'traders/traders',
  ],
  adjustments: ['independence/one-colleague', 'independence/independence', 'transfers/transfers', 'wallets/wallets'],
  transfers: ['fx/client-conversions', 'independence/one-colleague'],
  wallets: ['deposits/deposits', 'transfers/transfers'],
  payouts: ['independence/independence'],
}
/** Files that have no rules: columns, refusals with their statuses, and the columns of CSV files. */
const NO_RULES = /\.(test|table|errors|export)\.ts$/
const HANGS_MS = 60_000
const SHARED = ['src', 'migrations', 'package.json', 'tsconfig.json', 'bunfig.toml', 'CHANGELOG.md', 'README.md']

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const jobs = numberOption('jobs', 2)
const flagged = process.argv.slice(2)
const onlyAt = flagged.indexOf('--only')
const only = onlyAt === -1 ? undefined : flagged[onlyAt + 1]
const names = flagged.filter((arg, at) => !arg.startsWith('--') && !flagged[at - 1]?.startsWith('--'))

/** The sources that a name stands for, from the root. */
function sourcesOf(name: string): string[] {
  if (name.endsWith('.ts')) return [name]
  const [folder = name] = new Bun.Glob(`src/modules/*/${name}`).scanSync({ cwd: root, onlyFiles: false })
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts') && !NO_RULES.test(file))
  return files.sort().map((file) => `${folder}/${file}`)
}

/** The tests of a source: those of its folder, of its platform file, and those that are named. */
function testsOf(file: string): string[] {
  const folder = dirname(file)
  const here = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'))
  const own = folder.startsWith('src/modules')
    ? here
    : here.filter((name) => name === `${basename(file, '.ts')}.test.ts`)
  const also = ALSO[basename(folder)] ?? []
  return [
    ...own.map((name) => `${folder}/${name}`),
    ...also.flatMap((name) => [...new Bun.Glob(`src/modules/*/${name}.test.ts`).scanSync(root)]),
  ]
}

const copy = mkdtempSync(join(tmpdir(), 'brokerbase-mutants-'))
for (const part of SHARED) cpSync(join(root, part), join(copy, part), { recursive: true })
for (const part of ['node_modules', 'dist'].filter((name) => existsSync(join(root, name))))
  symlinkSync(join(root, part), join(copy, part))
mkdirSync(join(copy, 'tmp'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

const files = (only ? [only.split(':')[0] ?? ''] : names.length > 0 ? names : MODULES).flatMap(sourcesOf)
const all: Mutant[] = []
const used = new Set<Skip>()
for (const file of files) {
  await Bun.write(join(copy, file), withMutants(file, readFileSync(join(root, file), 'utf8'), all, used))
}
/** A run says which places it passed: a mutant is tried with the tests only that come to it. */
const PRELOAD = `
const { appendFileSync } = require('node:fs')
const passed = new Set()
const [chosen, file] = [Number(process.env.MUTANT ?? -1), process.env.PASSED]
globalThis.mutant = (id) => {
  if (file && !passed.has(id)) appendFileSync(file, id + ',')
  passed.add(id)
  return id === chosen
}
`
const preload = join(copy, 'src/testing/preload.ts')
await Bun.write(preload, PRELOAD + readFileSync(preload, 'utf8'))

/** Runs tests in the copy to their first failure. */
async function isGreen(tests: readonly string[], env: Record<string, string>, limit?: number): Promise<boolean> {
  const child = Bun.spawn([process.execPath, 'test', '--bail', '--timeout', String(HANGS_MS), ...tests], {
    ...{ cwd: copy, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore', killSignal: 'SIGKILL' as const },
    ...{ env: { ...process.env, TMPDIR: join(copy, 'tmp'), ...env }, ...(limit ? { timeout: limit } : {}) },
  })
  return (await child.exited) === 0
}

/** Works through a list with so many hands at once as there are jobs. */
async function each<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = [...list]
  const hand = async (): Promise<void> => {
    for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: jobs }, hand))
}

const began = performance.now()
const seconds = (): number => Math.round((performance.now() - began) / 1000)
const runs = new Map<string, { passed: Set<number>; ms: number }>()
await each([...new Set(files.flatMap(testsOf))], async (test) => {
  const [started, at] = [performance.now(), join(copy, 'tmp', `${Bun.hash(test)}.passed`)]
  if (!(await isGreen([`./${test}`], { PASSED: at }))) throw new Error(`${test} is red without a mutant`)
  const passed = existsSync(at) ? readFileSync(at, 'utf8').split(',').map(Number) : []
  runs.set(test, { passed: new Set(passed), ms: performance.now() - started })
})
const chosen = all.filter(({ file, line }) => only === undefined || only === file || only === `${file}:${line}`)
print(`${chosen.length} mutants in ${files.length} files, ${runs.size} files of tests green in ${seconds()} s`)

const survivors: Mutant[] = []
await each(chosen, async (mutant) => {
  const { id, file, line, before, after, code } = mutant
  const name = basename(file, '.ts')
  const ms = (test: string): number => runs.get(test)?.ms ?? 0
  /** First what imports the source, then the other tests of its module. */
  const distance = (test: string): number => {
    if (readFileSync(join(root, test), 'utf8').includes(`/${name}.ts'`)) return 0
    return dirname(test) === dirname(file) ? 1 : 2
  }
  const tests = testsOf(file).filter((test) => runs.get(test)?.passed.has(id))
  tests.sort((one, other) => distance(one) - distance(other) || ms(one) - ms(other))
  const limit = Math.ceil(Math.max(HANGS_MS, 4 * tests.reduce((sum, test) => sum + ms(test), 0)))
  const env = { MUTANT: String(id) }
  if (
    tests.length > 0 &&
    !(await isGreen(
      tests.map((test) => `./${test}`),
      env,
      limit,
    ))
  )
    return
  survivors.push(mutant)
  print(`${file}:${line}  ${before} → ${after}  ${tests.length > 0 ? '' : '(no test comes here)  '}${code.trim()}`)
})
const stale = SKIPPED.filter((skip) => files.includes(skip.file) && !used.has(skip))
for (const { file, code } of stale) print(`${file}: nothing is left out by “${code}”`)
print(`${chosen.length - survivors.length} killed, ${survivors.length} survived, in ${seconds()} s`)
process.exit(survivors.length + stale.length > 0 ? 1 : 0)
