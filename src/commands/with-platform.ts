import type { Config } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { isHalfSwapped } from '../platform/db/swap.ts'
import { createLog } from '../platform/log.ts'
import { openPlatform, type Platform } from '../platform/platform.ts'
import { isUpgradeDue, upgradeIfDue } from './upgrade.ts'

/**
 * Opens the data directory for one command and closes it after, whatever happens. Safe beside a
 * running server: a newer program's command upgrades the database only when no server is using it.
 */
export async function withPlatform<T>(config: Config, run: (platform: Platform) => Promise<T>): Promise<T> {
  let lock: ReturnType<typeof lockDataDir> | undefined
  try {
    if (isHalfSwapped(config.dataDir))
      throw new Error(`A restore of ${config.dataDir} ended in the middle. Start the server once, or restore again.`)
    const log = createLog({ level: 'warn' })
    if (isUpgradeDue(config.dataDir)) {
      lock = lockDataDir(config.dataDir)
      await upgradeIfDue({ config, log })
    }
    const platform = openPlatform({ config, clock: systemClock, log })
    try {
      return await run(platform)
    } finally {
      await platform.close()
    }
  } finally {
    lock?.close()
  }
}
