import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toIso } from '../../../platform/clock.ts'
import { embedded } from '../../../platform/embedded.ts'
import { engineBinary } from '../../../platform/replication/engine-binary.ts'
import { fetchReplica } from '../../../platform/replication/fetch.ts'
import { type Found, lineageAt, otherInstallation, readHistories } from '../../../platform/replication/histories.ts'
import { createNotes } from '../../../platform/replication/notes.ts'
import { openStore } from '../../../platform/replication/open-store.ts'
import type { ReplicaSettings } from '../../../platform/replication/replica-place.ts'
import { type Manifest, unpackSnapshot } from './backups.archive.ts'
import { archiveName, newestSnapshot, remoteIds, remoteName, snapshotPath } from './backups.places.ts'

/** The source of a copy. A time is in milliseconds; null means the newest state. */
export type Source =
  | { kind: 'replica'; at: number | null; lineage: string | null }
  | { kind: 'snapshot'; name: string | null }

/** Returns the newest snapshot beside the replica; undefined without one. */
async function newestAway({ place, keys }: ReplicaSettings): Promise<string | undefined> {
  const names = await openStore(place, keys).list('snapshots')
  return remoteIds(names).sort().at(-1)
}

/** The directory of the copy, a directory for the engine, and the keys that verify what is beside the replica. */
type CopyParts = {
  into: string
  engineIn: string
  keys: readonly Uint8Array[]
  signal?: AbortSignal | undefined
}

const formatHistories = (histories: readonly Found[]): string =>
  histories
    .map(({ id, startedAt, proof }) => `${id} since ${startedAt}${proof === 'ours' ? '' : ' (named without proof)'}`)
    .join(', ')

/**
 * Returns the history that a source means. If a proven history of this box exists, a later one without proof is taken
 * only if `--history` names it.
 */
async function getHistory(
  { url, place, keys: opening }: ReplicaSettings,
  { at, lineage: named }: Source & { kind: 'replica' },
  keys: readonly Uint8Array[],
): Promise<Found> {
  const store = openStore(place, opening)
  const histories = await readHistories(store, createNotes(store, keys))
  const proven = histories.find(({ proof }) => proof === 'ours')
  const believed = histories.filter(({ id, proof }) => proof !== 'bare' || !proven || id < proven.id)
  const lineage = named === null ? lineageAt(believed, at) : histories.find(({ id }) => id === named)
  if (!lineage) {
    const lacks =
      named !== null
        ? 'has no such history'
        : at !== null
          ? `has no history of ${toIso(at)}`
          : 'has no history with a whole copy'
    throw new Error(
      `${url} ${lacks}${histories.length === 0 ? ' and no other' : `; it has ${formatHistories(histories)}`}.`,
    )
  }
  if (named !== null) return lineage
  const other = otherInstallation(believed, lineage)
  if (other)
    throw new Error(
      `${url} has histories of two installations. --history names the one that is meant: ${other.id} since ${other.startedAt}, or ${lineage.id}, which began anew at ${lineage.startedAt}.`,
    )
  // if no note was written with this key, the key is wrong, and proving the copy will say so more clearly
  if (lineage.proof === 'strange' && proven)
    throw new Error(
      `The note that names the history ${lineage.id} was not written with this key, or was changed since. --history takes one all the same: ${formatHistories(histories)}.`,
    )
  return lineage
}

/** The source of a copy as a sentence, and the snapshot's manifest; null for a replica. */
type Fetched = { told: string; manifest: Manifest | null }

/** Fetches a copy of both databases into a directory, without verifying it. */
export async function fetchCopy(
  { replica, dataDir, litestream }: { replica: ReplicaSettings | null; dataDir: string; litestream: string },
  source: Source,
  { into, engineIn, keys, signal }: CopyParts,
): Promise<Fetched> {
  if (source.kind === 'snapshot') {
    const name = source.name ?? (await newestSnapshot(dataDir))?.id ?? (replica && (await newestAway(replica)))
    if (!name) throw new Error(`There is no snapshot in ${dataDir}; name one, or a replica.`)
    const local = [name, snapshotPath(dataDir, name)].find((path) => existsSync(path))
    if (local === undefined && !replica) throw new Error(`There is no snapshot “${name}”.`)
    const fetched = join(into, archiveName('fetched'))
    if (local === undefined && replica) await openStore(replica.place, replica.keys).download(remoteName(name), fetched)
    const manifest = await unpackSnapshot(local ?? fetched, into)
    rmSync(fetched, { force: true })
    const { id, createdAt } = manifest
    // otherwise an older snapshot under the newest name would restore an old state unnoticed
    if (local !== name && id !== name) throw new Error(`What lies under the name of the snapshot ${name} is ${id}.`)
    return { told: `snapshot ${id} of ${createdAt}`, manifest }
  }
  if (!replica) throw new Error('No replica is configured: BROKERBASE_REPLICA_URL names it.')
  const lineage = await getHistory(replica, source, keys)
  const { path } = await engineBinary(engineIn, { named: litestream, packed: embedded().litestream })
  const { place, keys: opening } = replica
  await fetchReplica({ binary: path, place, keys: opening, lineage: lineage.id, at: source.at, into, signal })
  const told = `replica, history ${lineage.id} since ${lineage.startedAt}${source.at === null ? '' : ` at ${toIso(source.at)}`}`
  return { told, manifest: null }
}
