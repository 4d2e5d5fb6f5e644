import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { MINUTE } from '../../../platform/clock.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Platform } from '../../../platform/platform.ts'
import { say } from '../../../words/say.ts'
import { getSlaStanding, readPolicies } from './sla.ts'
import { tickets } from './support.table.ts'

const NAME = 'support.sla'
const BATCH = 500
const CANDIDATES = statement(
  sql`SELECT ${listed({ tenantId: tickets.tenantId, id: tickets.id, due: tickets.dueOrder })} FROM ${tickets}
  WHERE ${tickets.status} = 'open' AND ${tickets.breachedAt} IS NULL
    AND (${tickets.dueOrder}, ${tickets.tenantId}, ${tickets.id}) > (?1, ?2, ?3)
    AND (${tickets.warnedAt} IS NULL OR ${tickets.dueOrder} <= ?4)
  ORDER BY ${tickets.dueOrder}, ${tickets.tenantId}, ${tickets.id} LIMIT ${sql.raw(String(BATCH))}`,
)
type Candidate = { tenantId: string; id: string; due: number }

/** Yields tickets that may be due for a note, the earliest deadline first; other requests run between batches. */
async function* candidates(platform: Platform): AsyncGenerator<Candidate> {
  const now = platform.clock.now()
  let last: Candidate = { tenantId: '', id: '', due: Number.MIN_SAFE_INTEGER }
  for (;;) {
    const batch = platform.reader.all<Candidate>(CANDIDATES, [last.due, last.tenantId, last.id, now])
    yield* batch
    const end = batch.at(-1)
    if (batch.length < BATCH || !end) return
    last = end
    await Bun.sleep(0)
  }
}

/** Notes once on each ticket that 75 % of its time are over, and once that its deadline has passed. RULES “Support”. */
export const watchSla = defineJob({
  name: NAME,
  every: MINUTE,
  run: async ({ platform, signal }) => {
    let noted = 0
    for await (const { tenantId, id } of candidates(platform)) {
      if (signal.aborted) break
      const ctx = systemCtx(platform, tenantId, NAME)
      const ticket = ctx.db.find(tickets, { id })
      if (!ticket) continue
      const state = getSlaStanding(readPolicies(ctx.db), ticket, ctx.now())
      if (state === 'fine' || (state === 'warning' && ticket.warnedAt !== null)) continue
      await ctx.write('ticket.sla', (tx) => {
        const now = tx.get(tickets, id)
        const breached = getSlaStanding(readPolicies(tx), now, tx.now) === 'breached'
        if (breached && now.breachedAt === null)
          tx.update(tickets, id, { breachedAt: tx.now }, { action: 'ticket.sla_breached' })
        else if (now.warnedAt === null) tx.update(tickets, id, { warnedAt: tx.now }, { action: 'ticket.sla_warning' })
        return null
      })
      noted += 1
    }
    return noted === 0 ? null : say('jobs.tickets_noted', { noted })
  },
})
