import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { languageNow, say } from '../../../words/say.ts'
import type { Ctx } from '../../access/ctx.ts'
import { SECOND } from '../../clock.ts'
import { defineErrors } from '../../problem.ts'
import { TaskOverLimit } from '../../query-runner/task.ts'
import type { TaskName } from '../../query-runner/task-names.ts'
import { getReportCache } from './report-cache.ts'

const DEADLINE = 30 * SECOND

const errors = defineErrors('reports', () => ({
  too_long: [503, say('reports.too_long'), say('reports.too_long.todo')],
}))

/** Reads a report in a child while the caller waits; 503 `reports.too_long` if it needs too much time or memory. */
export async function readApart<S extends TSchema>(
  ctx: Ctx,
  name: TaskName,
  params: object,
  Out: S,
  signal = ctx.signal,
): Promise<Static<S>> {
  try {
    return Value.Decode(Out, await ctx.runTask(name, params, { deadlineMs: DEADLINE, ...(signal && { signal }) }))
  } catch (error) {
    if (error instanceof TaskOverLimit) throw errors.too_long({ headers: { 'retry-after': '60' } })
    throw error
  }
}

/** Reads a report in a child, or returns the result of the last minute. */
export const report = <S extends TSchema>(ctx: Ctx, name: TaskName, params: object, Out: S): Promise<Static<S>> =>
  getReportCache(ctx).recall(
    {
      firm: ctx.tenantId,
      asked: `${languageNow()} ${name} ${JSON.stringify(params)}`,
      now: ctx.now(),
      gone: ctx.signal,
    },
    (signal) => readApart(ctx, name, { ...params, now: ctx.now() }, Out, signal),
  )
