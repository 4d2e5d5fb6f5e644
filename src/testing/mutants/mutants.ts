import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { numberOption } from '../options.ts'
import { COLLECTED, createProcesses, type Known, PRELOAD } from './processes.ts'
import { type Mutant, withMutants } from './sites.ts'
import { SKIPPED, type Skip } from './skipped.ts'

/**
 * Changes each constant, comparison and rounding of modules by one, and lists the changes that no test notices. `bun
 * run mutants [module or file …] [--only FILE:LINE,…] [--tests FILE,…] [--jobs N]`; without a name it takes all sources
 * about money, access and deadlines. Everything happens in a copy of the sources.
 */
const root = join(import.meta.dir, '../../..')
const MODULES = [
  'src/platform/money.ts',
  'src/modules/clients/support/sla.ts',
  'independence',
  'approval-policy',
  'withdrawals',
  'sanctions',
  'fx',
  'wallets',
  'deposits',
  'transfers',
  'adjustments',
  'payouts',
  'commissions',
  'src/modules/overview/imports/imports.cell-values.ts',
]
const PEOPLE = ['two-people', 'days', 'lifting', 'one-colleague', 'independence'].map((name) => `independence/${name}`)
const MONEY = [...PEOPLE, 'sanctions/fails-closed', 'traders/traders', 'transfers/transfers']
/** Maps a module to tests of its rules in other folders. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  'approval-policy': ['withdrawals/withdrawals', 'withdrawals/four-eyes', 'payouts/payouts', 'tenants/tenants'],
  independence: ['withdrawals/four-eyes', 'staff/owner-mails', 'traders/traders', 'system/too-new'],
  withdrawals: ['approval-policy/approval-policy', ...MONEY, 'merges/merges', 'accounts/accounts.sync'],
  adjustments: [...MONEY, 'wallets/wallets'],
  transfers: [...MONEY, 'fx/client-conversions', 'fx/unconfirmed', 'accounts/accounts.sync'],
  wallets: [...MONEY, 'deposits/deposits'],
  deposits: [...MONEY, 'psp/psp', 'psp/psp.leavers', 'fx/client-conversions'],
  payouts: ['independence/independence', 'affiliates/affiliates', 'merges/merged-brokers'],
  commissions: ['payouts/payouts', 'positions/positions.link', 'reporting/tax'],
  sanctions: [...PEOPLE, 'independence/own-client', 'withdrawals/checks', 'traders/traders', 'merges/merges'],
  fx: ['transfers/transfers', 'transfers/own-price', 'independence/days', 'independence/one-colleague'],
}
/** These files have no rules: columns, refusals with their statuses, and the columns of CSV files. */
const NO_RULES = /\.(test|table|errors|export)\.ts$/
const SHARED = ['src', 'migrations', 'package.json', 'tsconfig.json', 'bunfig.toml', 'CHANGELOG.md', 'README.md']

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const jobs = numberOption('jobs', 2)
const flagged = process.argv.slice(2)
const listOption = (flag: string): string[] | undefined =>
  flagged.includes(flag) ? flagged[flagged.indexOf(flag) + 1]?.split(',') : undefined
const [only, givenTests] = [listOption('--only'), listOption('--tests')]
const names = flagged.filter((arg, at) => !arg.startsWith('--') && !flagged[at - 1]?.startsWith('--'))

/** Returns the sources that a name means, by their path from the root. */
function listSources(name: string): string[] {
  if (name.endsWith('.ts')) return [name]
  const [folder = name] = new Bun.Glob(`src/modules/*/${name}`).scanSync({ cwd: root, onlyFiles: false })
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts') && !NO_RULES.test(file))
  return files.sort().map((file) => `${folder}/${file}`)
}

/**
 * The tests of a source: those of its folder or its platform file (`own`), and those that are listed for it (`also`).
 */
type Tests = { own: string[]; also: string[] }
function listTests(file: string): Tests {
  if (givenTests) return { own: givenTests, also: [] }
  const folder = dirname(file)
  const here = readdirSync(join(root, folder)).filter((name) => name.endsWith('.test.ts'))
  const named = here.filter((name) => folder.startsWith('src/modules') || name === `${basename(file, '.ts')}.test.ts`)
  const own = named.map((name) => `${folder}/${name}`)
  const also = (ALSO[basename(folder)] ?? []).flatMap((name) => [
    ...new Bun.Glob(`src/modules/*/${name}.test.ts`).scanSync(root),
  ])
  return { own, also: also.filter((test) => !own.includes(test)) }
}

const copy = mkdtempSync(join(tmpdir(), 'brokerbase-mutants-'))
for (const part of SHARED) cpSync(join(root, part), join(copy, part), { recursive: true })
for (const part of ['node_modules', 'dist'].filter((name) => existsSync(join(root, name))))
  symlinkSync(join(root, part), join(copy, part))
mkdirSync(join(copy, 'tmp'))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(130))

const wanted = only?.map((place) => place.split(':')[0] ?? '') ?? (names.length > 0 ? names : MODULES)
const files = [...new Set(wanted)].flatMap(listSources)
const all: Mutant[] = []
const used: Skip[] = []
for (const file of files) {
  await Bun.write(join(copy, file), withMutants(file, readFileSync(join(root, file), 'utf8'), all, used))
}
const preload = join(copy, 'src/testing/preload.ts')
await Bun.write(preload, PRELOAD + readFileSync(preload, 'utf8'))
const collected = join(copy, 'src/testing/mutants/collected.ts')
await Bun.write(collected, COLLECTED)
for (const file of new Bun.Glob('src/**/*.ts').scanSync(copy)) {
  const text = readFileSync(join(copy, file), 'utf8')
  if (!file.startsWith('src/testing/mutants/') && text.includes("from 'bun:test'"))
    await Bun.write(join(copy, file), text.replace("from 'bun:test'", `from '${collected}'`))
}

const began = performance.now()
const seconds = (): number => Math.round((performance.now() - began) / 1000)
const { know, killedAlone, killedTogether } = createProcesses(copy, jobs)
const chosen = all.filter(({ file, line }) => !only || only.includes(file) || only.includes(`${file}:${line}`))
print(`${chosen.length} mutants in ${files.length} files`)

/** Tries mutants with one test file after the other: the fastest of their module first, those of others last. */
async function findSurvivors(mutants: readonly Mutant[], { own, also }: Tests): Promise<Mutant[]> {
  let left = mutants
  const met = new Set<number>()
  const tryIn = async (test: string, { passed, alone }: Known): Promise<void> => {
    const here = left.map(({ id }) => id).filter((id) => passed.has(id))
    for (const id of here) met.add(id)
    const [one, many] = [here.filter((id) => alone.has(id)), here.filter((id) => !alone.has(id))]
    const killed = [await killedAlone(test, one), await killedTogether(test, many)].flat()
    left = left.filter(({ id }) => !killed.includes(id))
  }
  const known = await Promise.all(own.map(async (test) => ({ test, ...(await know(test)) })))
  for (const { test, ...one } of known.toSorted((a, b) => a.ms - b.ms)) await tryIn(test, one)
  for (const test of also) if (left.length > 0) await tryIn(test, await know(test))
  for (const { id, file, line, before, after, code } of left)
    print(`${file}:${line}  ${before} → ${after}  ${met.has(id) ? '' : '(no test comes here)  '}${code.trim()}`)
  return [...left]
}
const together = Map.groupBy(chosen, ({ file }) => JSON.stringify(listTests(file)))
const survived = await Promise.all([...together].map(([tests, mutants]) => findSurvivors(mutants, JSON.parse(tests))))
const survivors = survived.flat().length
const stale = SKIPPED.filter((skip) => files.includes(skip.file) && !used.includes(skip))
for (const { file, code } of stale) print(`${file}: nothing is left out by “${code}”`)
const counts = [`${chosen.length - survivors} killed`, `${survivors} survived`, `${used.length} left out`]
print(`${chosen.length} mutants: ${counts.join(', ')}, in ${seconds()} s`)
process.exit(survivors + stale.length > 0 ? 1 : 0)
