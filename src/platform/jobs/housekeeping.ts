import { say } from '../../words/say.ts'
import { DAY, HOUR, MINUTE } from '../clock.ts'
import { IDEMPOTENCY_HOURS } from '../http/front/idempotency.ts'
import type { SqlValue } from '../sqlite.ts'
import { defineJob, type JobRun } from './job.ts'

const BATCH = 500

/**
 * Runs a DELETE limited to `BATCH` rows (its last parameter) until it removes fewer, with a pause for others between
 * batches.
 */
export async function removeInBatches(
  { platform, signal }: JobRun,
  sql: string,
  params: readonly SqlValue[],
): Promise<number> {
  let removed = 0
  for (;;) {
    const count = await platform.writer.submit(() => platform.connection.run(sql, [...params, BATCH]))
    removed += count
    if (count < BATCH || signal.aborted) return removed
    await Bun.sleep(0)
  }
}

const OLD_ANSWERS = `DELETE FROM idempotency WHERE (tenant_id, principal, key) IN
  (SELECT tenant_id, principal, key FROM idempotency WHERE created_at < ? LIMIT ?)`
const OLD_RUNS = 'DELETE FROM job_runs WHERE id IN (SELECT id FROM job_runs WHERE started_at < ? LIMIT ?)'

/** Deletes idempotent answers after 24 hours and job runs after 30 days. */
export const forgetOldRows = defineJob({
  name: 'platform.forget',
  every: 10 * MINUTE,
  run: async (run) => {
    const now = run.platform.clock.now()
    const answers = await removeInBatches(run, OLD_ANSWERS, [now - IDEMPOTENCY_HOURS * HOUR])
    const runs = await removeInBatches(run, OLD_RUNS, [now - 30 * DAY])
    return answers + runs === 0 ? null : say('jobs.kept_removed', { answers, runs })
  },
})
