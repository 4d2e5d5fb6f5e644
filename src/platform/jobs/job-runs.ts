import { SECOND } from '../clock.ts'
import type { Platform } from '../platform.ts'
import { ReplicaAway, ReplicaBehind } from '../replication/gate.ts'
import type { Job } from './job.ts'
import { createJobMeter } from './job-meter.ts'

/** One run of a job: `nothing` if there was nothing to do, `interrupted` if the process ended before the run did. */
export type JobRunSeen = {
  startedAt: number
  endedAt: number | null
  status: 'running' | 'done' | 'failed' | 'interrupted' | 'nothing'
  detail: string | null
}

/** How a run ended; a run without a detail found nothing to do. */
type Outcome = { status: 'done' | 'failed'; detail: string | null }

/** Runs each job one run at a time, and keeps the results. */
export type JobRuns = {
  /** Runs a job to its end and notes its result; never throws. */
  run(job: Job, signal: AbortSignal): Promise<void>
  /** Marks the runs that a previous process left in the middle as interrupted. */
  noteInterrupted(): void
  /** The last run of this process, whatever its result. */
  last(name: string): JobRunSeen | null
  /** The last run that did something or failed, of this process or an earlier one. */
  lastWork(name: string): JobRunSeen | null
}

const BEGIN = `INSERT INTO job_runs (id, name, started_at, status) VALUES (?, ?, ?, 'running')`
const END = 'UPDATE job_runs SET ended_at = ?, status = ?, detail = ? WHERE id = ?'
const LAST_WORK = `SELECT started_at AS startedAt, ended_at AS endedAt, status, detail
  FROM job_runs WHERE name = ? ORDER BY started_at DESC LIMIT 1`
const INTERRUPTED = `UPDATE job_runs SET status = 'interrupted' WHERE status = 'running'`

/** Returns the result of a job; a failure is logged, and is a result like any other. */
async function runForOutcome(platform: Platform, job: Job, signal: AbortSignal): Promise<Outcome> {
  try {
    return { status: 'done', detail: await job.run({ platform, signal }) }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    // while the replica is out of reach this applies to all jobs, and is reported once elsewhere
    if (error instanceof ReplicaAway || error instanceof ReplicaBehind)
      platform.log.debug({ why: detail, job: job.name }, 'job failed')
    else platform.log.error({ err: error, job: job.name }, 'job failed')
    return { status: 'failed', detail }
  }
}

/** Stores a `job_runs` row for each run that did something or failed, and the last run of each job in memory. */
export function createJobRuns(platform: Platform): JobRuns {
  const { log, clock, writer, connection, reader, ids } = platform
  const lastRuns = new Map<string, JobRunSeen>()
  const meter = createJobMeter(platform.metrics)

  const record = (run: () => void) =>
    writer
      .submit(run, { local: true })
      .catch((error: unknown) => log.warn({ err: error }, 'job run could not be noted'))

  return {
    run: async (job, signal) => {
      const startedAt = clock.now()
      const started = performance.now()
      const id = ids.next('run')
      const { status, detail } = await runForOutcome(platform, job, signal)
      const text = detail?.slice(0, 500) ?? null
      const seen = text === null ? 'nothing' : status
      meter.note(job.name, seen, (performance.now() - started) / SECOND)
      lastRuns.set(job.name, { startedAt, endedAt: clock.now(), status: seen, detail: text })
      // a run that found nothing to do leaves no row: some jobs look every second; a standby writes none at all
      if (text === null || platform.standby) return
      await record(() => {
        connection.run(BEGIN, [id, job.name, startedAt])
        connection.run(END, [clock.now(), status, text, id])
      })
    },
    noteInterrupted: () => void record(() => connection.run(INTERRUPTED)),
    last: (name) => lastRuns.get(name) ?? null,
    lastWork: (name) => reader.get<JobRunSeen>(LAST_WORK, [name]) ?? null,
  }
}
