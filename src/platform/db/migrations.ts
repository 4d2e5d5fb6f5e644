import { migrationFiles } from './migration-files.ts' with { type: 'macro' }

/**
 * A migration, and other texts under which a build of the same day ran it, each with what makes it the same after. A
 * rehearsal fails where a table has fewer rows after it, unless it is one that rows are removed from on purpose.
 */
export type Migration = {
  name: string
  sql: string
  variants?: readonly { checksum: string; mend: string }[]
  removesFrom?: readonly string[]
}

// Two builds of 2026-11-22 brought other texts of these two; a database of theirs must open all the same.
const V0014 = {
  checksum: 'f6a9a7de4a5345e1b2fdc0cddeb6f08494a2da7df32f78f505aa54716973c7b1',
  mend: `ALTER TABLE account_streams ADD COLUMN reported_by TEXT;
    ALTER TABLE account_streams DROP COLUMN bridge_sequence;`,
}
const V0015 = {
  checksum: '86f7e25f513e617482b0fff6cfce53478ea928f5ec8ca847ed3d0d995a7c4af3',
  mend: `ALTER TABLE account_streams ADD COLUMN bridge_sequence INTEGER;
    ALTER TABLE account_streams DROP COLUMN reported_by;
    CREATE INDEX transfers_contradicted ON transfers (tenant_id, contradicted_at) WHERE contradicted_at IS NOT NULL;
    UPDATE position_streams SET bridge_sequence = sequence;
    UPDATE account_streams SET bridge_sequence = sequence;`,
}

const { files, strange } = migrationFiles()
// a copy, a draft or a file of an editor would run on every customer's database
if (strange.length > 0)
  throw new Error(`migrations/${strange.join(', ')}: a migration is called like 0028_what_it_brings.sql`)

/** What is to be known of a migration beside its text. */
const KNOWN: Readonly<Record<string, Omit<Migration, 'name' | 'sql'>>> = {
  '0007_papers': { removesFrom: ['job_state'] },
  '0014_whose_account': { variants: [V0014] },
  '0015_whose_word': { variants: [V0015] },
}

/**
 * Every migration in the order of its name, embedded as text. A published one is
 * never edited; the checksum in the database would refuse it.
 */
export const migrations: readonly Migration[] = files.map((file) => ({ ...file, ...KNOWN[file.name] }))
