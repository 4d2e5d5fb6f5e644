import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, SECOND } from '../clock.ts'
import type { PackedBinary } from '../embedded.ts'
import type { Log } from '../log.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Damage } from './damage.ts'
import { type Engine, superviseEngine } from './engine.ts'
import { type EngineBinary, engineBinary, engineDirectory } from './engine-binary.ts'
import { DATABASES } from './engine-config.ts'
import { endLeftEngine } from './engine-left.ts'
import { createLease, type Lease } from './lease.ts'
import { beginLineage, type Mark } from './lineage.ts'
import type { ReplicaSettings } from './place.ts'
import type { Progress } from './progress.ts'
import { sleepUntil } from './sleep-until.ts'
import type { Standing } from './standing.ts'
import type { Store } from './store.ts'
import type { Present, Watch } from './watch.ts'

/** After a failure the place is tried again so much later, milliseconds. */
const TRY_AGAIN = 10 * SECOND

/** What the configuration says of replication, and what the program brings along for it. */
export type TenureParts = {
  dataDir: string
  replica: ReplicaSettings
  /** The operator's engine in place of the one inside this program; empty for that. */
  litestream: string
  /** Puts the sealed key beside the replica, where the operator wants it there. */
  keepKey: () => Promise<void>
  packed: PackedBinary | null
  clock: Clock
  log: Log
  mark: { known: () => Mark | undefined; note: (mark: Mark) => Promise<void> }
  schema: number
  version: string
}

/** Holds the place of the replica for this process, and runs the engine while it does. */
export type Tenure = {
  /** Takes the place and replicates to it until the signal ends that. What goes wrong is tried again; never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** The program that replicates; null until it was found. */
  binary(): EngineBinary | null
  /** Gives the place up for the next server; rejects where it is out of reach. */
  release(): Promise<void>
}

type Parts = TenureParts & { store: Store }
/** What the parts of replication share: a tenure changes it, and others read it. */
type State = {
  present: Present
  progress: Progress
  standing: Standing
  damage: Damage
  checkpoints: Checkpoints
  watch: Watch
}

function forgetState(dataDir: string): void {
  for (const name of DATABASES) rmSync(join(engineDirectory(dataDir), name), { recursive: true, force: true })
}

/** Goes on with the history of the place, or begins another one; answers its id. */
async function beginHistory(parts: Parts, { present, progress, damage }: State): Promise<string> {
  const { store, dataDir, replica, mark, clock, schema, version } = parts
  const { id } = await beginLineage({
    store,
    dataDir,
    place: replica.url,
    known: mark.known(),
    note: mark.note,
    forget: () => forgetState(dataDir),
    isBroken: damage.isBroken(),
    now: clock.now(),
    schema,
    version,
  })
  present.lineage = id
  damage.mended()
  present.isComplete = false
  present.reset = new AbortController()
  // what another history had, this one need not have
  for (const name of DATABASES) progress.committed(name)
  return id
}

/** Starts an engine for a history, and the watch over it. */
function startEngine(
  { dataDir, replica, log }: Parts,
  { present, standing, checkpoints, watch }: State,
  program: EngineBinary,
  lineage: string,
  signal: AbortSignal,
): Engine {
  const engine = superviseEngine({
    binary: program.path,
    dataDir,
    place: replica.place,
    keys: replica.keys,
    lineage,
    log,
    changed: (isAlive) => {
      checkpoints.engineLives(isAlive)
      if (isAlive) void watch.look()
      else if (!signal.aborted) standing.become('down', engine.lastEnd() ?? 'the engine ended')
    },
  })
  present.engine = engine
  engine.start()
  watch.begin()
  return engine
}

/** Replicates while this process holds the place; says who has it where somebody else took it over. */
async function hold(parts: Parts, state: State, held: Lease, program: EngineBinary, signal: AbortSignal) {
  const { present, standing, checkpoints, watch } = state
  const lineage = await beginHistory(parts, state)
  await parts.keepKey()
  // a server that stops does not wait for the calls above, and an engine that began now would outlive it
  if (signal.aborted) return
  const engine = startEngine(parts, state, program, lineage, signal)
  const other = await held.keep(AbortSignal.any([signal, present.reset.signal]))
  if (signal.aborted) return
  watch.end()
  present.engine = null
  await engine.stop()
  checkpoints.engineLives(false)
  if (other === null) standing.become('starting', 'a new history begins')
  else standing.become('waiting', `${other} took this place over`)
}

/** A tenure that has not begun. */
export function createTenure(parts: Parts, state: State): Tenure {
  const { dataDir, litestream, packed, clock, store } = parts
  const { standing } = state
  let binary: EngineBinary | null = null
  let lease: Lease | null = null

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await endLeftEngine(dataDir)
        binary ??= await engineBinary(dataDir, { named: litestream, packed })
        lease ??= createLease({ store, dataDir, now: clock.now, sleep: sleepUntil })
        await lease.take(signal, (who) => standing.become('waiting', `${who}, replicates to this place`))
        if (!signal.aborted) await hold(parts, state, lease, binary, signal)
      } catch (error) {
        if (signal.aborted) return
        standing.become('down', error instanceof Error ? error.message : String(error))
        await sleepUntil(TRY_AGAIN, signal)
      }
    }
  }

  return {
    run,
    binary: () => binary,
    release: async () => {
      await lease?.release()
    },
  }
}
