import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Names and texts of the files in `migrations/`, by name. It is called while Bun translates or bundles what imports it
 * as a macro: the texts are in the executable, and neither this code nor the folder is needed there.
 */
export function migrationFiles(): { name: string; sql: string }[] {
  const folder = join(import.meta.dir, '../../../migrations')
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files
    .sort()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), sql: readFileSync(join(folder, file), 'utf8') }))
}
