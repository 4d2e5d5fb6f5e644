import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Replay, Told } from './replay.ts'

/** A process that has told nothing for ten times as long as its tests take, and this long, hangs. */
const HANGS_MS = 30_000
/** So many mutants are tried in one process, before it shows that the tests are still green without one. */
const TOGETHER = 30

/** What every process of the copy does first: it notes the places that it passes. */
export const PRELOAD = `
globalThis.replayed = { passed: new Set(), chosen: JSON.parse(process.env.REPLAY).alone ?? -1 }
globalThis.mutant = (id) => {
  replayed.passed.add(id)
  return id === replayed.chosen
}
`

/** What tests of the copy take instead of Bun's own: `replay.ts` keeps what they declare, to run it again and again. */
export const COLLECTED = `export * from 'bun:test'
export const { test, describe, beforeAll, beforeEach, afterEach, afterAll, setDefaultTimeout } = globalThis.collected
`

/** What a file of tests comes to; `alone` are mutants that act once, as modules are loaded or caches are filled. */
export type Known = { passed: Set<number>; alone: Set<number>; ms: number }

const isWhole = (last: Told | number | undefined): last is Told => typeof last === 'object'

/** Runs files of tests in a copy of the sources, in so many processes at once as there are jobs. */
export function createProcesses(copy: string, jobs: number) {
  let [free, runs] = [jobs, 0]
  /** How long a file of tests took. */
  const took = new Map<string, number>()
  const waiting: (() => void)[] = []

  /** The last line that a process wrote; where it was ended, that is the mutant before. */
  async function tell(test: string, what: Omit<Replay, 'file'>): Promise<Told | number | undefined> {
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
    return lines.map((line): Told | number => JSON.parse(line)).at(-1)
  }

  /** The same, once it is a process's turn. */
  async function lastWord(test: string, what: Omit<Replay, 'file'>): Promise<Told | number | undefined> {
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

  /** Those of some mutants that a file of tests kills, each in a process of its own. */
  async function killedAlone(test: string, mutants: readonly number[]): Promise<number[]> {
    const isKilled = await Promise.all(
      mutants.map(async (alone) => {
        const last = await lastWord(test, { alone })
        return !isWhole(last) || !last.isGreenFirst
      }),
    )
    return mutants.filter((_, at) => isKilled[at])
  }

  /** The same, one after the other in one process. Where one leaves it broken, each is tried alone. */
  async function killedIn(test: string, mutants: readonly number[]): Promise<number[]> {
    const last = await lastWord(test, { mutants })
    if (isWhole(last)) return last.isGreenAgain ? last.killed : killedAlone(test, mutants)
    // after the last that told of itself came one that hangs; what was before it is tried again, to its end
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
