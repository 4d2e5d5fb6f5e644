import type { Config } from '../config.ts'
import { backupsBy } from '../modules/box/backups/backups.jobs.ts'
import type { Proof } from '../modules/box/backups/backups.model.ts'
import { snapshotPath } from '../modules/box/backups/backups.places.ts'
import { MIB } from '../platform/bytes.ts'
import { withPlatform } from './with-platform.ts'

/** Takes a snapshot of the data directory, beside a server or without one; returns what to print. */
export function backupNow(config: Config): Promise<string> {
  return withPlatform(config, async (platform) => {
    const { id, packedBytes } = await backupsBy(platform, null).take('manual')
    return `${snapshotPath(config.dataDir, id)} (${(packedBytes / MIB).toFixed(1)} MiB)\n`
  })
}

const describeProof = (name: string, proof: Proof | null): string => {
  if (!proof) return `${name}: there is none\n`
  const { ok, source, seconds, faults, check } = proof
  const found = check
    ? `${check.entries} entries, ${check.auditEntries} links of the audit, ${check.papers} papers`
    : 'nothing could be read'
  return `${name}: ${ok ? 'good' : 'NOT GOOD'}, ${source}, ${found}, ${seconds} s\n${faults.map((fault) => `  ${fault}\n`).join('')}`
}

/**
 * Restores the newest replica and snapshot beside the data and proves them; returns the text to print. If a copy is bad
 * or there is no copy, prints the findings and throws.
 */
export function drillNow(config: Config, { json }: { json: boolean }, print: (text: string) => void): Promise<void> {
  return withPlatform(config, async (platform) => {
    const drill = await backupsBy(platform, null).drill()
    print(
      json
        ? `${JSON.stringify(drill, null, 1)}\n`
        : describeProof('replica ', drill.replica) + describeProof('snapshot', drill.snapshot),
    )
    const isAny = drill.replica !== null || drill.snapshot !== null
    if (!drill.ok)
      throw new Error(isAny ? 'Not every copy is good: see above.' : 'There is no copy to restore: brokerbase backup.')
  })
}
