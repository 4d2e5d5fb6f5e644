import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { toIso } from '../../platform/clock.ts'
import { embedded } from '../../platform/embedded.ts'
import { engineBinary } from '../../platform/replication/engine-binary.ts'
import { fetchReplica } from '../../platform/replication/fetch.ts'
import { lineageAt, otherInstallation, readLineages } from '../../platform/replication/lineage.ts'
import { openStore } from '../../platform/replication/open-store.ts'
import type { ReplicaSettings } from '../../platform/replication/place.ts'
import { unpackSnapshot } from './backups.archive.ts'
import { archiveName, newestSnapshot, remoteIds, remoteName, snapshotPath } from './backups.places.ts'

/** Where the data comes from. A moment is in milliseconds; null is as new as it is there. */
export type Source =
  | { kind: 'replica'; at: number | null; lineage: string | null }
  | { kind: 'snapshot'; name: string | null }

/** The newest snapshot that lies beside the replica; undefined where none does. */
async function newestAway({ place, keys }: ReplicaSettings): Promise<string | undefined> {
  const names = await openStore(place, keys).list('snapshots')
  return remoteIds(names).sort().at(-1)
}

/** Fetches a copy of both databases into a directory; answers in words where it came from. */
export async function fetchCopy(
  { replica, dataDir, litestream }: { replica: ReplicaSettings | null; dataDir: string; litestream: string },
  source: Source,
  { into, engineIn, signal }: { into: string; engineIn: string; signal?: AbortSignal | undefined },
): Promise<string> {
  if (source.kind === 'snapshot') {
    const name = source.name ?? (await newestSnapshot(dataDir))?.id ?? (replica && (await newestAway(replica)))
    if (!name) throw new Error(`There is no snapshot in ${dataDir}; name one, or a replica.`)
    const local = [name, snapshotPath(dataDir, name)].find((path) => existsSync(path))
    if (local === undefined && !replica) throw new Error(`There is no snapshot “${name}”.`)
    const fetched = join(into, archiveName('fetched'))
    if (local === undefined && replica) await openStore(replica.place, replica.keys).download(remoteName(name), fetched)
    const { id, createdAt } = await unpackSnapshot(local ?? fetched, into)
    rmSync(fetched, { force: true })
    return `snapshot ${id} of ${createdAt}`
  }
  if (!replica) throw new Error('No replica is configured: BROKERBASE_REPLICA_URL names it.')
  const lineages = await readLineages(openStore(replica.place, replica.keys))
  const lineage =
    source.lineage === null ? lineageAt(lineages, source.at) : lineages.find(({ id }) => id === source.lineage)
  if (!lineage) {
    const known = lineages.map(({ id, startedAt }) => `${id} since ${startedAt}`).join(', ')
    const lacks =
      source.lineage !== null
        ? 'has no such history'
        : source.at !== null
          ? `has no history of ${toIso(source.at)}`
          : 'has no history with a whole copy'
    throw new Error(`${replica.url} ${lacks}${known === '' ? ' and no other' : `; it has ${known}`}.`)
  }
  const other = source.lineage === null ? otherInstallation(lineages, lineage) : undefined
  if (other)
    throw new Error(
      `${replica.url} has histories of two installations. --history names the one that is meant: ${other.id} since ${other.startedAt}, or ${lineage.id}, which began anew at ${lineage.startedAt}.`,
    )
  const { path } = await engineBinary(engineIn, { named: litestream, packed: embedded().litestream })
  const { place, keys } = replica
  await fetchReplica({ binary: path, place, keys, lineage: lineage.id, at: source.at, into, signal })
  return `replica, history ${lineage.id} since ${lineage.startedAt}${source.at === null ? '' : ` at ${toIso(source.at)}`}`
}
