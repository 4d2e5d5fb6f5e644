import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NAMED = /^\d{4}_[a-z0-9_]+\.sql$/

/**
 * Returns the names and texts of the migrations in `migrations/`, and the names of other files there. Bun calls this as
 * a macro while it translates or bundles the importing file, so the executable has the texts and needs neither this
 * code nor the folder. A macro's error loses its message, so the importer reports what is wrong.
 */
export function migrationFiles(): { files: { name: string; sql: string }[]; strange: string[] } {
  const folder = join(import.meta.dir, '../../../migrations')
  const all = readdirSync(folder).sort()
  const files = all
    .filter((file) => NAMED.test(file))
    .map((file) => ({ name: file.slice(0, -'.sql'.length), sql: readFileSync(join(folder, file), 'utf8') }))
  return { files, strange: all.filter((file) => !NAMED.test(file)) }
}
