import type { Config } from '../config.ts'
import { withPlatform } from './with-platform.ts'

/** Migrates the database to this program's schema (serving does the same at start) and returns its version. */
export const migrateNow = (config: Config): Promise<string> =>
  withPlatform(
    config,
    async (platform) => {
      const applied = platform.reader.all<{ version: number; name: string; appliedAt: number }>(
        'SELECT version, name, applied_at AS appliedAt FROM schema_migrations ORDER BY version',
      )
      return applied
        .map(({ version, name, appliedAt }) => `${version}  ${name}  ${new Date(appliedAt).toISOString()}\n`)
        .join('')
    },
    { mayFound: true },
  )
