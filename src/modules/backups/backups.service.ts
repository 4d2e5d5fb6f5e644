import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { type Clock, DAY, HOUR, toIso } from '../../platform/clock.ts'
import type { BoxFact } from '../../platform/db/box-facts.ts'
import { lockCopies } from '../../platform/db/lock.ts'
import { scratchName } from '../../platform/db/swap.ts'
import { defineErrors } from '../../platform/http/problem.ts'
import type { Log } from '../../platform/log.ts'
import { openStore } from '../../platform/replication/open-store.ts'
import type { ReplicaSettings } from '../../platform/replication/place.ts'
import { LAG_ALARMS, type Replication } from '../../platform/replication/replication.ts'
import { say } from '../../words/say.ts'
import type { SNAPSHOT_REASONS } from './backups.archive.ts'
import { fetchCopy, type Source } from './backups.fetch.ts'
import {
  type BackupsOut,
  DrillOut,
  type Proof,
  type ReplicaOut,
  type SnapshotOut,
  type WorkWord,
} from './backups.model.ts'
import {
  clearOldCopies,
  clearUnfinished,
  hasRoomForCopy,
  isOfUpgrade,
  listSnapshots,
  remoteIds,
  remoteName,
  type Snapshot,
  snapshotId,
  snapshotIds,
  snapshotPath,
  snapshotsDirectory,
  superfluous,
  takenAt,
} from './backups.places.ts'
import { checkApart } from './check.tasks.ts'
import { compareApart } from './compare.tasks.ts'
import { packApart } from './snapshot.tasks.ts'

const backupErrors = defineErrors('backups', {
  running: [409, say('system.error.running'), say('system.todo.running')],
  no_room: [507, say('system.error.no_room'), say('system.todo.no_room')],
})

/** The last drill, and the last one that proved every copy good. */
export const LAST_DRILL: BoxFact<typeof DrillOut> = { name: 'last drill', shape: DrillOut }
const Proven = Type.Object({ at: Type.String() })
export const LAST_PROOF: BoxFact<typeof Proven> = { name: 'last proof', shape: Proven }

/** At this hour, UTC, the copies of a night are made. */
const NIGHT = 2 * HOUR

/** What the copies of an installation are made of. */
type BackupParts = {
  dataDir: string
  replica: ReplicaSettings | null
  litestream: string
  /** What replicates in this process; null where nothing does. */
  replication: Replication | null
  key: () => Uint8Array
  version: string
  clock: Clock
  log: Log
  facts: {
    /** The history of this installation at the place of its replica; undefined where it never replicated there. */
    lineage(): string | undefined
    drill(): { value: Static<typeof DrillOut>; at: number } | undefined
    proof(): { value: Static<typeof Proven>; at: number } | undefined
    note(drill: Static<typeof DrillOut>): Promise<void>
    /** Whether the live data has the bytes of a paper. */
    hasPaper(tenantId: string, fileId: string): boolean
  }
}

/** What is done with the copies: a snapshot is taken, or a drill proves them; one waits for the other. */
export type Work = Static<typeof WorkWord>

/** A copy is begun after `after`, and fails where that fails; `signal` breaks it off. */
type Terms = { after?: Promise<unknown>; signal?: AbortSignal }

/** Copies of the whole installation: taken, kept, proven. */
export type Backups = {
  list(): Promise<Static<typeof BackupsOut>>
  /** The last drill, and when one proved every copy good. */
  proofs(): Promise<Pick<Static<typeof BackupsOut>, 'drill' | 'provenAt'>>
  /** Throws what would refuse a snapshot or a drill now: 409 while another copy is made, 507 without room. */
  demand(what: Work): void
  /** Takes a snapshot; 409 while another thing is done, 507 without room. Resolves when it is there. */
  take(reason: (typeof SNAPSHOT_REASONS)[number], terms?: Terms): Promise<Snapshot>
  /** Puts the newest snapshot beside the replica where the try after its making failed; its id, null without one. */
  sendAgain(): Promise<string | null>
  /** Restores the newest replica and the newest snapshot beside the data and proves them. */
  drill(terms?: Terms): Promise<Static<typeof DrillOut>>
  /** The file of a snapshot; undefined where there is none. */
  pathOf(id: string): string | undefined
  /** Whether a night has passed without its snapshot, or its drill. */
  isDue(what: Work): boolean
}

/** The replica as the administrator sees it; null where none is configured. */
export function replicaOut(replication: Replication | null): Static<typeof ReplicaOut> | null {
  if (!replication) return null
  const { url, state, why, lineage, databases } = replication.seen()
  const synced = databases.map(({ syncedAt }) => syncedAt)
  const oldest = synced.includes(null) ? null : Math.min(...synced.map((at) => at ?? 0))
  return {
    url,
    state,
    why,
    history: lineage,
    lagSeconds: Math.max(...databases.map(({ lagMs }) => lagMs)) / 1000,
    syncedAt: oldest === null ? null : toIso(oldest),
  }
}

const snapshotOut = ({
  id,
  createdAt,
  reason,
  schema,
  version,
  parts,
  packedBytes,
}: Snapshot): Static<typeof SnapshotOut> => ({
  id,
  createdAt,
  reason,
  schema,
  version,
  bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
  packedBytes,
})

/** The last moment at which the copies of a night were due. */
const lastNight = (now: number): number => Math.floor((now - NIGHT) / DAY) * DAY + NIGHT

/** The copies of an installation, made of what it has. */
export function createBackups(parts: BackupParts): Backups {
  const { dataDir, replica, litestream, replication, key, version, clock, log, facts } = parts
  const running = new Set<Work>()
  let last: Promise<unknown> = Promise.resolve()
  /** The newest snapshot, while it is still to be brought to the replica. */
  let unsent: string | null = null

  /** Refuses what is being done or waits already, and what there is no room for. */
  function demand(what: Work): void {
    if (running.has(what)) throw backupErrors.running()
    if (!hasRoomForCopy(dataDir)) throw backupErrors.no_room()
  }
  async function alone<T>(what: Work, run: () => Promise<T>, after?: Promise<unknown>): Promise<T> {
    demand(what)
    running.add(what)
    const locked = async (): Promise<T> => {
      await after
      // a command beside the server makes copies too, in the same places
      const lock = lockCopies(dataDir, () => backupErrors.running())
      return run().finally(() => lock.close())
    }
    const mine = last.then(locked).finally(() => running.delete(what))
    last = mine.catch(() => {})
    return mine
  }

  /** Brings a second path of its own: where the replica is elsewhere, it gets the snapshot as well. */
  async function sendAway(id: string): Promise<void> {
    if (!replica || replica.place.kind === 'file') return
    unsent = id
    const store = openStore(replica.place, replica.keys)
    await store.upload(remoteName(id), snapshotPath(dataDir, id))
    const there = remoteIds(await store.list('snapshots'))
    for (const old of superfluous(there, clock.now())) await store.remove(remoteName(old))
    unsent = null
  }

  async function prove(source: Source, until: number | null, signal: AbortSignal | undefined): Promise<Proof> {
    const begun = performance.now()
    const seconds = (): number => Math.round((performance.now() - begun) / 10) / 100
    // a command may make a drill beside the one of the server
    const scratch = mkdtempSync(join(dataDir, scratchName('drill-')))
    try {
      const told = await fetchCopy({ replica, dataDir, litestream }, source, {
        into: scratch,
        engineIn: dataDir,
        signal,
      })
      const check = await checkApart({ directory: scratch, key: key(), now: clock.now() }, signal)
      const live = join(dataDir, 'brokerbase.db')
      const copy = join(scratch, 'brokerbase.db')
      const differences = check.faults.length > 0 ? [] : await compareApart({ live, copy, until: until ?? 0 }, signal)
      // what the live data lacks as well was lost before, and no copy can have it
      const gone = check.missing
        .filter(({ tenantId, fileId }) => facts.hasPaper(tenantId, fileId))
        .map(({ fileId }) => `the paper ${fileId} is not in the copy`)
      const faults = [...check.faults, ...differences, ...gone].slice(0, 50)
      return { source: told, ok: faults.length === 0, seconds: seconds(), faults, check }
    } catch (error) {
      if (signal?.aborted) throw error
      const fault = error instanceof Error ? error.message : String(error)
      return { source: source.kind, ok: false, seconds: seconds(), faults: [fault], check: null }
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  }

  const proofs = async () => ({
    drill: facts.drill()?.value ?? null,
    provenAt: facts.proof()?.value.at ?? null,
  })
  return {
    demand,
    proofs,
    list: async () => {
      return {
        data: (await listSnapshots(dataDir)).map(snapshotOut),
        nextCursor: null,
        running: [...running],
        replica: replicaOut(replication),
        ...(await proofs()),
      }
    },
    take: (reason, { signal, after } = {}) => {
      const taken = async (): Promise<Snapshot> => {
        const now = clock.now()
        const id = snapshotId(now, reason)
        mkdirSync(snapshotsDirectory(dataDir), { recursive: true, mode: 0o700 })
        clearUnfinished(dataDir)
        clearOldCopies(dataDir, now)
        const target = snapshotPath(dataDir, id)
        const manifest = await packApart(
          { dataDir, target, facts: { id, createdAt: toIso(now), reason, version } },
          signal,
        )
        for (const old of superfluous(snapshotIds(dataDir), clock.now()))
          rmSync(snapshotPath(dataDir, old), { force: true })
        await sendAway(id).catch((cause: unknown) => {
          const why = cause instanceof Error ? cause.message : String(cause)
          throw new Error(`The snapshot ${id} was taken, and could not be sent beside the replica: ${why}`, { cause })
        })
        log.info({ id }, 'a snapshot was taken')
        return { ...manifest, packedBytes: statSync(target).size }
      }
      return alone('snapshot', taken, after)
    },
    sendAgain: async () => {
      const id = unsent
      if (id === null || running.has('snapshot')) return null
      await alone('snapshot', () => sendAway(id))
      return id
    },
    drill: ({ signal, after } = {}) => {
      const proven = async (): Promise<Static<typeof DrillOut>> => {
        const [newest] = snapshotIds(dataDir, clock.now())
        const snapshot = newest === undefined ? null : await prove({ kind: 'snapshot', name: newest }, null, signal)
        let proof: Proof | null = null
        if (replica) {
          // a command cannot bring the replica up to now; one that is further behind than this is no good copy
          const until = replication ? await replication.reachedAt().catch(() => null) : clock.now() - LAG_ALARMS
          const lineage = replication?.seen().lineage ?? facts.lineage() ?? null
          proof = await prove({ kind: 'replica', at: null, lineage }, until, signal)
          if (until === null) {
            proof.ok = false
            proof.faults.push(`the replica is behind: ${replication?.seen().why ?? 'it did not answer'}`)
          }
        }
        const found = [snapshot, proof].filter((one) => one !== null)
        const drill = {
          at: toIso(clock.now()),
          ok: found.length > 0 && found.every(({ ok }) => ok),
          replica: proof,
          snapshot,
        }
        await facts.note(drill)
        if (!drill.ok)
          log.error({ faults: found.flatMap(({ faults }) => faults) }, 'a drill found copies that are no good')
        return drill
      }
      return alone('drill', proven, after)
    },
    pathOf: (id) => {
      const path = snapshotPath(dataDir, id)
      return snapshotIds(dataDir).includes(id) && existsSync(path) ? path : undefined
    },
    isDue: (what) => {
      const now = clock.now()
      const night = lastNight(now)
      // what a wrong clock dated later than now stands for no night
      const isOver = (at: number, due: number): boolean => at >= due && at <= now
      if (what === 'drill') return !isOver(facts.drill()?.at ?? 0, night + HOUR) && now >= night + HOUR
      // one that was asked for does as well: of a day the newest stays, and a nightly one would replace it
      const newest = snapshotIds(dataDir, now).find((id) => !isOfUpgrade(id))
      return newest === undefined || !isOver(takenAt(newest), night)
    },
  }
}
