import { systemCtx } from '../../platform/access/ctx.ts'
import { DAY, MINUTE } from '../../platform/clock.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { readPolicies, standing } from './sla.ts'
import { tickets } from './support.table.ts'

const NAME = 'support.sla'
// warnings come at 75 % of the time; the longest default is 72 working hours, so a week ahead is enough to look
const AHEAD = 14 * DAY
const CANDIDATES = `SELECT tenant_id AS tenantId, id FROM tickets WHERE status = 'open' AND breached_at IS NULL
  AND ((first_replied_at IS NULL AND first_reply_due_at <= ?1) OR resolution_due_at <= ?1) LIMIT 500`

/** Notes on each ticket when it is at 75 % of its time and when its deadline has passed, once each. rules.md “Support”. */
export const watchSla = defineJob({
  name: NAME,
  every: MINUTE,
  run: async ({ platform, signal }) => {
    const due = platform.reader.all<{ tenantId: string; id: string }>(CANDIDATES, [platform.clock.now() + AHEAD])
    let noted = 0
    for (const { tenantId, id } of due) {
      if (signal.aborted) break
      const ctx = systemCtx(platform, tenantId, NAME)
      const ticket = ctx.db.find(tickets, { id })
      if (!ticket) continue
      const state = standing(readPolicies(ctx.db), ticket, ctx.now())
      if (state === 'fine' || (state === 'warning' && ticket.warnedAt !== null)) continue
      await ctx.write('ticket.sla', (tx) => {
        const now = tx.get(tickets, id)
        const breached = standing(readPolicies(tx), now, tx.now) === 'breached'
        if (breached && now.breachedAt === null)
          tx.update(tickets, id, { breachedAt: tx.now }, { action: 'ticket.sla_breached' })
        else if (now.warnedAt === null) tx.update(tickets, id, { warnedAt: tx.now }, { action: 'ticket.sla_warning' })
        return null
      })
      noted += 1
    }
    return noted === 0 ? null : `${noted} tickets noted`
  },
})
