import { AsyncLocalStorage } from 'node:async_hooks'
import type { Platform } from '../platform.ts'
import type { Job } from './job.ts'
import { createJobRuns, type JobRunSeen, type JobRuns } from './job-runs.ts'

/** The current state of a job. Times in milliseconds. */
export type JobSeen = {
  name: string
  every: number
  isRunning: boolean
  /** The last run of this process, whatever its result. */
  lastRun: JobRunSeen | null
  /** The last run that did something or failed, of this process or an earlier one. */
  lastWork: JobRunSeen | null
}

export type Scheduler = {
  start(): void
  /** Runs one job now and waits for it; false when it is running already. For tests and staff. */
  runNow(name: string): Promise<boolean>
  /** Every job, in the order of declaration. */
  list(): JobSeen[]
  /** Starts no new runs; tells running ones to stop and waits for them. */
  stop(): Promise<void>
}

/** A timer beyond 2^31 ms would fire at once, again and again. */
const LONGEST_TIMER = 2 ** 31 - 1
/** How long a burst of events may gather, milliseconds. */
const EVENT_DELAY = 25

/** What runs now, what is to run once more right after it, and when each job is woken next; by the names of jobs. */
type Schedule = {
  runs: JobRuns
  stopping: AbortController
  running: Map<string, Promise<void>>
  again: Set<string>
  timers: Map<string, ReturnType<typeof setTimeout>>
  /** Runs a function outside of any caller's context, also for a job that a person started. */
  outside: ReturnType<typeof AsyncLocalStorage.snapshot>
}

function begin(schedule: Schedule, job: Job): Promise<void> {
  const { runs, stopping, running, again, outside } = schedule
  const over = (): void => {
    running.delete(job.name)
    if (stopping.signal.aborted) return
    if (again.delete(job.name)) wake(schedule, job)
    else plan(schedule, job)
  }
  const run = outside(() => runs.run(job, stopping.signal).finally(over))
  running.set(job.name, run)
  return run
}

function plan(schedule: Schedule, job: Job, after = job.every): void {
  const { timers } = schedule
  clearTimeout(timers.get(job.name))
  timers.set(
    job.name,
    setTimeout(() => wake(schedule, job), Math.min(after, LONGEST_TIMER)),
  )
}

function wake(schedule: Schedule, job: Job): void {
  const { stopping, running, again } = schedule
  if (stopping.signal.aborted) return
  if (running.has(job.name)) again.add(job.name)
  else void begin(schedule, job)
}

/** Wakes the job once for many commits in a moment, since it handles all waiting events. */
function wakeOnEvents(schedule: Schedule, { outbox, writer }: Platform, job: Job): void {
  let seen = outbox.released
  let planned = false
  writer.onCommit(() => {
    if (planned || seen === outbox.released) return
    planned = true
    setTimeout(() => {
      planned = false
      seen = outbox.released
      wake(schedule, job)
    }, EVENT_DELAY)
  })
}

/**
 * Runs jobs in this process. A job never overlaps itself, each run that did something or failed has a `job_runs` row,
 * and all stop cleanly. src/README “Jobs”.
 */
export function createScheduler(platform: Platform, jobs: readonly Job[]): Scheduler {
  const runs = createJobRuns(platform)
  const stopping = new AbortController()
  const schedule: Schedule = {
    runs,
    stopping,
    running: new Map(),
    again: new Set(),
    timers: new Map(),
    outside: AsyncLocalStorage.snapshot(),
  }
  const { running, timers } = schedule
  return {
    start: () => {
      const { standby } = platform
      if (!standby) runs.noteInterrupted()
      for (const job of standby ? jobs.filter(({ onStandby }) => onStandby) : jobs) {
        if (job.delay === undefined) wake(schedule, job)
        else plan(schedule, job, job.delay)
        if (job.onEvents) wakeOnEvents(schedule, platform, job)
      }
    },
    runNow: async (name) => {
      const job = jobs.find((candidate) => candidate.name === name)
      if (!job || running.has(name) || stopping.signal.aborted) return false
      await begin(schedule, job)
      return true
    },
    list: () =>
      jobs.map(({ name, every }) => ({
        name,
        every,
        isRunning: running.has(name),
        lastRun: runs.last(name),
        lastWork: runs.lastWork(name),
      })),
    stop: async () => {
      stopping.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running.values())
    },
  }
}
