import { existsSync } from 'node:fs'
import type { Static } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import type { Replication } from '../../../platform/replication/replication.ts'
import type { SNAPSHOT_REASONS } from './backups.archive.ts'
import { drillCopies } from './backups.drill.ts'
import { isDueAt } from './backups.due.ts'
import type { BackupsOut, DrillOut, ReplicaOut, SnapshotOut } from './backups.model.ts'
import type { BackupParts } from './backups.parts.ts'
import { isOfUpgrade, listSnapshots, type Snapshot, snapshotIds, snapshotPath, takenAt } from './backups.places.ts'
import { createAway, takeSnapshot } from './backups.take.ts'
import { createTurns, type Work } from './backups.turns.ts'

/** The work begins after `after` and fails if `after` fails; `signal` stops it. */
type Terms = { after?: Promise<unknown>; signal?: AbortSignal }

/** The backups of the whole box. */
export type Backups = {
  list(): Promise<Static<typeof BackupsOut>>
  /** Returns the last drill, and when one proved every copy good. */
  proofs(): Promise<Pick<Static<typeof BackupsOut>, 'drill' | 'provenAt'>>
  /** Throws the refusal that this work would get now: 409 while another copy is made, 507 without space. */
  demand(what: Work): void
  /** Takes a snapshot; 409 while another copy is made, 507 without space. Resolves when the snapshot exists. */
  take(reason: (typeof SNAPSHOT_REASONS)[number], terms?: Terms): Promise<Snapshot>
  /** Sends the newest snapshot to the replica if that failed before; returns its id, or null if nothing was sent. */
  sendAgain(): Promise<string | null>
  /** Restores the newest replica and the newest snapshot beside the live data and proves them. */
  drill(terms?: Terms): Promise<Static<typeof DrillOut>>
  /** Returns the path of a snapshot's file; undefined without one. */
  findPath(id: string): string | undefined
  /** Returns whether a night has passed without its snapshot or its drill. */
  isDue(what: Work): boolean
}

/** Returns the replica's state for the administrator; null if none is configured. */
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

/** Makes the backups of a box. */
export function createBackups(parts: BackupParts): Backups {
  const { dataDir, replication, clock, facts } = parts
  const turns = createTurns(dataDir)
  const away = createAway(parts)
  const proofs = async () => ({
    drill: facts.drill()?.value ?? null,
    provenAt: facts.proof()?.value.at ?? null,
  })
  return {
    demand: turns.demand,
    proofs,
    list: async () => {
      return {
        data: (await listSnapshots(dataDir)).map(snapshotOut),
        nextCursor: null,
        running: turns.running(),
        replica: replicaOut(replication),
        ...(await proofs()),
      }
    },
    take: (reason, { signal, after } = {}) =>
      turns.alone('snapshot', () => takeSnapshot(parts, away, reason, signal), after),
    sendAgain: async () => {
      const id = away.unsent()
      if (id === null || turns.running().includes('snapshot')) return null
      await turns.alone('snapshot', () => away.send(id))
      return id
    },
    drill: ({ signal, after } = {}) => turns.alone('drill', () => drillCopies(parts, signal), after),
    findPath: (id) => {
      const path = snapshotPath(dataDir, id)
      return snapshotIds(dataDir).includes(id) && existsSync(path) ? path : undefined
    },
    isDue: (what) => {
      const now = clock.now()
      if (what === 'drill') return isDueAt(what, now, facts.drill()?.at ?? null)
      // a manual snapshot counts too: only the newest of a day is kept, so a nightly one would replace it
      const newest = snapshotIds(dataDir, now).find((id) => !isOfUpgrade(id))
      return isDueAt(what, now, newest === undefined ? null : takenAt(newest))
    },
  }
}
