import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { HOUR } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { lapse } from './withdrawals.service.ts'
import { PAY_WITHIN } from './withdrawals.states.ts'
import { withdrawals } from './withdrawals.table.ts'

const NAME = 'withdrawals.lapse'
const DUE = statement(
  sql`SELECT ${listed({ tenantId: withdrawals.tenantId, id: withdrawals.id })} FROM ${withdrawals}
  WHERE ${withdrawals.status} = 'approved' AND ${withdrawals.approvedAt} <= ?
  ORDER BY ${withdrawals.approvedAt} LIMIT 500`,
)

/** Returns withdrawals that were not paid within seven days of their approval to the queue. RULES “Withdrawals”. */
export const lapseApprovals = defineJob({
  name: NAME,
  every: HOUR,
  run: async ({ platform, signal }) => {
    let lapsed = 0
    for (const { tenantId, id } of platform.reader.all<{ tenantId: string; id: string }>(DUE, [
      platform.clock.now() - PAY_WITHIN,
    ])) {
      if (signal.aborted) break
      lapsed += await systemCtx(platform, tenantId, NAME).write('withdrawal.lapse', (tx) => {
        const { status, approvedAt } = tx.get(withdrawals, id)
        // the withdrawal may have been paid or rejected since the search
        if (status !== 'approved' || (approvedAt !== null && tx.now - approvedAt < PAY_WITHIN)) return 0
        lapse(tx, id)
        return 1
      })
    }
    return lapsed === 0 ? null : say('jobs.approvals_lapsed', { lapsed })
  },
})
