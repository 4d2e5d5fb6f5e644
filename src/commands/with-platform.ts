import type { Config } from '../config.ts'
import { systemClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import { openPlatform, type Platform } from '../platform/platform.ts'

/** Opens the data directory for one command and closes it after, whatever happens. Safe beside a running server. */
export async function withPlatform<T>(config: Config, run: (platform: Platform) => Promise<T>): Promise<T> {
  const platform = openPlatform({ config, clock: systemClock, log: createLog({ level: 'warn' }) })
  try {
    return await run(platform)
  } finally {
    await platform.close()
  }
}
