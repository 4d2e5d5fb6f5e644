import { sql } from 'drizzle-orm'
import { type Ctx, systemCtx } from '../../../platform/access/ctx.ts'
import { DAY, MINUTE, SECOND } from '../../../platform/clock.ts'
import { ofActiveTenant } from '../../../platform/db/directory.ts'
import { listed, statement } from '../../../platform/db/statement.ts'
import { defineJob, type JobRun } from '../../../platform/jobs/job.ts'
import { type Language, pickLanguage } from '../../../words/language.ts'
import { IMPORT_DAYS } from '../../../words/rule-figures.ts'
import { inLanguage, say } from '../../../words/say.ts'
import { users } from '../../firm/users/users.table.ts'
import { checkStep } from './imports.check.ts'
import { forgetLines } from './imports.forget.ts'
import { loadStep } from './imports.load.ts'
import { postStep } from './imports.post.ts'
import { failReceiving, isReceived } from './imports.receive.ts'
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

/** Mistakes are kept as texts, in the language of whoever brought the file and mends them. */
const findLanguage = (ctx: Ctx, { createdBy }: ImportRow): Language =>
  pickLanguage(ctx.db.find(users, { id: createdBy ?? '' })?.locale)

type Due = { tenantId: string; id: string }
const DUE = statement(
  sql`SELECT ${listed({ tenantId: imports.tenantId, id: imports.id })} FROM ${imports} ${ofActiveTenant(imports.tenantId)}
  WHERE ${imports.status} IN ('checking', 'loading', 'posting', 'undoing') ORDER BY ${imports.id}`,
)

/**
 * Does one step of each import in turn until none is left, so that a small firm does not wait for a large one. A failed
 * import waits for the next run, and the others continue.
 */
async function workAll({ platform, signal }: JobRun): Promise<string | null> {
  const failures = new Map<string, unknown>()
  let steps = 0
  const step = async ({ tenantId, id }: Due): Promise<void> => {
    const ctx = systemCtx(platform, tenantId, NAME)
    const row = ctx.db.get(imports, id)
    if (!isAtWork(row.status)) return
    const { status } = row
    await inLanguage(findLanguage(ctx, row), () => STEPS[status](ctx, row))
    steps += 1
  }
  for (;;) {
    const due = platform.reader.all<Due>(DUE).filter(({ id }) => !failures.has(id))
    if (due.length === 0 || signal.aborted) break
    for (const one of due) {
      if (signal.aborted) break
      await step(one).catch((error: unknown) => failures.set(one.id, error))
    }
  }
  const [failure] = failures.values()
  if (failure !== undefined) throw failure
  return steps === 0 ? null : say('jobs.import_steps', { steps })
}

/** Checks, imports, posts and undoes files of clients step by step, and continues after a kill. RULES “Moving in”. */
export const workImports = defineJob({ name: NAME, every: SECOND, run: workAll })

/** Mistakes of a file that made nothing can be read this long. */
const KEPT = IMPORT_DAYS * DAY
const BATCH = 1000
const RECEIVING = statement(
  sql`SELECT ${listed({ tenantId: imports.tenantId, id: imports.id })} FROM ${imports}
  WHERE ${imports.status} = 'receiving'`,
)
const OVER = statement(
  sql`SELECT ${listed({ tenantId: imports.tenantId, id: imports.id, forgotten: imports.forgotten })} FROM ${imports}
  WHERE (${imports.status} IN ('checked', 'failed', 'done', 'undone')
      AND ${imports.forgotten} < iif(${imports.finishedAt} > ?1, 1, 2))
    OR (${imports.status} = 'loaded' AND ${imports.forgotten} = 0)`,
)

/** Ends files whose request was lost in a crash, and removes lines that made nothing. */
export const forgetImports = defineJob({
  name: 'imports.forget',
  every: MINUTE,
  run: async ({ platform, signal }) => {
    const now = platform.clock.now()
    const createCtx = (tenantId: string): Ctx => systemCtx(platform, tenantId, 'imports.forget')
    let lines = 0
    // a file that is being received has its request in this process
    for (const { tenantId, id } of platform.reader.all<Due>(RECEIVING))
      if (!isReceived(id))
        await createCtx(tenantId).write('import.received', (tx) => failReceiving(tx, id, say('imports.failure.broken')))
    for (const { tenantId, id, forgotten } of platform.reader.all<Due & { forgotten: number }>(OVER, [now - KEPT])) {
      const ctx = createCtx(tenantId)
      const isLast = forgotten === 1
      for (let count = 1; count > 0 && !signal.aborted; lines += count)
        count = await ctx.write('import.forget', (tx) => forgetLines(tx, id, BATCH, isLast))
    }
    return lines === 0 ? null : say('jobs.import_forgotten', { lines })
  },
})
