import { migrationFiles } from './migration-files.ts' with { type: 'macro' }

/** A migration. Its rehearsal fails if a table has fewer rows after it, unless it declares to remove some. */
export type Migration = { name: string; sql: string; removesFrom?: readonly string[] }

const { files, strange } = migrationFiles()
// a copy, a draft or a file of an editor would run on every customer's database
if (strange.length > 0)
  throw new Error(`migrations/${strange.join(', ')}: a migration is called like 0002_what_it_brings.sql`)

/** The tables from which a migration removes rows, by its name. */
const REMOVES_FROM: Readonly<Record<string, readonly string[]>> = {}

/**
 * Every migration in the order of its name, embedded as text. A published one is never edited; the checksum in the
 * database would refuse it.
 */
export const migrations: readonly Migration[] = files.map((file) => ({
  ...file,
  removesFrom: REMOVES_FROM[file.name] ?? [],
}))
