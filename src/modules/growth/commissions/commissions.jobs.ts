import { type Ctx, systemCtx } from '../../../platform/access/ctx.ts'
import { SECOND } from '../../../platform/clock.ts'
import { tenantIds } from '../../../platform/db/directory.ts'
import { defineJob, type JobRun } from '../../../platform/jobs/job.ts'
import { say } from '../../../words/say.ts'
import { readFirmSettings } from '../../base/firm-settings/firm-settings.ts'
import { type RunRow, commissionRuns as runs } from './commissions.table.ts'
import { computeBatch, runTotals } from './commissions.tasks.ts'
import { closeRun, LINES_A_WRITE, nextOrder, noteFailure, noteProgress, writeLines } from './runs.service.ts'

const NAME = 'commissions.run'

/** Continues a run until it is closed or the process stops; each batch is written before the next one is computed. */
async function finish({ platform, signal }: JobRun, tenantId: string, id: string): Promise<void> {
  const ctx = systemCtx(platform, tenantId, NAME)
  while (!signal.aborted) {
    const run = ctx.db.get(runs, id)
    if (run.phase === 'close')
      return void (await closeRun(ctx, run, run.dryRun ? [] : await runTotals(ctx, id, signal)))
    const { timeZone } = readFirmSettings(ctx.db)
    const found = await computeBatch(ctx, nextOrder(ctx.db, run, timeZone), signal)
    for (let at = 0; at < found.lines.length; at += LINES_A_WRITE) {
      if (signal.aborted) return
      const part = found.lines.slice(at, at + LINES_A_WRITE)
      await ctx.write('commissions.lines', (tx) => writeLines(tx, id, part))
      await Bun.sleep(0)
    }
    await ctx.write('commissions.progress', (tx) => noteProgress(tx, run, found))
  }
}

const waitingIn = (ctx: Ctx): RunRow | undefined => ctx.db.find(runs, { status: 'computing' }, { orderBy: 'createdAt' })

/** Computes requested runs, for each firm one after the other. A failed run is tried again. */
export const runCommissions = defineJob({
  name: NAME,
  every: 2 * SECOND,
  run: async (run) => {
    const { platform, signal } = run
    let done = 0
    for (const tenantId of tenantIds(platform.reader)) {
      const ctx = systemCtx(platform, tenantId, NAME)
      // a later run of the firm builds on the results of an earlier one
      for (let next = waitingIn(ctx); next && !signal.aborted; next = waitingIn(ctx)) {
        const { id } = next
        try {
          await finish(run, tenantId, id)
          if (!signal.aborted) done += 1
        } catch (error) {
          if (signal.aborted) break
          platform.log.error({ err: error, tenantId, run: id }, 'a commission run stands still')
          const why = error instanceof Error ? error.message : String(error)
          await ctx.write('commissions.failed', (tx) => noteFailure(tx, id, why))
          break
        }
      }
    }
    return done === 0 ? null : say('jobs.commissions_finished', { done })
  },
})
