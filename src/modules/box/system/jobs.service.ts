import type { Static } from '@sinclair/typebox'
import type { Ctx } from '../../../platform/access/ctx.ts'
import { SECOND, toIso } from '../../../platform/clock.ts'
import type { JobRunSeen } from '../../../platform/jobs/job-runs.ts'
import type { JobSeen, Scheduler } from '../../../platform/jobs/scheduler.ts'
import { defineErrors, notFound } from '../../../platform/problem.ts'
import { isSentenceKey, say } from '../../../words/say.ts'
import type { JobOut, JobRunOut, JobsOut } from './system.model.ts'

const errors = defineErrors('system', () => ({
  job_running: [409, say('system.error.job_running'), say('system.todo.running')],
}))

const runOut = (run: JobRunSeen | null): Static<typeof JobRunOut> | null =>
  run && { ...run, startedAt: toIso(run.startedAt), endedAt: run.endedAt === null ? null : toIso(run.endedAt) }

/** Returns what a job is for, from the words; a test checks that each job has such a sentence. */
function describeJob(name: string): string {
  const key = `system.job.${name}`
  return isSentenceKey(key) ? say(key) : name
}

const jobOut = ({ name, every, isRunning, lastRun, lastWork }: JobSeen): Static<typeof JobOut> => ({
  name,
  about: describeJob(name),
  everySeconds: every / SECOND,
  running: isRunning,
  lastRun: runOut(lastRun),
  lastWork: runOut(lastWork),
})

/** Lists the jobs with their last results. */
export const listJobs = (scheduler: Scheduler): Static<typeof JobsOut> => ({
  data: scheduler.list().map(jobOut),
  nextCursor: null,
})

/** Starts a job now, outside its schedule; 404 if it is unknown, 409 while it runs. Audited. */
export async function runJob(ctx: Ctx, scheduler: Scheduler, name: string): Promise<Static<typeof JobOut>> {
  const before = scheduler.list().find((job) => job.name === name)
  if (!before) throw notFound()
  if (before.isRunning) throw errors.job_running()
  const answer = await ctx.write('job.run', (tx) => {
    tx.audit({ entity: 'job', after: { name } })
    return jobOut({ ...before, isRunning: true })
  })
  // not awaited: the list shows the result, and the log a failure
  void scheduler.runNow(name)
  return answer
}
