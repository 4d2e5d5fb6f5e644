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
import { beatForStandbys, FOLLOWED_FOR, STANDBY_COUNTS } from './heartbeat.ts'
import { createHeldPlace } from './held-place.ts'
import { createClaims, findSuccessor, type Lineage, readOwnHistories } from './histories.ts'
import { createLease, type Holder, type Lease, type Me, meIn, RENEW_EVERY, type Renewal, type Taken } from './lease.ts'
import { endLeftEngine } from './leftover-engine.ts'
import { beginLineage, type Mark, replacedAt, replacedBefore } from './lineage.ts'
import type { Notes } from './notes.ts'
import type { Progress } from './progress.ts'
import type { ReplicaSettings } from './replica-place.ts'
import type { ReplicationStatus } from './replication-state.ts'
import { sleepUntil } from './sleep-until.ts'
import { createStandbyWatch } from './standby-notes.ts'
import type { Store } from './store.ts'
import type { Present, Watch } from './watch.ts'

/** A clock in milliseconds that a change of the wall clock does not move. */
const steady = (): number => performance.now()
/** The wait (ms) before the next attempt after a failure. */
const TRY_AGAIN = 5 * SECOND
/** After this time without an answer of the place the server writes, without knowing whether another one does. */
const ALONE_AFTER = 10 * SECOND

/** The configuration of replication, and the services of the program that it needs. */
export type TenureParts = {
  dataDir: string
  replica: ReplicaSettings
  /** The path of the operator's engine; empty for the one inside this program. */
  litestream: string
  /** Stores the sealed key beside the replica if the operator has set a passphrase. */
  keepKey: () => Promise<void>
  packed: PackedBinary | null
  clock: Clock
  log: Log
  mark: { known: () => Mark | undefined; note: (mark: Mark) => Promise<void> }
  /** Returns the id of the history that a takeover has claimed for this database; undefined without one. */
  promised: () => string | undefined
  /** Returns for how long (ms) no heartbeat was written. One is written only while a standby shows itself. */
  sinceHeartbeat: () => number
  /** The operator says that no standby has taken over: this server may write although its place does not answer. */
  isAlone: boolean
  /** Stores that the place lost the history, and whether it has another complete one since. */
  loss: (why: string, isWhole: boolean) => Promise<void>
  /** Writes a heartbeat of this history into the database, for standbys. */
  beat: (history: string) => Promise<void>
  roles: Roles
  /** The address under which people reach this server. */
  publicUrl: string
  schema: number
  version: string
}

/** Holds the place of the replica for this process, and runs the engine meanwhile. */
export type Tenure = {
  /** Takes the place and replicates to it until the signal aborts. Tries again after failures; never rejects. */
  run(signal: AbortSignal): Promise<void>
  /** Returns the engine's program; null until it was found. */
  binary(): EngineBinary | null
  /** Returns whether this server is sure to hold the place now. */
  isSure(): boolean
  /** Gives the place up for the next server; rejects if it is out of reach. */
  release(): Promise<void>
}

type Parts = TenureParts & { store: Store; notes: Notes }
/** The state that the parts of replication share: a tenure changes it, and others read it. */
type State = {
  present: Present
  progress: Progress
  status: ReplicationStatus
  damage: Damage
  checkpoints: Checkpoints
  watch: Watch
}

/** The lease of a held place, how it was taken, and the engine's program. */
type Held = { lease: Lease; me: Me; taken: Taken; engine: () => Promise<EngineBinary> }

const describeHolder = ({ host, renewedAt }: Holder): string => `another server on ${host}, last seen ${renewedAt}`

function forgetState(dataDir: string): void {
  for (const name of DATABASES) rmSync(join(engineDirectory(dataDir), name), { recursive: true, force: true })
}

/** Another server turned out to hold the place while this one took it over. */
class TakenMeanwhile extends Error {
  constructor(readonly by: Holder) {
    super(describeHolder(by))
  }
}

/** Continues the history of the place, or begins another one. */
async function beginHistory(
  parts: Parts,
  { lease, me, taken }: Held,
  { present, progress, damage }: State,
  signal: AbortSignal,
): Promise<{ lineage: Lineage; mark: Mark }> {
  const { store, notes, dataDir, replica, mark, clock, schema, version } = parts
  // no other server can believe that it holds a place that was free, new to this installation, or just lost its files
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
    promised: parts.promised(),
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
  // the replica of the new history may lack everything that the one before had
  for (const name of DATABASES) progress.committed(name)
  return begun
}

/** Starts an engine for a history, and its watch. */
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

/** Renews the lease and checks the place until the signal aborts, or another server takes the place. */
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
      // the place is out of reach, so the renewal does not count, and answers that wait are refused soon
    }
  }
}

/** Replicates while this process holds the place. Returns the last renewal, which tells if another server took it. */
async function hold(parts: Parts, state: State, held: Held, signal: AbortSignal): Promise<Renewal> {
  const { present, checkpoints, watch } = state
  const begun = await beginHistory(parts, held, state, signal)
  parts.roles.become({ name: 'primary' })
  const program = await held.engine()
  await parts.keepKey()
  // a server that stops does not wait for the calls above, and an engine that starts now would outlive it
  if (signal.aborted) return { kind: 'held' }
  const engine = startEngine(parts, state, program, begun.lineage.id, signal)
  const ending = AbortSignal.any([signal, present.reset.signal])
  const beating = new AbortController()
  void beatForStandbys(
    {
      kind: parts.replica.place.kind,
      wasFollowed: parts.sinceHeartbeat() < FOLLOWED_FOR,
      look: createStandbyWatch({ ...parts, now: parts.clock.now, steady }),
      beat: () => parts.beat(begun.lineage.id),
      steady,
      sleep: sleepUntil,
    },
    AbortSignal.any([ending, beating.signal]),
  )
  const until = await keep(parts, state, held.lease, begun, ending)
  beating.abort()
  if (signal.aborted) return until
  watch.end()
  present.engine = null
  await engine.stop()
  checkpoints.engineLives(false)
  return until
}

/** Makes a function that finds the server whose claim continues the present history of this server. */
function createClaimantFinder({ store, notes }: Parts, { present }: State): () => Promise<Holder | undefined> {
  const claims = createClaims(store, notes)
  return async () => {
    if (present.lineage === null) return undefined
    const ours = (await claims()).filter(({ proof }) => proof === 'ours')
    const next = findSuccessor(ours, present.lineage.id)
    return next && { host: next.host ?? '', url: next.url ?? '', renewedAt: next.startedAt }
  }
}

/** Makes the functions that change the role of this server by what the place shows. */
function createRoleChanges(
  { store, notes, dataDir, replica, mark, roles, log, sinceHeartbeat, isAlone }: Parts,
  { status }: State,
) {
  const whoReplaced = async () => {
    // a note that was written without the key must not end the service of this server
    const ours = await readOwnHistories(store, notes)
    return replacedAt(ours, { dataDir, place: replica.url, known: mark.known() })
  }
  return {
    /** Returns whether another server continued the data of this directory, so that this one has no more to do. */
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
    /** Makes this server primary if the place did not answer, unless it knows that another one continued its data. */
    goAlone: (): void => {
      const role = roles.current()
      if (role.name !== 'starting' || role.by !== null) return
      // nobody can have taken over at a place where this data never was
      const wasThere = mark.known()?.place === replica.url
      const by = wasThere ? replacedBefore(dataDir) : undefined
      if (by) roles.become({ name: 'replaced', by })
      else if (wasThere && !isAlone && sinceHeartbeat() < STANDBY_COUNTS)
        roles.become({ name: 'starting', by: null, isUnknown: true })
      else {
        log.warn('the place of the replica is out of reach: this server writes without knowing who else does')
        roles.become({ name: 'primary' })
      }
    },
  }
}

/** Makes a tenure that has not begun. */
export function createTenure(parts: Parts, state: State): Tenure {
  const { dataDir, litestream, packed, clock, notes, roles, publicUrl } = parts
  const { status, present } = state
  const me = meIn(dataDir, publicUrl)
  const claimed = createClaimantFinder(parts, state)
  const lease = createLease({ notes, me, now: clock.now, steady, sleep: sleepUntil, claimed })
  const roleChanges = createRoleChanges(parts, state)
  let binary: EngineBinary | null = null
  const engine = async (): Promise<EngineBinary> => {
    binary ??= await engineBinary(dataDir, { named: litestream, packed })
    return binary
  }

  /** Takes the place, and holds it until this server stops, loses it or fails. */
  async function once(signal: AbortSignal): Promise<void> {
    await endLeftEngine(dataDir)
    if (await roleChanges.isReplaced()) return
    const replaced = new AbortController()
    const taken = await lease.take(AbortSignal.any([signal, replaced.signal]), (by) => {
      roleChanges.waitFor(by)
      // the holder may have begun its history just now
      void roleChanges.isReplaced().then(
        (is) => is && replaced.abort(),
        () => {},
      )
    })
    if (signal.aborted || (await roleChanges.isReplaced())) return
    const until = await hold(parts, state, { lease, me, taken, engine }, signal)
    if (signal.aborted) return
    if (present.lost !== null) {
      status.become('down', present.lost)
      await parts.loss(present.lost, false)
    } else if (until.kind === 'taken' || until.kind === 'claimed') roleChanges.waitFor(until.by)
    else status.become('starting', 'a new history begins')
  }

  return {
    run: async (signal) => {
      const alone = setTimeout(roleChanges.goAlone, ALONE_AFTER)
      signal.addEventListener('abort', () => clearTimeout(alone), { once: true })
      while (!signal.aborted && roles.current().name !== 'replaced') {
        try {
          await once(signal)
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof TakenMeanwhile) roleChanges.waitFor(error.by)
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
