import * as bun from 'bun:test'
import { appendFileSync } from 'node:fs'

/*
 * Runs one test file many times in one process, each time with another mutant, so that the program is loaded once and
 * is warm. In the copy that `mutants.ts` makes, tests declare themselves here instead of to Bun.
 */

type Step = (...args: unknown[]) => unknown
type Group = Record<'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll', Step[]> & { steps: (Group | Step)[] }
const newGroup = (): Group => ({ beforeAll: [], beforeEach: [], afterEach: [], afterAll: [], steps: [] })

const file = newGroup()
let group = file
const hook = (kind: 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll') => (step: Step) => {
  group[kind].push(step)
}

type Declare = (name: string, step: Step) => void
/** Returns a function that declares tests or groups, with Bun's variants for several or none. */
function declaring(declare: Declare) {
  const each = (rows: readonly unknown[]) => (name: string, step: Step) => {
    for (const row of rows) declare(name, () => (Array.isArray(row) ? step(...row) : step(row)))
  }
  const skipIf = (isSkipped: unknown): Declare => (isSkipped ? () => {} : declare)
  return Object.assign(declare, { each, skipIf, concurrent: declare })
}
const test = declaring((_name, step) => group.steps.push(step))
const describe = declaring((_name, declare) => {
  const around = group
  group = newGroup()
  around.steps.push(group)
  declare()
  group = around
})
globalThis.collected = {
  test,
  describe,
  setDefaultTimeout: () => {},
  beforeAll: hook('beforeAll'),
  beforeEach: hook('beforeEach'),
  afterEach: hook('afterEach'),
  afterAll: hook('afterAll'),
}

/** The places that each test executes without a mutant, in the order of the tests. */
const passedIn: Set<number>[] = []
let place = 0
const hasBeforeAll = ({ beforeAll, steps }: Group): boolean =>
  beforeAll.length > 0 || steps.some((step) => typeof step !== 'function' && hasBeforeAll(step))

/** Runs a test. If each test of its file makes everything anew, a test that does not reach the mutant is skipped. */
async function runTest(step: Step, groups: readonly Group[]): Promise<void> {
  const { replayed } = globalThis
  const at = place++
  const standsAlone = file.beforeEach.length > 0 && !hasBeforeAll(file)
  if (standsAlone && passedIn[at]?.has(replayed.chosen) === false && replayed.chosen !== -1) return
  const passed = replayed.passed
  replayed.passed = new Set()
  try {
    for (const before of groups.flatMap(({ beforeEach }) => beforeEach)) await before()
    await step()
  } finally {
    for (const after of groups.toReversed().flatMap(({ afterEach }) => afterEach)) await after()
    if (replayed.chosen === -1) passedIn[at] = replayed.passed
    replayed.passed = passed.union(replayed.passed)
  }
}

/** Runs a group until the first failure; its clean-up runs after a failure too. */
async function run(group: Group, outer: readonly Group[] = []): Promise<void> {
  const groups = [...outer, group]
  try {
    for (const step of group.beforeAll) await step()
    for (const step of group.steps) await (typeof step === 'function' ? runTest(step, groups) : run(step, groups))
  } finally {
    for (const step of group.afterAll) await step()
  }
}

const isGreen = async (): Promise<boolean> => {
  place = 0
  try {
    await run(file)
    return true
  } catch {
    return false
  }
}

/** The task of a process: the test file, the mutants to try in it, and the one that is active from the start. */
export type Replay = { file: string; mutants?: readonly number[]; alone?: number }
/** The last line that a process writes; earlier lines only show that it is alive. */
export type ReplayReport = {
  isGreenFirst: boolean
  isGreenAgain: boolean
  killed: number[]
  atImport: number[]
  first: number[]
  second: number[]
  ms: number
}

declare global {
  /** The places that were executed, and the current mutant. */
  var replayed: { passed: Set<number>; chosen: number }
  /** The functions with which tests declare themselves. */
  var collected: Readonly<Record<string, unknown>>
}

/** Returns the places that were executed since the last call. */
function takePassed(): number[] {
  const passed = [...globalThis.replayed.passed]
  globalThis.replayed.passed.clear()
  return passed
}

bun.test(
  'mutants',
  async () => {
    const { file: tests, mutants = [], alone }: Replay = JSON.parse(process.env.REPLAY ?? '')
    const tell = (line: unknown): void => appendFileSync(process.env.TOLD ?? '', `${JSON.stringify(line)}\n`)
    await import(tests)
    const atImport = takePassed()
    const began = performance.now()
    const isGreenFirst = await isGreen()
    const ms = performance.now() - began
    const first = takePassed()
    tell(-1)
    const killed: number[] = []
    for (const mutant of mutants) {
      globalThis.replayed.chosen = mutant
      if (!(await isGreen())) killed.push(mutant)
      tell(mutant)
    }
    globalThis.replayed.chosen = -1
    takePassed()
    const isGreenAgain = alone === undefined && (await isGreen())
    tell({ isGreenFirst, isGreenAgain, killed, atImport, first, second: takePassed(), ms } satisfies ReplayReport)
  },
  2 ** 31 - 1,
)
