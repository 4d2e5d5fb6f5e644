import { sql } from 'drizzle-orm'
import { systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, HOUR, SECOND } from '../../../platform/clock.ts'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { removeInBatches } from '../../../platform/jobs/housekeeping.ts'
import { defineJob, type JobRun } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { rest } from './ads.back-off.ts'
import { stepConnection } from './ads.fetch.ts'
import { adBackfills, adConnections, adNotifications } from './ads.table.ts'

const NAME = 'ads.fetch'
/** How many connections are asked at once, in all and of one firm, so that a slow platform delays no others. */
const AT_ONCE = 8
const OF_A_FIRM = 2
const LOOK_AGAIN = 200
/** Notifications are kept this long, finished or not; the platform repeats its own for 36 hours. */
const KEPT = 30 * DAY

type Due = { tenantId: string; id: string }
const ofConnection = (table: typeof adNotifications | typeof adBackfills) =>
  sql`${table.tenantId} = ${adConnections.tenantId} AND ${table.connectionId} = ${adConnections.id}
    AND ${table.nextAttemptAt} <= ?1`
const DUE = statement(
  sql`SELECT ${listed({ tenantId: adConnections.tenantId, id: adConnections.id })} FROM ${adConnections}
  ${ofActiveTenant(adConnections.tenantId)}
  WHERE ${adConnections.status} = 'active' AND ${adConnections.deletedAt} IS NULL AND ${adConnections.waitUntil} <= ?1
    AND (EXISTS (SELECT 1 FROM ${adNotifications} WHERE ${ofConnection(adNotifications)}
        AND ${adNotifications.status} = 'pending')
      OR EXISTS (SELECT 1 FROM ${adBackfills} WHERE ${ofConnection(adBackfills)}
        AND ${adBackfills.status} IN ('running', 'waiting')))
  ORDER BY ${adConnections.id}`,
)

/** Fetches waiting leads, several connections at once, until nothing is due. */
async function fetchAll({ platform, signal }: JobRun): Promise<string | null> {
  const busy = new Map<string, { tenantId: string; work: Promise<void> }>()
  const failures = new Map<string, unknown>()
  let done = 0
  let turn = 0
  const stopped = Promise.withResolvers<void>()
  const stop = () => stopped.resolve()
  const step = async ({ tenantId, id }: Due): Promise<void> => {
    const ctx = systemCtx(platform, tenantId, NAME)
    try {
      done += await stepConnection(ctx, id, signal)
    } catch (error) {
      if (signal.aborted) return
      failures.set(id, error)
      // the other connections continue, and this one pauses before it is tried again
      await rest(ctx, id).catch((cause: unknown) => platform.log.warn({ err: cause }, 'a connection could not rest'))
    }
  }
  signal.addEventListener('abort', stop)
  for (;;) {
    const due = signal.aborted ? [] : platform.reader.all<Due>(DUE, [platform.clock.now()])
    turn += 1
    const first = due.length === 0 ? 0 : turn % due.length
    for (const one of [...due.slice(first), ...due.slice(0, first)]) {
      const ofFirm = [...busy.values()].filter(({ tenantId }) => tenantId === one.tenantId).length
      if (busy.size >= AT_ONCE) break
      if (busy.has(one.id) || failures.has(one.id) || ofFirm >= OF_A_FIRM) continue
      busy.set(one.id, { tenantId: one.tenantId, work: step(one).finally(() => busy.delete(one.id)) })
    }
    if (busy.size === 0) break
    await Promise.race([...[...busy.values()].map(({ work }) => work), Bun.sleep(LOOK_AGAIN), stopped.promise])
    if (signal.aborted) await Promise.all([...busy.values()].map(({ work }) => work))
  }
  signal.removeEventListener('abort', stop)
  const [failure] = failures.values()
  if (failure !== undefined) throw failure
  return done === 0 ? null : say('jobs.leads_fetched', { done })
}

/** Fetches the leads of notifications, and the pages of backfills. RULES “Ads”. */
export const fetchAdLeads = defineJob({ name: NAME, every: SECOND, run: fetchAll })

const OLD = statement(
  sql`DELETE FROM ${adNotifications} WHERE rowid IN
  (SELECT rowid FROM ${adNotifications} WHERE ${adNotifications.createdAt} < ? LIMIT ?)`,
)

/** Removes notifications after 30 days. */
export const forgetAdNotifications = defineJob({
  name: 'ads.forget',
  every: HOUR,
  run: async (run) => {
    const removed = await removeInBatches(run, OLD, [run.platform.clock.now() - KEPT])
    return removed === 0 ? null : say('jobs.lead_notices_removed', { removed })
  },
})
