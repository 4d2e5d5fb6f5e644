import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { files } from './files.table.ts'

const DUE = statement(
  sql`SELECT ${listed({ tenantId: files.tenantId, id: files.id })} FROM ${files}
  WHERE ${files.status} <> 'attached' AND ${files.expiresAt} <= ? ORDER BY ${files.expiresAt} LIMIT 500`,
)

/** A download that began before the file was released may still be running for this long. */
const GRACE = 5 * MINUTE

/** Removes uploads whose bytes never arrived, that were never attached, or that were released. */
export const purgeFiles = defineJob({
  name: 'files.purge',
  every: 5 * MINUTE,
  run: async ({ platform, signal }) => {
    const due = platform.reader.all<{ tenantId: string; id: string }>(DUE, [platform.clock.now() - GRACE])
    for (const { tenantId, id } of due) {
      if (signal.aborted) break
      // the bytes go first: if the job stops in between, the row is still there for the next run
      platform.blobs.remove(tenantId, id)
      await systemCtx(platform, tenantId, 'files').write('file.purge', (tx) => tx.remove(files, id))
    }
    return due.length === 0 ? null : say('jobs.files_removed', { removed: due.length })
  },
})
