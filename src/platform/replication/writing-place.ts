import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Clock, SECOND } from '../clock.ts'
import type { PackedBinary } from '../embedded.ts'
import type { Log } from '../log.ts'
import type { Roles } from '../role.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Damage } from './damage.ts'
import { type Engine, superviseEngine } from './engine.ts'
import { type EngineBinary, engineBinary, engineDirectory } from './engine-binary.ts'
import { DATABASES } from './engine-config.ts'
import { createHeldPlace } from './held-place.ts'
import { createClaims, findSuccessor, type Lineage, readHistories } from './histories.ts'
import { createLease, type Holder, type Lease, type Me, meIn, RENEW_EVERY, type Renewal, type Taken } from './lease.ts'
import { endLeftEngine } from './leftover-engine.ts'
import { beginLineage, type Mark, replacedAt, replacedBefore } from './lineage.ts'
import type { Notes } from './notes.ts'
import type { Progress } from './progress.ts'
import type { ReplicaSettings } from './replica-place.ts'
import type { ReplicationStatus } from './replication-state.ts'
import { sleepUntil } from './sleep-until.ts'
import type { Store } from './store.ts'
import type { Present, Watch } from './watch.ts'

/** After a failure the place is tried again so much later, milliseconds. */
const TRY_AGAIN = 5 * SECOND
/** A place that has not answered for so long is out of reach: the server writes without having heard who else does. */
const ALONE_AFTER = 10 * SECOND

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
  /** Remembers that the place lost what it held, and whether another whole history stands there since. */
  loss: (why: string, isWhole: boolean) => Promise<void>
  roles: Roles
  /** The address under which people reach this server. */
  publicUrl: string
  schema: number
  version: string
}

/** Holds the place of the replica for this process, and runs the engine while it does. */
export type Tenure = {
  /** Takes the place and replicates to it until the signal ends that. What goes wrong is tried again; never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** The program that replicates; null until it was found. */
  binary(): EngineBinary | null
  /** Whether the place is surely this server's now. */
  isSure(): boolean
  /** Gives the place up for the next server; rejects where it is out of reach. */
  release(): Promise<void>
}

type Parts = TenureParts & { store: Store; notes: Notes }
/** What the parts of replication share: a tenure changes it, and others read it. */
type State = {
  present: Present
  progress: Progress
  status: ReplicationStatus
  damage: Damage
  checkpoints: Checkpoints
  watch: Watch
}

/** A place that this process holds, how it took it, and the engine that brings changes there. */
type Held = { lease: Lease; me: Me; taken: Taken; engine: () => Promise<EngineBinary> }

const describeHolder = ({ host, renewedAt }: Holder): string => `another server on ${host}, last seen ${renewedAt}`

function forgetState(dataDir: string): void {
  for (const name of DATABASES) rmSync(join(engineDirectory(dataDir), name), { recursive: true, force: true })
}

/** Somebody else showed that they hold the place while this server took it over. */
class TakenMeanwhile extends Error {
  constructor(readonly by: Holder) {
    super(describeHolder(by))
  }
}

/** Goes on with the history of the place, or begins another one. */
async function beginHistory(
  parts: Parts,
  { lease, me, taken }: Held,
  { present, progress, damage }: State,
  signal: AbortSignal,
): Promise<{ lineage: Lineage; mark: Mark }> {
  const { store, notes, dataDir, replica, mark, clock, schema, version } = parts
  // nobody else can believe that they hold a place where nothing of this installation was, or that has just lost it
  const isAlone = taken === 'free' || present.lost !== null
  const isFirst = taken === 'absent' && mark.known()?.place !== replica.url
  const begun = await beginLineage({
    store,
    notes,
    dataDir,
    place: replica.url,
    known: mark.known(),
    note: mark.note,
    forget: () => forgetState(dataDir),
    anew: present.lost !== null ? 'place' : damage.isBroken() ? 'engine' : undefined,
    now: clock.now(),
    schema,
    version,
    host: me.host,
    url: me.url,
    confirm: async (lineage) => {
      present.lineage = lineage
      if (isAlone || isFirst) return lease.settle()
      const found = await lease.outwait(signal)
      if (found.kind === 'taken' || found.kind === 'claimed') throw new TakenMeanwhile(found.by)
      signal.throwIfAborted()
    },
  })
  damage.mended()
  present.isComplete = false
  present.reached.clear()
  present.reset = new AbortController()
  // what another history had, this one need not have
  for (const name of DATABASES) progress.committed(name)
  return begun
}

/** Starts an engine for a history, and the watch over it. */
function startEngine(
  { dataDir, replica, log }: Parts,
  { present, status, checkpoints, watch }: State,
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
      else if (!signal.aborted) status.become('down', engine.lastEnd() ?? 'the engine ended')
    },
  })
  present.engine = engine
  engine.start()
  watch.begin()
  return engine
}

/** Renews the lease and looks at the place until the signal ends that, or somebody takes the place. */
async function keep(
  { store, notes, replica, log }: Parts,
  { present }: State,
  lease: Lease,
  begun: { lineage: Lineage; mark: Mark },
  signal: AbortSignal,
): Promise<Renewal> {
  const lackNow = createHeldPlace({
    store,
    notes,
    kind: replica.place.kind,
    ...begun,
    reached: (database) => present.reached.get(database),
    log,
  })
  let began = performance.now()
  for (;;) {
    await sleepUntil(Math.max(0, began + RENEW_EVERY - performance.now()), signal)
    if (signal.aborted) return { kind: 'held' }
    began = performance.now()
    try {
      const found = await lease.renew()
      if (found.kind === 'taken' || found.kind === 'claimed') return found
      const lack = present.isComplete ? await lackNow(found.kind === 'gone') : null
      if (lack !== null) present.lose(lack)
      else if (found.kind === 'gone') await lease.renew({ anyway: true })
    } catch {
      // out of reach: the renewal does not count, and answers that wait are refused soon; the lag says so as well
    }
  }
}

/** Replicates while this process holds the place. Answers who took it, where somebody did. */
async function hold(parts: Parts, state: State, held: Held, signal: AbortSignal): Promise<Renewal> {
  const { present, checkpoints, watch } = state
  const begun = await beginHistory(parts, held, state, signal)
  parts.roles.become({ name: 'primary' })
  const program = await held.engine()
  await parts.keepKey()
  // a server that stops does not wait for the calls above, and an engine that began now would outlive it
  if (signal.aborted) return { kind: 'held' }
  const engine = startEngine(parts, state, program, begun.lineage.id, signal)
  const until = await keep(parts, state, held.lease, begun, AbortSignal.any([signal, present.reset.signal]))
  if (signal.aborted) return until
  watch.end()
  present.engine = null
  await engine.stop()
  checkpoints.engineLives(false)
  return until
}

/** Who began a history after the present one of this server and from the same beginnings, by the claims there. */
function createClaimantFinder({ store, notes }: Parts, { present }: State): () => Promise<Holder | undefined> {
  const claims = createClaims(store, notes)
  return async () => {
    if (present.lineage === null) return undefined
    const ours = (await claims()).filter(({ proof }) => proof === 'ours')
    const next = findSuccessor(ours, present.lineage.id)
    return next && { host: next.host ?? '', url: next.url ?? '', renewedAt: next.startedAt }
  }
}

/** Says what role the place leaves to this server. */
function createWord({ store, notes, dataDir, replica, mark, roles, log }: Parts, { status }: State) {
  const whoReplaced = async () => {
    // a word that anybody could have written must not end a server
    const ours = (await readHistories(store, notes)).filter(({ proof }) => proof === 'ours')
    return replacedAt(ours, { dataDir, place: replica.url, known: mark.known() })
  }
  return {
    /** Whether others went on with what this directory holds; then this server has nothing more to do. */
    isReplaced: async (): Promise<boolean> => {
      const by = await whoReplaced()
      if (!by) return false
      status.become('waiting', `a server on ${by.host} went on with this data`)
      roles.become({ name: 'replaced', by })
      return true
    },
    waitFor: (by: Holder): void => {
      status.become('waiting', `${describeHolder(by)}, replicates to this place`)
      roles.become({ name: 'starting', by: { host: by.host, url: by.url } })
    },
    /** Without any word from the place nobody is asked for leave, unless it is known that others went on. */
    goAlone: (): void => {
      const role = roles.current()
      if (role.name !== 'starting' || role.by !== null) return
      const by = mark.known()?.place === replica.url ? replacedBefore(dataDir) : undefined
      if (!by) log.warn('the place of the replica is out of reach: this server writes without knowing who else does')
      roles.become(by ? { name: 'replaced', by } : { name: 'primary' })
    },
  }
}

/** A tenure that has not begun. */
export function createTenure(parts: Parts, state: State): Tenure {
  const { dataDir, litestream, packed, clock, notes, roles, publicUrl } = parts
  const { status, present } = state
  const me = meIn(dataDir, publicUrl)
  const steady = (): number => performance.now()
  const claimed = createClaimantFinder(parts, state)
  const lease = createLease({ notes, me, now: clock.now, steady, sleep: sleepUntil, claimed })
  const word = createWord(parts, state)
  let binary: EngineBinary | null = null
  const engine = async (): Promise<EngineBinary> => {
    binary ??= await engineBinary(dataDir, { named: litestream, packed })
    return binary
  }

  /** Takes the place and holds it for as long as that goes well. */
  async function once(signal: AbortSignal): Promise<void> {
    await endLeftEngine(dataDir)
    if (await word.isReplaced()) return
    const taken = await lease.take(signal, word.waitFor)
    if (signal.aborted || (await word.isReplaced())) return
    const until = await hold(parts, state, { lease, me, taken, engine }, signal)
    if (signal.aborted) return
    if (present.lost !== null) {
      status.become('down', present.lost)
      await parts.loss(present.lost, false)
    } else if (until.kind === 'taken' || until.kind === 'claimed') word.waitFor(until.by)
    else status.become('starting', 'a new history begins')
  }

  return {
    run: async (signal) => {
      const alone = setTimeout(word.goAlone, ALONE_AFTER)
      signal.addEventListener('abort', () => clearTimeout(alone), { once: true })
      while (!signal.aborted && roles.current().name !== 'replaced') {
        try {
          await once(signal)
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof TakenMeanwhile) word.waitFor(error.by)
          else status.become('down', error instanceof Error ? error.message : String(error))
          await sleepUntil(TRY_AGAIN, signal)
        }
      }
    },
    binary: () => binary,
    isSure: lease.isSure,
    release: lease.release,
  }
}
