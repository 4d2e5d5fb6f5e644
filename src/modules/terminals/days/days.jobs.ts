import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { perApp } from '../../../platform/capabilities.ts'
import { MINUTE, SECOND } from '../../../platform/clock.ts'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { terminalConnections } from '../connections/connections.table.ts'
import { lookAtDays } from './days.service.ts'

const NAME = 'terminals.days'

type One = { tenantId: string; id: string }
const CONFIRMED = statement(
  sql`SELECT ${listed({ tenantId: terminalConnections.tenantId, id: terminalConnections.id })}
  FROM ${terminalConnections} ${ofActiveTenant(terminalConnections.tenantId)}
  WHERE ${terminalConnections.deletedAt} IS NULL AND ${terminalConnections.confirmedAt} IS NOT NULL`,
)

/** What is written may be seen a moment after the time that it bears, so changes of so long are looked at again. */
const OVERLAP = 10 * SECOND
/** When each connection was looked at. */
const getLooked = perApp(() => new Map<string, number>())

/** Makes up the days of trading servers, and corrects them. RULES “Days of a terminal”. */
export const tellTerminalDays = defineJob({
  name: NAME,
  every: MINUTE,
  delay: 20 * SECOND,
  run: async ({ platform, signal }) => {
    const looked = getLooked(platform.capabilities)
    // what fails at one connection keeps no other from its days
    const failures: unknown[] = []
    for (const { tenantId, id } of platform.reader.all<One>(CONFIRMED, [])) {
      if (signal.aborted) break
      const ctx = systemCtx(platform, tenantId, NAME)
      const now = ctx.now()
      try {
        await lookAtDays(ctx, ctx.db.get(terminalConnections, id), looked.get(id) ?? null)
        looked.set(id, now - OVERLAP)
      } catch (error) {
        failures.push(error)
      }
    }
    const [failure] = failures
    if (failure !== undefined) throw failure
    return null
  },
})
