import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const NAMED = /^\d{4}_[a-z0-9_]+\.sql$/

/**
 * Names and texts of the files in `migrations/`, by name, and what else lies there. It is called while Bun translates
 * or bundles what imports it as a macro: the texts are in the executable, and neither this code nor the folder is
 * needed there. What a macro throws is told without its words, so that whoever imports it says what is wrong.
 */
export function migrationFiles(): { files: { name: string; sql: string }[]; strange: string[] } {
  const folder = join(import.meta.dir, '../../../migrations')
  const all = readdirSync(folder).sort()
  const files = all
    .filter((file) => NAMED.test(file))
    .map((file) => ({ name: file.slice(0, -'.sql'.length), sql: readFileSync(join(folder, file), 'utf8') }))
  return { files, strange: all.filter((file) => !NAMED.test(file)) }
}
