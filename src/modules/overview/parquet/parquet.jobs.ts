import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '../../../platform/clock.ts'
import { lockAnalysis } from '../../../platform/db/lock.ts'
import { build } from '../../../platform/embedded.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { FOLLOWED_FOR, readHeartbeat } from '../../../platform/replication/heartbeat.ts'
import { say } from '../../../words/say.ts'
import { makeNight, type NightParts } from './make-night.ts'
import { getDueNight, hasNight, type NightPlace, removeOld, removePartial } from './nights.ts'

/** Collects what the files for analysis of a platform's firms are made of; `still` is the copy of a standby. */
export function collectParts(platform: Platform, at: NightPlace, still?: string): Omit<NightParts, 'signal'> {
  const { config, clock, directory } = platform
  return {
    ...at,
    source: { path: still ?? join(config.dataDir, 'brokerbase.db'), isStill: still !== undefined },
    firms: directory.tenants().map(({ id, slug }) => ({ id, slug })),
    withPeople: false,
    version: build().version,
    clock,
    scratch: join(config.dataDir, 'parquet'),
  }
}

/** Returns whether a standby follows this server, which then makes the files. */
function isFollowed({ standby, reader, clock }: Platform): boolean {
  const beat = standby ? undefined : readHeartbeat(reader)
  return beat !== undefined && clock.now() - beat.at < FOLLOWED_FOR
}

/** Makes a night from the database, or on a standby from its newest copy, which must not be too old. */
async function makeHere(platform: Platform, at: NightPlace, date: string, signal: AbortSignal) {
  const { standby } = platform
  if (!standby) return makeNight({ ...collectParts(platform, at), signal }, date)
  await standby.freshen()
  standby.demandReadable()
  const { path, release } = standby.hold()
  return makeNight({ ...collectParts(platform, at, path), signal }, date).finally(release)
}

/** Makes the files for analysis each night. One that failed is tried again by each run. */
export const makeNights = defineJob({
  name: 'parquet.night',
  every: 10 * MINUTE,
  delay: 10 * MINUTE,
  onStandby: true,
  run: async ({ platform, signal }) => {
    const { parquet: at, dataDir } = platform.config
    if (!at || isFollowed(platform)) return null
    // a disk that is not mounted must not become a directory on another one
    if (at.place.kind === 'file' && !existsSync(at.place.directory))
      throw new Error(`There is no directory ${at.place.directory} for the files for analysis.`)
    const date = getDueNight(platform.clock.now())
    if (await hasNight(at, date)) return null
    const lock = lockAnalysis(dataDir)
    try {
      await removePartial(at)
      const { files, rows } = await makeHere(platform, at, date, signal)
      await removeOld(at, date)
      return say('jobs.analysis_made', { files, rows })
    } finally {
      lock.close()
    }
  },
})
