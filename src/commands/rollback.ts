import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.ts'
import { listSnapshots } from '../modules/box/backups/backups.places.ts'
import { auditEntries } from '../modules/clients/audit/audit.table.ts'
import { countMigrations } from '../platform/db/migrate.ts'
import { statement } from '../platform/db/statement.ts'
import { openReader } from '../platform/sqlite.ts'
import type { Dialogue } from './recovery-key.ts'
import { keysFor } from './restore.ts'
import { restore } from './restore-data.ts'

const WRITES = statement(sql`SELECT count(*) AS n FROM ${auditEntries}`)

/** Returns the schema of a database, and the number of writes in its audit. */
function lookAt(path: string): { schema: number; writes: number } {
  const db = openReader(path)
  try {
    return { schema: countMigrations(db), writes: db.get<{ n: number }>(WRITES)?.n ?? 0 }
  } finally {
    db.close()
  }
}

/**
 * Restores the data from before the last upgrade, so that the former version can be started. It asks the person to type
 * how many later writes are lost. Throws a sentence, with nothing changed, for another answer, if a server runs, or if
 * there is no snapshot.
 */
export async function rollback(config: Config, dialogue: Dialogue): Promise<void> {
  const { dataDir } = config
  const snapshot = (await listSnapshots(dataDir)).find(({ reason }) => reason === 'upgrade')
  if (!snapshot)
    throw new Error(`${dataDir} has no snapshot of an upgrade. Any other can be put back with restore --snapshot.`)
  const live = lookAt(join(dataDir, 'brokerbase.db'))
  if (live.schema <= snapshot.schema)
    throw new Error(`The data is of schema ${live.schema}, as it was before the upgrade of ${snapshot.createdAt}.`)
  const { keys, keepKey } = await keysFor({}, config, dataDir, () => dialogue)
  const report = await restore({
    config,
    source: { kind: 'snapshot', name: snapshot.id },
    target: dataDir,
    keys,
    keepKey,
    replace: true,
    dryRun: false,
    asItWas: true,
    agree: async (copy) => {
      const lost = live.writes - lookAt(copy).writes
      dialogue.tell(
        `Schema ${live.schema} goes back to ${snapshot.schema}, as the data was at ${snapshot.createdAt}.\n${lost} writes since then would be lost: deposits, decisions, papers and all else that people did.\n`,
      )
      const answer = await dialogue.ask('Type that number to go on: ')
      if (answer !== String(lost)) throw new Error(`That is not ${lost}. Nothing was changed.`)
    },
    now: Date.now,
    tell: (line) => dialogue.tell(`${line}\n`),
  })
  dialogue.tell(
    `Done: the data is of schema ${snapshot.schema} again. What lay there is kept in ${report.replaced}.\nStart the version that ran before now; this one would upgrade the data once more.\n`,
  )
}
