import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '../../../platform/clock.ts'
import { lockAnalysis } from '../../../platform/db/lock.ts'
import { build } from '../../../platform/embedded.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { say } from '../../../words/say.ts'
import { makeNight, type NightParts } from './make-night.ts'
import { getDueNight, hasNight, type NightPlace, removeOld, removePartial } from './nights.ts'

/** Collects what the files for analysis of a platform's firms are made of. */
export function collectParts(platform: Platform, at: NightPlace): Omit<NightParts, 'signal'> {
  const { config, clock, directory } = platform
  return {
    ...at,
    source: { path: join(config.dataDir, 'brokerbase.db'), isStill: false },
    firms: directory.tenants().map(({ id, slug }) => ({ id, slug })),
    withPeople: false,
    version: build().version,
    clock,
    scratch: join(config.dataDir, 'parquet'),
  }
}

/** Makes the files for analysis each night. One that failed is tried again by each run. */
export const makeNights = defineJob({
  name: 'parquet.night',
  every: 10 * MINUTE,
  delay: 10 * MINUTE,
  run: async ({ platform, signal }) => {
    const { parquet: at, dataDir } = platform.config
    if (!at) return null
    // a disk that is not mounted must not become a directory on another one
    if (at.place.kind === 'file' && !existsSync(at.place.directory))
      throw new Error(`There is no directory ${at.place.directory} for the files for analysis.`)
    const date = getDueNight(platform.clock.now())
    if (await hasNight(at, date)) return null
    const lock = lockAnalysis(dataDir)
    try {
      await removePartial(at)
      const { files, rows } = await makeNight({ ...collectParts(platform, at), signal }, date)
      await removeOld(at, date)
      return say('jobs.analysis_made', { files, rows })
    } finally {
      lock.close()
    }
  },
})
