import { SECOND } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Damage } from './damage.ts'
import type { Engine } from './engine.ts'
import { DATABASES, type DatabaseName } from './engine-config.ts'
import { ANSWER_WITHIN } from './gate.ts'
import type { Lineage } from './histories.ts'
import { createLagLog } from './lag.ts'
import type { Progress } from './progress.ts'
import type { ReplicationStatus } from './replication-state.ts'

/** The interval at which the replica is checked. */
const LOOK_EVERY = 2 * SECOND

/** The history that is replicated at present, and its engine. */
export type Present = {
  lineage: Lineage | null
  /** The last change of each database that the engine stored at the place. */
  reached: Map<DatabaseName, number>
  /** The reason why the history before cannot be restored any more; null after the place has another complete one. */
  lost: string | null
  /** The number of such losses. */
  losses: number
  /** Ends the present history, which cannot be restored from its place any more because of `why`. */
  lose(why: string): void
  /** Whether the place certainly has a first copy of both databases. */
  isComplete: boolean
  engine: Engine | null
  /** Aborting it ends the engine of the present history, so that another one begins. */
  reset: AbortController
}

/** Makes the state in which nothing is replicated yet. */
export function createPresent(log: Log): Present {
  const present: Present = {
    lineage: null,
    reached: new Map(),
    lost: null,
    losses: 0,
    lose: (why) => {
      if (present.lost === null) log.error({ why }, 'the place of the replica lost its files: a new history begins')
      present.lost = why
      present.losses += 1
      present.isComplete = false
      present.reset.abort()
    },
    isComplete: false,
    engine: null,
    reset: new AbortController(),
  }
  return present
}

type Parts = {
  present: Present
  progress: Progress
  status: ReplicationStatus
  damage: Damage
  /** Notes at the place that it has a first copy of both databases, or ends the history if it has none. */
  complete: (lineage: Lineage) => Promise<void>
  log: Log
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Brings the replica of both databases up to date. Rejects if the engine does not run or takes too long. */
export async function syncAll(
  { present, progress, status }: Pick<Parts, 'present' | 'progress' | 'status'>,
  patience: number,
): Promise<void> {
  const bring = (name: DatabaseName): Promise<void> => {
    const { engine } = present
    if (!engine?.isAlive()) throw new Error(engine?.lastEnd() ?? status.why ?? 'the engine does not run')
    return engine.sync(name, patience).then((change) => void present.reached.set(name, change))
  }
  await Promise.all(DATABASES.map((name) => progress.reach(name, () => bring(name))))
}

/** Checks regularly whether the replica has everything, and sets the state of replication. */
export type Watch = {
  begin(): void
  end(): void
  /** Checks once, unless a check is running. Never rejects. */
  look(): Promise<void>
}

/** Makes the watch over the present history. It does nothing before `begin`. */
export function createWatch(parts: Parts): Watch {
  const { present, progress, status, damage, complete, log } = parts
  const tellLag = createLagLog(log)
  let timer: ReturnType<typeof setInterval> | undefined
  let isLooking = false

  async function ask(engine: Engine): Promise<void> {
    if (!engine.isAlive()) throw new Error(engine.lastEnd() ?? 'the engine does not answer yet')
    await syncAll(parts, ANSWER_WITHIN)
    // an answer that waits for the replica must not leave before a restore would use this history
    if (!present.isComplete && present.lineage !== null) await complete(present.lineage)
    if (present.reset.signal.aborted) throw new Error(present.lost ?? 'another history begins')
    present.isComplete = true
    damage.passed()
    status.become('running', null)
  }

  /** Records why a check failed, and ends the present history if the engine cannot continue it. */
  function failed(error: unknown): void {
    if (damage.failed(error)) {
      log.warn({ why: said(error) }, 'what the engine keeps is damaged, and a new history begins')
      present.reset.abort()
    }
    // the first copy of a large database may take longer than a check waits
    if (status.state !== 'starting' || !present.engine?.isAlive()) status.become('down', said(error))
  }

  async function look(): Promise<void> {
    if (isLooking || !present.engine) return
    isLooking = true
    await ask(present.engine).catch(failed)
    isLooking = false
    tellLag(progress.longestLag(), status.why)
  }

  return {
    begin: () => {
      timer = setInterval(look, LOOK_EVERY)
    },
    end: () => clearInterval(timer),
    look,
  }
}
