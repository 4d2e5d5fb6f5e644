import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Static } from '@sinclair/typebox'
import { toIso } from '../../../platform/clock.ts'
import { scratchName } from '../../../platform/db/swap-data.ts'
import { LAG_ALARMS } from '../../../platform/replication/lag.ts'
import { fetchCopy, type Source } from './backups.fetch.ts'
import type { DrillOut, Proof } from './backups.model.ts'
import type { BackupParts } from './backups.parts.ts'
import { snapshotIds } from './backups.places.ts'
import { checkApart } from './check.tasks.ts'
import { compareApart } from './compare.tasks.ts'

/** Restores the newest replica and the newest snapshot beside the live data, proves both and stores the result. */
export async function drillCopies(
  parts: BackupParts,
  signal: AbortSignal | undefined,
): Promise<Static<typeof DrillOut>> {
  const { dataDir, clock, log, facts } = parts
  const [newest] = snapshotIds(dataDir, clock.now())
  const snapshot =
    newest === undefined
      ? null
      : await prove(parts, { kind: 'snapshot', name: newest }, { until: null, least: 0 }, signal)
  const replica = await proveReplica(parts, signal)
  const found = [snapshot, replica].filter((one) => one !== null)
  const drill = { at: toIso(clock.now()), ok: found.length > 0 && found.every(({ ok }) => ok), replica, snapshot }
  await facts.note(drill)
  if (!drill.ok) log.error({ faults: found.flatMap(({ faults }) => faults) }, 'a drill found copies that are no good')
  return drill
}

/** Proves that the replica has everything up to now; a command accepts the usual lag. Null without a replica. */
async function proveReplica(parts: BackupParts, signal: AbortSignal | undefined): Promise<Proof | null> {
  const { replica, replication, clock, facts } = parts
  if (!replica) return null
  // a command beside the server cannot bring the replica up to date; a replica behind the alarm's limit is no good copy
  const least = replication ? facts.countSealRenewals() : 0
  const until = replication ? await replication.reachedAt().catch(() => null) : clock.now() - LAG_ALARMS
  const lineage = replication?.seen().lineage ?? facts.lineage() ?? null
  const proof = await prove(parts, { kind: 'replica', at: null, lineage }, { until, least }, signal)
  if (until === null) {
    proof.ok = false
    proof.faults.push(`the replica is behind: ${replication?.seen().why ?? 'it did not answer'}`)
  }
  return proof
}

/** Fetches a copy beside the live data and proves it; if it cannot be fetched, the proof has a fault. */
async function prove(
  parts: BackupParts,
  source: Source,
  /** The time up to which the copy must have everything (null if unknown), and the least number of writes. */
  { until, least }: { until: number | null; least: number },
  signal: AbortSignal | undefined,
): Promise<Proof> {
  const { dataDir, replica, litestream, key, clock, facts } = parts
  const begun = performance.now()
  const seconds = (): number => Math.round((performance.now() - begun) / 10) / 100
  // the directory has its own name, since a command may run a drill beside the server's
  const scratch = mkdtempSync(join(dataDir, scratchName('drill-')))
  try {
    const { told, manifest } = await fetchCopy({ replica, dataDir, litestream }, source, {
      into: scratch,
      engineIn: dataDir,
      keys: [key()],
      signal,
    })
    const check = await checkApart({ directory: scratch, key: key(), now: clock.now(), manifest }, signal)
    const live = join(dataDir, 'brokerbase.db')
    const copy = join(scratch, 'brokerbase.db')
    const compared = { live, copy, until: until ?? 0, key: key(), least: until === null ? 0 : least }
    const differences = check.faults.length > 0 ? [] : await compareApart(compared, signal)
    // a document that the live data lacks too was lost earlier, so no copy can have it
    const gone = check.missing
      .filter(({ tenantId, fileId }) => facts.hasFile(tenantId, fileId))
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
