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

/** How often the replica is asked for what it does not have yet. */
const LOOK_EVERY = 2 * SECOND

/** What is replicated at present, and by what. */
export type Present = {
  lineage: Lineage | null
  /** The last change of each database that the engine brought to the place. */
  reached: Map<DatabaseName, number>
  /** Why the history before can no longer be restored from its place, until another whole one stands there. */
  lost: string | null
  /** How often that was so. */
  losses: number
  /** Ends the present history, which cannot be restored from its place any more, for the reason given. */
  lose(why: string): void
  /** Whether the place is known to have a first copy of both databases. */
  isComplete: boolean
  engine: Engine | null
  /** Ends the engine of the present history, for another one. */
  reset: AbortController
}

/** Nothing is replicated yet. */
export function createPresent(log: Log): Present {
  const present: Present = {
    lineage: null,
    reached: new Map(),
    lost: null,
    losses: 0,
    lose: (why) => {
      if (present.lost === null) log.error({ why }, 'the place of the replica lost what it held: a new history begins')
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
  /** Notes at the place that it has a first copy of both databases; rejects where it has none. */
  complete: (lineage: Lineage) => Promise<void>
  log: Log
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Brings the replica of both databases up to now. Rejects where the engine does not run or is not done in time. */
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

/** Looks again and again whether the replica has everything, and says how replication stands. */
export type Watch = {
  begin(): void
  end(): void
  /** One look, unless one is under way. Never rejects. */
  look(): Promise<void>
}

/** A watch over what is replicated at present. It does nothing before `begin`. */
export function createWatch(parts: Parts): Watch {
  const { present, progress, status, damage, complete, log } = parts
  const tellLag = createLagLog(log)
  let timer: ReturnType<typeof setInterval> | undefined
  let isLooking = false

  async function ask(engine: Engine): Promise<void> {
    if (!engine.isAlive()) throw new Error(engine.lastEnd() ?? 'the engine does not answer yet')
    await syncAll(parts, ANSWER_WITHIN)
    // an answer that waits for the replica must not leave before a restore would look there
    if (!present.isComplete && present.lineage !== null) await complete(present.lineage)
    if (present.reset.signal.aborted) throw new Error(present.lost ?? 'another history begins')
    present.isComplete = true
    damage.passed()
    status.become('running', null)
  }

  /** Says why a look failed, and ends the present history where the engine cannot go on with it. */
  function failed(error: unknown): void {
    if (damage.failed(error)) {
      log.warn({ why: said(error) }, 'what the engine keeps is damaged, and a new history begins')
      present.reset.abort()
    }
    // a first copy of a large database takes its time
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
