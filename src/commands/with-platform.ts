import type { Config } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { lockDataDir } from '../platform/db/lock.ts'
import { isHalfSwapped } from '../platform/db/swap.ts'
import { createLog } from '../platform/log.ts'
import { openPlatform, type Platform } from '../platform/platform.ts'

/**
 * Opens the data directory for one command and closes it after, whatever happens. Safe beside a
 * running server: a newer program's command upgrades the database only when no server is using it.
 */
export async function withPlatform<T>(config: Config, run: (platform: Platform) => Promise<T>): Promise<T> {
  let lock: ReturnType<typeof lockDataDir> | undefined
  const beforeUpgrade = () => {
    lock = lockDataDir(config.dataDir)
  }
  try {
    if (isHalfSwapped(config.dataDir))
      throw new Error(`A restore of ${config.dataDir} ended in the middle. Start the server once, or restore again.`)
    const log = createLog({ level: 'warn' })
    const platform = openPlatform({ config, clock: systemClock, log, beforeUpgrade })
    try {
      return await run(platform)
    } finally {
      await platform.close()
    }
  } finally {
    lock?.close()
  }
}
