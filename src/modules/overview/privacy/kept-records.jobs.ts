import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { calculateEnd } from '../../clients/kept-records/kept-records.end.ts'
import { keptRecords } from '../../clients/kept-records/kept-records.table.ts'
import { eraseRecord } from './kept-records.seal.ts'

const NAME = 'kept_records.purge'
const DUE = statement(
  sql`SELECT ${listed({ tenantId: keptRecords.tenantId, id: keptRecords.id })} FROM ${keptRecords}
  WHERE ${keptRecords.keptUntil} <= ?1`,
)

/** Erases kept records whose years are over; the firm's present setting counts if it is longer. RULES “Erasure”. */
export const purgeKeptRecords = defineJob({
  name: NAME,
  every: HOUR,
  run: async ({ platform, signal }) => {
    const now = platform.clock.now()
    let erased = 0
    for (const { tenantId, id } of platform.reader.all<{ tenantId: string; id: string }>(DUE, [now])) {
      if (signal.aborted) break
      const ctx = systemCtx(platform, tenantId, NAME)
      erased += await ctx.write('kept_record.erase', (tx) => {
        if (calculateEnd(tx.get(keptRecords, id), readFirmSettings(tx).keepYears) > tx.now) return 0
        eraseRecord(tx, id)
        return 1
      })
    }
    return erased === 0 ? null : say('jobs.records_erased', { erased })
  },
})
