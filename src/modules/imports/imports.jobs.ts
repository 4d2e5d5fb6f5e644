import { sql } from 'drizzle-orm'
import { type Ctx, systemCtx } from '../../platform/access/ctx.ts'
import { DAY, MINUTE, SECOND } from '../../platform/clock.ts'
import { ofActiveTenant } from '../../platform/db/directory.ts'
import { listed, statement } from '../../platform/db/statement.ts'
import { defineJob, type JobRun } from '../../platform/jobs/job.ts'
import { say } from '../../words/say.ts'
import { checkStep } from './imports.check.ts'
import { forgetTexts } from './imports.lines.ts'
import { loadStep } from './imports.load.ts'
import { postStep } from './imports.post.ts'
import { importStates } from './imports.states.ts'
import { AT_WORK, type ImportRow, imports } from './imports.table.ts'
import { undoStep } from './imports.undo.ts'

const NAME = 'imports.work'
const STEPS: Readonly<Record<(typeof AT_WORK)[number], (ctx: Ctx, row: ImportRow) => Promise<unknown>>> = {
  checking: checkStep,
  loading: loadStep,
  posting: postStep,
  undoing: undoStep,
}
const isAtWork = (status: string): status is (typeof AT_WORK)[number] => AT_WORK.some((one) => one === status)

type Due = { tenantId: string; id: string }
const DUE = statement(
  sql`SELECT ${listed({ tenantId: imports.tenantId, id: imports.id })} FROM ${imports} ${ofActiveTenant(imports.tenantId)}
  WHERE ${imports.status} IN ('checking', 'loading', 'posting', 'undoing') ORDER BY ${imports.id}`,
)

/** One step of each import in turn, so that a small firm does not wait for a large one, until none is at work. */
async function workAll({ platform, signal }: JobRun): Promise<string | null> {
  let steps = 0
  for (;;) {
    const due = platform.reader.all<Due>(DUE)
    if (due.length === 0 || signal.aborted) return steps === 0 ? null : say('jobs.import_steps', { steps })
    for (const { tenantId, id } of due) {
      if (signal.aborted) break
      const ctx = systemCtx(platform, tenantId, NAME)
      const row = ctx.db.get(imports, id)
      if (!isAtWork(row.status)) continue
      await STEPS[row.status](ctx, row)
      steps += 1
    }
  }
}

/** Checks, imports, posts and undoes files of clients by and by, from where a kill left off. RULES “Moving in”. */
export const workImports = defineJob({ name: NAME, every: SECOND, run: workAll })

/** A file that is received for longer than this lost its request with the process. */
const LOST = 30 * MINUTE
/** How long mistakes can be read of a file that made nothing. */
const KEPT = 30 * DAY
const BATCH = 1000
const RECEIVING = statement(
  sql`SELECT ${listed({ tenantId: imports.tenantId, id: imports.id })} FROM ${imports}
  WHERE ${imports.status} = 'receiving' AND ${imports.createdAt} < ?1`,
)
const OVER = statement(
  sql`SELECT ${listed({ tenantId: imports.tenantId, id: imports.id })} FROM ${imports}
  WHERE ${imports.status} IN ('checked', 'failed', 'done', 'undone') AND ${imports.finishedAt} > ?1`,
)

/** Ends files whose request a crash took, and forgets the texts of what was not imported. */
export const forgetImports = defineJob({
  name: 'imports.forget',
  every: MINUTE,
  run: async ({ platform, signal }) => {
    const now = platform.clock.now()
    let lines = 0
    for (const { tenantId, id } of platform.reader.all<Due>(RECEIVING, [now - LOST]))
      await systemCtx(platform, tenantId, 'imports.forget').write('import.received', (tx) => {
        const failure = say('imports.failure.broken')
        tx.transition(imports, id, importStates, 'failed', { failure, finishedAt: tx.now })
        return null
      })
    for (const { tenantId, id } of platform.reader.all<Due>(OVER, [now - KEPT])) {
      const ctx = systemCtx(platform, tenantId, 'imports.forget')
      for (let count = BATCH; count === BATCH && !signal.aborted; lines += count)
        count = await ctx.write('import.forget', (tx) => forgetTexts(tx, id, BATCH))
    }
    return lines === 0 ? null : say('jobs.import_forgotten', { lines })
  },
})
