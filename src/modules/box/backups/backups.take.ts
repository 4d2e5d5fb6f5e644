import { mkdirSync, rmSync, statSync } from 'node:fs'
import { toIso } from '../../../platform/clock.ts'
import { openStore } from '../../../platform/replication/open-store.ts'
import type { SNAPSHOT_REASONS } from './backups.archive.ts'
import type { BackupParts } from './backups.parts.ts'
import {
  clearUnfinished,
  remoteIds,
  remoteName,
  type Snapshot,
  snapshotId,
  snapshotIds,
  snapshotPath,
  snapshotsDirectory,
  superfluous,
} from './backups.places.ts'
import { packApart } from './snapshot.tasks.ts'

/** The second place of snapshots, beside the replica. */
type Away = ReturnType<typeof createAway>

/** Opens the second place of snapshots; a replica in the file system has none. */
export function createAway({ dataDir, replica, clock }: Pick<BackupParts, 'dataDir' | 'replica' | 'clock'>) {
  /** The newest snapshot while it is not at the replica. */
  let unsent: string | null = null

  return {
    unsent: (): string | null => unsent,
    /** Sends a snapshot to the replica, and removes superfluous ones there. */
    async send(id: string): Promise<void> {
      if (!replica || replica.place.kind === 'file') return
      unsent = id
      const store = openStore(replica.place, replica.keys)
      await store.upload(remoteName(id), snapshotPath(dataDir, id))
      const there = remoteIds(await store.list('snapshots'))
      for (const old of superfluous(there, clock.now())) await store.remove(remoteName(old))
      unsent = null
    },
  }
}

/** Takes a snapshot, and removes superfluous ones. */
export async function takeSnapshot(
  { dataDir, version, key, clock, log }: BackupParts,
  away: Away,
  reason: (typeof SNAPSHOT_REASONS)[number],
  signal: AbortSignal | undefined,
): Promise<Snapshot> {
  const now = clock.now()
  const id = snapshotId(now, reason)
  mkdirSync(snapshotsDirectory(dataDir), { recursive: true, mode: 0o700 })
  clearUnfinished(dataDir)
  const target = snapshotPath(dataDir, id)
  const facts = { id, createdAt: toIso(now), reason, version }
  const manifest = await packApart({ dataDir, target, key: key(), facts }, signal)
  for (const old of superfluous(snapshotIds(dataDir), clock.now())) rmSync(snapshotPath(dataDir, old), { force: true })
  await away.send(id).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`The snapshot ${id} was taken, and could not be sent beside the replica: ${why}`, { cause })
  })
  log.info({ id }, 'a snapshot was taken')
  return { ...manifest, packedBytes: statSync(target).size }
}
