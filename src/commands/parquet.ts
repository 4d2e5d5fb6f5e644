import { existsSync, statSync } from 'node:fs'
import { type Config, ConfigError } from '../config.ts'
import { makeNight } from '../modules/overview/parquet/make-night.ts'
import { removeNight, removePartial } from '../modules/overview/parquet/nights.ts'
import { collectParts } from '../modules/overview/parquet/parquet.jobs.ts'
import { MIB } from '../platform/bytes.ts'
import { toIso } from '../platform/clock.ts'
import { lockAnalysis } from '../platform/db/lock.ts'
import { below } from '../platform/replication/replica-place.ts'
import { withPlatform } from './with-platform.ts'

/** The flags of `parquet`, as typed; `to` is in the configuration. */
export type ParquetFlags = { firm?: string; withPeople?: boolean }

const PEOPLE = 'These files tell of people. Erasing a client does not reach them: remove them yourself.\n'

/**
 * Writes the files for analysis of now into the place of a configuration, beside a server or without one; returns what
 * to print. Files of the same day there are replaced. `nightly` is the place of the server's own nights, which would
 * take such files for one of these.
 */
export async function writeParquet(
  { config, nightly }: { config: Config; nightly: Config['parquet'] },
  { firm, withPeople = false }: ParquetFlags,
): Promise<string> {
  const { parquet: at, dataDir } = config
  if (!at) throw new ConfigError('--to: names the directory for the files')
  const where = below(at.place)
  if (nightly && nightly.place.kind === at.place.kind && below(nightly.place) === where)
    throw new ConfigError(`--to: ${where} has the nights of the server; name another place`)
  if (at.place.kind === 'file' && existsSync(where) && !statSync(where).isDirectory())
    throw new ConfigError(`--to: ${where} is a file, and no directory`)
  return withPlatform(config, async (platform) => {
    const parts = collectParts(platform, at)
    const firms = parts.firms.filter(({ slug }) => firm === undefined || slug === firm)
    if (firms.length === 0)
      throw new Error(firm === undefined ? 'There is no firm yet.' : `There is no firm “${firm}”.`)
    const date = toIso(platform.clock.now()).slice(0, 10)
    const lock = lockAnalysis(dataDir)
    try {
      await removePartial(at)
      await removeNight(at, date)
      const { files, rows, bytes } = await makeNight({ ...parts, firms, withPeople }, date)
      const made = `${below(at.place, date)} (${files} files, ${rows} rows, ${(bytes / MIB).toFixed(1)} MiB)\n`
      return withPeople ? made + PEOPLE : made
    } finally {
      lock.close()
    }
  })
}
