import { MINUTE } from '../../../platform/clock.ts'
import { noteFact, readFact } from '../../../platform/db/box-facts.ts'
import { build } from '../../../platform/embedded.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { Problem } from '../../../platform/problem.ts'
import { MARK } from '../../../platform/replication/lineage.ts'
import { LAST_DRILL, LAST_PROOF } from './backups.parts.ts'
import { type Backups, createBackups } from './backups.service.ts'
import { countSealRenewals } from './compare.tasks.ts'

const known = new WeakMap<Platform, Backups>()

/** Returns a server's backups; its routes and jobs share them. */
export function getBackups(platform: Platform): Backups {
  const backups = known.get(platform) ?? backupsBy(platform, platform.replication)
  known.set(platform, backups)
  return backups
}

/** Makes the backups of a platform; a command passes null, since it does not replicate. */
export function backupsBy(platform: Platform, replication: Platform['replication']): Backups {
  const { config, clock, log, recoveryKey, reader, connection, writer, blobs } = platform
  return createBackups({
    dataDir: config.dataDir,
    replica: config.replica,
    litestream: config.litestream,
    replication,
    key: recoveryKey.bytes,
    version: build().version,
    clock,
    log,
    facts: {
      lineage: () => {
        const mark = readFact(reader, MARK)?.value
        return mark?.place === config.replica?.url ? mark?.lineage : undefined
      },
      countSealRenewals: () => countSealRenewals(reader, recoveryKey.bytes()),
      drill: () => readFact(reader, LAST_DRILL),
      proof: () => readFact(reader, LAST_PROOF),
      note: (drill) =>
        writer.submit(
          () => {
            noteFact(connection, LAST_DRILL, drill, clock.now())
            if (drill.ok) noteFact(connection, LAST_PROOF, { at: drill.at }, clock.now())
          },
          { local: true },
        ),
      hasFile: (tenantId, fileId) => blobs.get(tenantId, fileId) !== undefined,
    },
  })
}

/** Returns null if another copy is being made: the job's next run tries again. */
const unlessBusy = async (run: () => Promise<string | null>): Promise<string | null> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Problem && error.code === 'backups.running') return null
    throw error
  }
}

/** Takes a snapshot each night. If it could not be sent to the replica, each run tries again. */
export const takeSnapshots = defineJob({
  name: 'backups.snapshot',
  every: 10 * MINUTE,
  delay: 5 * MINUTE,
  run: async ({ platform, signal }) => {
    const backups = getBackups(platform)
    return unlessBusy(async () => {
      if (backups.isDue('snapshot')) return `${(await backups.take('nightly', { signal })).id} taken`
      const sent = await backups.sendAgain()
      return sent && `${sent} put beside the replica`
    })
  },
})

/** Proves each night that the newest copies can be restored. */
export const drillBackups = defineJob({
  name: 'backups.drill',
  every: 10 * MINUTE,
  delay: 15 * MINUTE,
  run: async ({ platform, signal }) => {
    const backups = getBackups(platform)
    if (!backups.isDue('drill')) return null
    return unlessBusy(async () => {
      const { ok, replica, snapshot } = await backups.drill({ signal })
      const found = [replica, snapshot].filter((one) => one !== null)
      if (!ok) throw new Error(found.flatMap(({ faults }) => faults)[0] ?? 'there is no copy to restore')
      return `${found.length} copies proven`
    })
  },
})
