import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Replay, ReplayReport } from './replay.ts'

/** A process hangs if it reports nothing for this long, and for ten times the duration of its tests. */
const HANGS_MS = 30_000
/** One process tries this many mutants, and then proves that the tests still pass without a mutant. */
const TOGETHER = 30

/** Every process of the copy runs this first; it records which places of the sources are executed. */
export const PRELOAD = `
globalThis.replayed = { passed: new Set(), chosen: JSON.parse(process.env.REPLAY).alone ?? -1 }
globalThis.mutant = (id) => {
  replayed.passed.add(id)
  return id === replayed.chosen
}
`

/** Tests of the copy import this instead of Bun's own module: `replay.ts` keeps their declarations to repeat them. */
export const COLLECTED = `export * from 'bun:test'
export const { test, describe, beforeAll, beforeEach, afterEach, afterAll, setDefaultTimeout } = globalThis.collected
`

/** The mutants whose places a test file executes; those in `alone` act only once, as modules load or caches fill. */
export type Known = { passed: Set<number>; alone: Set<number>; ms: number }

const isWhole = (last: ReplayReport | number | undefined): last is ReplayReport => typeof last === 'object'

/** Runs test files in a copy of the sources, in as many processes at once as there are jobs. */
export function createProcesses(copy: string, jobs: number) {
  let [free, runs] = [jobs, 0]
  /** How long each test file took. */
  const took = new Map<string, number>()
  const waiting: (() => void)[] = []

  /** Returns the last line that a process wrote. If the process was ended, returns the last mutant that it reported. */
  async function tell(test: string, what: Omit<Replay, 'file'>): Promise<ReplayReport | number | undefined> {
    const TOLD = join(copy, 'tmp', `told-${++runs}`)
    await Bun.write(TOLD, '')
    const replay: Replay = { ...what, file: join(copy, test) }
    const child = Bun.spawn([process.execPath, 'test', './src/testing/mutants/replay.ts'], {
      cwd: copy,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
      killSignal: 'SIGKILL' as const,
      env: { ...process.env, TMPDIR: join(copy, 'tmp'), TOLD, REPLAY: JSON.stringify(replay) },
    })
    const end = () => child.kill()
    process.once('exit', end)
    let size = 0
    const watch = setInterval(
      () => {
        const now = statSync(TOLD).size
        if (now === size) end()
        size = now
      },
      Math.max(HANGS_MS, 10 * (took.get(test) ?? HANGS_MS)),
    )
    await child.exited
    clearInterval(watch)
    process.off('exit', end)
    const lines = readFileSync(TOLD, 'utf8').split('\n').slice(0, -1)
    return lines.map((line): ReplayReport | number => JSON.parse(line)).at(-1)
  }

  /** Runs a process once there is a free place, and returns its last line. */
  async function lastWord(test: string, what: Omit<Replay, 'file'>): Promise<ReplayReport | number | undefined> {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await tell(test, what)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }

  async function know(test: string): Promise<Known> {
    const last = await lastWord(test, {})
    if (!isWhole(last) || !last.isGreenFirst) throw new Error(`${test} is red without a mutant`)
    took.set(test, last.ms)
    const again = new Set(last.isGreenAgain ? last.second : [])
    const passed = new Set([...last.atImport, ...last.first, ...last.second])
    const alone = [...passed].filter((id) => !again.has(id) || last.atImport.includes(id))
    return { passed, alone: new Set(alone), ms: last.ms }
  }

  /** Returns the mutants that a test file kills, each in a process of its own. */
  async function killedAlone(test: string, mutants: readonly number[]): Promise<number[]> {
    const isKilled = await Promise.all(
      mutants.map(async (alone) => {
        const last = await lastWord(test, { alone })
        return !isWhole(last) || !last.isGreenFirst
      }),
    )
    return mutants.filter((_, at) => isKilled[at])
  }

  /** Returns the mutants that a test file kills in one process; tries each alone if one leaves the process broken. */
  async function killedIn(test: string, mutants: readonly number[]): Promise<number[]> {
    const last = await lastWord(test, { mutants })
    if (isWhole(last)) return last.isGreenAgain ? last.killed : killedAlone(test, mutants)
    // the mutant after the last reported one hangs; those before it are tried again, so that their process can end
    const hangs = mutants[mutants.indexOf(last ?? -1) + 1]
    const others = mutants.filter((mutant) => mutant !== hangs)
    return hangs === undefined ? killedAlone(test, mutants) : [hangs, ...(await killedIn(test, others))]
  }

  async function killedTogether(test: string, mutants: readonly number[]): Promise<number[]> {
    const pieces = Array.from({ length: Math.ceil(mutants.length / TOGETHER) }, (_, at) =>
      killedIn(test, mutants.slice(at * TOGETHER, (at + 1) * TOGETHER)),
    )
    return (await Promise.all(pieces)).flat()
  }
  return { know, killedAlone, killedTogether }
}
