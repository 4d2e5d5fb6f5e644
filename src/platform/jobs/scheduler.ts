import { SECOND } from '../clock.ts'
import type { Platform } from '../platform.ts'
import { ReplicaAway, ReplicaBehind } from '../replication/gate.ts'
import type { Job } from './job.ts'
import { createJobMeter } from './job-meter.ts'

/** One run of a job: `nothing` where there was nothing to do, `interrupted` where the process ended in the middle. */
export type JobRunSeen = {
  startedAt: number
  endedAt: number | null
  status: 'running' | 'done' | 'failed' | 'interrupted' | 'nothing'
  detail: string | null
}
/** A job as it stands. Times in milliseconds. */
export type JobSeen = {
  name: string
  every: number
  isRunning: boolean
  /** The last run of this process, whatever came of it. */
  lastRun: JobRunSeen | null
  /** The last run that did something or failed, of this process or one before. */
  lastWork: JobRunSeen | null
}

export type Scheduler = {
  start(): void
  /** Runs one job now and waits for it; false when it is running already. Tests and staff use it. */
  runNow(name: string): Promise<boolean>
  /** Every job, in the order in which they are declared. */
  list(): JobSeen[]
  /** No new runs; running ones are told to stop and waited for. */
  stop(): Promise<void>
}

const BEGIN = `INSERT INTO job_runs (id, name, started_at, status) VALUES (?, ?, ?, 'running')`
const END = 'UPDATE job_runs SET ended_at = ?, status = ?, detail = ? WHERE id = ?'
const LAST_WORK = `SELECT started_at AS startedAt, ended_at AS endedAt, status, detail
  FROM job_runs WHERE name = ? ORDER BY started_at DESC LIMIT 1`
const INTERRUPTED = `UPDATE job_runs SET status = 'interrupted' WHERE status = 'running'`

/** A timer beyond 2^31 ms would fire at once, again and again. */
const LONGEST_TIMER = 2 ** 31 - 1
/** How long a burst of events may gather, milliseconds. */
const EVENT_DELAY = 25

/**
 * In-process jobs: no overlap of a job with itself, a `job_runs` row
 * for each run that did something or failed, clean stop. src/README “Jobs”.
 */
export function createScheduler(platform: Platform, jobs: readonly Job[]): Scheduler {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const again = new Set<string>()
  const lastRuns = new Map<string, JobRunSeen>()
  const { log, clock, writer, connection, reader, ids } = platform
  const meter = createJobMeter(platform.metrics)

  const record = (run: () => void) =>
    writer
      .submit(run, { local: true })
      .catch((error: unknown) => log.warn({ err: error }, 'job run could not be noted'))

  async function execute(job: Job): Promise<void> {
    const startedAt = clock.now()
    const started = performance.now()
    const id = ids.next('run')
    let detail: string | null = null
    let status: 'done' | 'failed' = 'done'
    try {
      detail = await job.run({ platform, signal: stopping.signal })
    } catch (error) {
      status = 'failed'
      detail = error instanceof Error ? error.message : String(error)
      // with the replica out of reach that is so for all of them, and said once elsewhere
      if (error instanceof ReplicaAway || error instanceof ReplicaBehind)
        log.debug({ why: detail, job: job.name }, 'job failed')
      else log.error({ err: error, job: job.name }, 'job failed')
    }
    const text = detail?.slice(0, 500) ?? null
    meter.note(job.name, text === null ? 'nothing' : status, (performance.now() - started) / SECOND)
    lastRuns.set(job.name, {
      startedAt,
      endedAt: clock.now(),
      status: text === null ? 'nothing' : status,
      detail: text,
    })
    // a run that found nothing to do leaves no row: some jobs look every second
    if (text === null) return
    await record(() => {
      connection.run(BEGIN, [id, job.name, startedAt])
      connection.run(END, [clock.now(), status, text, id])
    })
  }

  function start(job: Job): Promise<void> {
    const run = execute(job).finally(() => {
      running.delete(job.name)
      if (stopping.signal.aborted) return
      if (again.delete(job.name)) wake(job)
      else plan(job)
    })
    running.set(job.name, run)
    return run
  }

  function plan(job: Job, after = job.every): void {
    clearTimeout(timers.get(job.name))
    timers.set(
      job.name,
      setTimeout(() => wake(job), Math.min(after, LONGEST_TIMER)),
    )
  }

  function wake(job: Job): void {
    if (stopping.signal.aborted) return
    if (running.has(job.name)) again.add(job.name)
    else void start(job)
  }

  /** Many commits in a moment wake the job once: it takes all that is there. */
  function wakeOnEvents(job: Job): void {
    let seen = platform.outbox.released
    let planned = false
    writer.onCommit(() => {
      if (planned || seen === platform.outbox.released) return
      planned = true
      setTimeout(() => {
        planned = false
        seen = platform.outbox.released
        wake(job)
      }, EVENT_DELAY)
    })
  }

  return {
    start: () => {
      void record(() => connection.run(INTERRUPTED))
      for (const job of jobs) {
        if (job.delay === undefined) wake(job)
        else plan(job, job.delay)
        if (job.onEvents) wakeOnEvents(job)
      }
    },
    runNow: async (name) => {
      const job = jobs.find((candidate) => candidate.name === name)
      if (!job || running.has(name) || stopping.signal.aborted) return false
      await start(job)
      return true
    },
    list: () =>
      jobs.map(({ name, every }) => ({
        name,
        every,
        isRunning: running.has(name),
        lastRun: lastRuns.get(name) ?? null,
        lastWork: reader.get<JobRunSeen>(LAST_WORK, [name]) ?? null,
      })),
    stop: async () => {
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}
