import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE, SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import { engineDirectory } from './engine-binary.ts'
import { type DatabaseName, engineEnvironment, socketPath, writeEngineConfig } from './engine-config.ts'
import { createControl } from './engine-control.ts'
import { createEngineWords } from './engine-words.ts'
import type { ReplicaKeys, ReplicaPlace } from './replica-place.ts'

/** The pauses (ms) before the engine is started again, each longer than the one before. */
const PAUSES = [200, SECOND, 2 * SECOND, 5 * SECOND, 15 * SECOND, MINUTE]
/** An engine that ran for this long is started again after the shortest pause. */
const SETTLED = MINUTE
/** An engine that has not answered for this long hangs, and is killed. */
const HANGS_AFTER = MINUTE
/** The time (ms) that is waited for the last output of an engine that has ended. */
const LAST_WORDS = 100
/** The time that the engine may take to end before it is killed. */
const LEAVE = 5 * SECOND
export const pidPath = (dataDir: string): string => join(engineDirectory(dataDir), 'pid')

/** The file of the configuration in the directory of the engine. */
const CONFIG = 'litestream.json'

export type Engine = {
  start(): void
  /** Returns whether it runs and has answered. */
  isAlive(): boolean
  pid(): number | null
  /** Returns how often it had to be started again. */
  restarts(): number
  /** Returns the reason of its last end; null if it never ended. */
  lastEnd(): string | null
  /**
   * Resolves once the replica has everything that was committed to a database before the call, with the number of the
   * last change there.
   */
  sync(database: DatabaseName, patience: number): Promise<number>
  /** Ends the engine, which syncs first. */
  stop(): Promise<void>
}

type EngineParts = {
  binary: string
  dataDir: string
  place: ReplicaPlace
  keys: ReplicaKeys
  lineage: string
  log: Log
  changed: (alive: boolean) => void
}

const spawnEngine = ({ binary, dataDir, keys }: EngineParts) =>
  Bun.spawn([binary, 'replicate', '-no-expand-env', '-config', join(engineDirectory(dataDir), CONFIG)], {
    env: engineEnvironment(keys),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
type Child = ReturnType<typeof spawnEngine>

/** An engine that is kept running: its present process, and the ends of those before it. */
type Kept = {
  readonly parts: EngineParts
  readonly control: ReturnType<typeof createControl>
  readonly hear: ReturnType<typeof createEngineWords>
  child: Child | null
  isAlive: boolean
  isStopping: boolean
  restarts: number
  lastEnd: string | null
  /** The timer that starts the next process. */
  again: ReturnType<typeof setTimeout> | undefined
  /** The timer that checks the present process. */
  watch: ReturnType<typeof setInterval> | undefined
}

function live(kept: Kept, is: boolean): void {
  if (kept.isAlive === is) return
  kept.isAlive = is
  kept.parts.changed(is)
}

/** Starts a process; `pause` is the index in `PAUSES` of the wait after a failure. */
function begin(kept: Kept, pause = 0): void {
  const { dataDir, place, keys, lineage } = kept.parts
  const socket = socketPath(dataDir)
  let one: Child | undefined
  try {
    writeEngineConfig({ dataDir, place, keys, lineage, socket, name: CONFIG })
    rmSync(socket, { force: true })
    one = spawnEngine(kept.parts)
    writeFileSync(pidPath(dataDir), String(one.pid), { mode: 0o600 })
  } catch (error) {
    // a full disk, or a program that may not be run, may be fixed before the next attempt
    one?.kill('SIGKILL')
    kept.lastEnd = error instanceof Error ? error.message : String(error)
    kept.again = setTimeout(() => begin(kept, Math.min(pause + 1, PAUSES.length - 1)), PAUSES[pause])
    return
  }
  attend(kept, one, pause)
}

/** Reads the output of a new process, checks it regularly, and starts another one when it ends. */
function attend(kept: Kept, one: Child, pause: number): void {
  kept.child = one
  const startedAt = performance.now()
  checkPulse(kept, one)
  const heard = Promise.all([one.stdout, one.stderr].map((stream) => kept.hear(stream).catch(() => undefined)))
  one.exited.then(async (code) => {
    // its last output may come after its end, and a child that it left behind may keep the streams open
    const said = await Promise.race([heard, Bun.sleep(LAST_WORDS)])
    if (kept.child !== one) return
    kept.child = null
    clearInterval(kept.watch)
    const why = said?.find((failure) => failure !== undefined)
    kept.lastEnd = `the engine ended with ${one.signalCode ?? code}${why === undefined ? '' : `: ${why}`}`
    live(kept, false)
    if (kept.isStopping) return
    kept.restarts += 1
    const isSettled = performance.now() - startedAt > SETTLED
    const next = isSettled ? 0 : Math.min(pause, PAUSES.length - 1)
    const facts = { code, signal: one.signalCode, pauseMs: PAUSES[next], ...(why !== undefined && { why }) }
    kept.parts.log.warn(facts, 'the engine ended and is started again')
    kept.again = setTimeout(() => begin(kept, next + 1), PAUSES[next])
  })
}

/** Checks whether a process answers: often until it does, then each second. One that hangs is killed. */
function checkPulse(kept: Kept, one: Child): void {
  let answeredAt = performance.now()
  let asking = false
  const ask = async (): Promise<void> => {
    if (asking || kept.child !== one) return
    asking = true
    const info = await kept.control.info().catch(() => null)
    asking = false
    if (kept.child !== one) return
    if (info) {
      answeredAt = performance.now()
      if (kept.isAlive) return
      live(kept, true)
      clearInterval(kept.watch)
      kept.watch = setInterval(ask, SECOND)
    } else if (performance.now() - answeredAt > HANGS_AFTER) one.kill('SIGKILL')
  }
  clearInterval(kept.watch)
  kept.watch = setInterval(ask, 50)
}

/** Brings the replica of a database up to date; rejects if that takes longer than `patience` (ms). */
async function sync({ parts, control }: Kept, database: DatabaseName, patience: number): Promise<number> {
  const until = performance.now() + patience
  const path = join(parts.dataDir, database)
  const { txid, replicated_txid } = await control.sync(path, patience)
  // the answer does not count changes that another call is storing at this moment
  let reached = replicated_txid
  while (reached < txid) {
    const left = until - performance.now()
    if (left <= 0) throw new Error(`the replica has ${reached} of ${txid}`)
    await Bun.sleep(5)
    reached = (await control.sync(path, left)).replicated_txid
  }
  return reached
}

/** Ends the present process, kills it if it does not end in time, and starts no other. */
async function stop(kept: Kept): Promise<void> {
  kept.isStopping = true
  clearTimeout(kept.again)
  clearInterval(kept.watch)
  const last = kept.child
  if (!last) return
  last.kill('SIGTERM')
  const ended = await Promise.race([last.exited.then(() => true), Bun.sleep(LEAVE).then(() => false)])
  if (!ended) last.kill('SIGKILL')
  await last.exited
  rmSync(pidPath(kept.parts.dataDir), { force: true })
  rmSync(socketPath(kept.parts.dataDir), { force: true })
}

/** Keeps an engine running over the databases of a directory. `changed` is called when it begins or ends to answer. */
export function superviseEngine(parts: EngineParts): Engine {
  const kept: Kept = {
    parts,
    control: createControl(parts.dataDir),
    hear: createEngineWords(parts.log),
    child: null,
    isAlive: false,
    isStopping: false,
    restarts: 0,
    lastEnd: null,
    again: undefined,
    watch: undefined,
  }
  return {
    start: () => begin(kept),
    isAlive: () => kept.isAlive,
    pid: () => kept.child?.pid ?? null,
    restarts: () => kept.restarts,
    lastEnd: () => kept.lastEnd,
    sync: (database, patience) => sync(kept, database, patience),
    stop: () => stop(kept),
  }
}
