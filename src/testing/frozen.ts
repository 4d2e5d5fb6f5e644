import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { openBlobStore } from '../platform/db/blobs.ts'
import { type Migration, migrations } from '../platform/db/migrations.ts'
import { createSecretBox } from '../platform/secrets.ts'

/**
 * Databases that earlier programs left: each is the demo of 24 clients, made by the last build of its schema with this
 * key. They are never made again; a released schema is added when the next one begins. To make one, set CLIENTS of
 * `src/commands/demo/seed.ts` to 24 in a copy of the sources, run the demo for a minute with the key as
 * BROKERBASE_SECRET_KEY, stop it and compress `brokerbase.db` with `zstd -19`.
 */
const FOLDER = join(import.meta.dir, 'frozen')
export const FROZEN_KEY = Buffer.from("frozen key of tests, nobody's ke").toString('base64')

/** Migrations of a later program: they add a table, and a column that they fill in existing rows. */
export const nextMigrations: readonly Migration[] = [
  ...migrations,
  {
    name: '9999_next',
    sql: `CREATE TABLE next_thing (id TEXT PRIMARY KEY) STRICT;
      ALTER TABLE traders ADD COLUMN next_name TEXT;
      UPDATE traders SET next_name = first_name;`,
  },
]

/** The schemas with a stored database, the oldest first. */
export const frozenSchemas: readonly number[] = readdirSync(FOLDER)
  .flatMap((name) => /^schema-(\d+)\.db\.zst$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b)

/** Puts the database of a schema into a directory, with an empty database for uploads. */
export function thaw(schema: number, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const packed = join(FOLDER, `schema-${String(schema).padStart(2, '0')}.db.zst`)
  writeFileSync(join(dataDir, 'brokerbase.db'), zstdDecompressSync(readFileSync(packed)), { mode: 0o600 })
  openBlobStore(join(dataDir, 'files.db'), createSecretBox(Buffer.from(FROZEN_KEY, 'base64'))).close()
}
