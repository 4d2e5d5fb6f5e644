import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { handOver } from '../platform/db/change-owner.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { type Migration, migrations } from '../platform/db/migrations.ts'
import { isHalfSwapped } from '../platform/db/swap-data.ts'
import { mustBeUsable } from '../platform/file-rights.ts'
import { createLog } from '../platform/log.ts'
import { openPlatform, type Platform } from '../platform/platform.ts'
import { isOfStandby } from './standby-directory.ts'
import { isUpgradeDue, upgradeIfDue } from './upgrade.ts'

/**
 * Opens the data directory for one command and closes it after. It is safe beside a running server: the command of a
 * newer program upgrades the database only if no server uses it. Refuses a directory without data unless `mayFound`,
 * since opening one creates an empty installation. A drill of its copies would pass, and its new key opens nothing
 * else.
 */
export async function withPlatform<T>(
  config: Config,
  run: (platform: Platform) => Promise<T>,
  // `list` is for tests: the migrations of another program than this one
  { mayFound = false, list = migrations }: { mayFound?: boolean; list?: readonly Migration[] } = {},
): Promise<T> {
  const { dataDir } = config
  let lock: ReturnType<typeof lockDataDir> | undefined
  try {
    if (isHalfSwapped(dataDir))
      throw new Error(`A restore of ${dataDir} ended in the middle. Start the server once, or restore again.`)
    // a database beside the copies would keep the standby from starting again
    if (isOfStandby(dataDir))
      throw new Error(`${dataDir} is that of a standby, which has no data of its own. Run this where the server runs.`)
    const path = join(dataDir, 'brokerbase.db')
    mustBeUsable(path, { writes: true })
    if (!mayFound && !existsSync(path))
      throw new Error(`There is no data in ${dataDir}. --data-dir or BROKERBASE_DATA_DIR names its directory.`)
    const log = createLog({ level: 'warn' })
    if (isUpgradeDue(dataDir, list)) {
      lock = lockDataDir(dataDir)
      await upgradeIfDue({ config, log, list })
    }
    const platform = openPlatform({ config, clock: systemClock, log, list })
    try {
      return await run(platform)
    } finally {
      await platform.close()
    }
  } finally {
    handOver(config.dataDir)
    lock?.close()
  }
}
