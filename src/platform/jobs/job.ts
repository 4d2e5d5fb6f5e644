import type { Platform } from '../platform.ts'

/** What a run hands to a job: the platform and whether the process is stopping. */
export type JobRun = { platform: Platform; signal: AbortSignal }

/**
 * Work that repeats. `run` does one batch or all that is due, returns what it did (for the log of runs; null =
 * nothing), and stops soon after `signal` aborts.
 */
export type Job = {
  name: string
  /** Milliseconds between the end of one run and the start of the next. */
  every: number
  /** Milliseconds between the start and the first run, for work that must not make a start slower. */
  delay?: number
  /** Also runs on a standby, where it must not write to the database. */
  onStandby?: boolean
  /** Also wakes soon after a commit that brought events. */
  onEvents?: boolean
  run(context: JobRun): Promise<string | null>
}

/** Declares a job; listed in `src/app.ts`. src/README “Jobs”. */
export const defineJob = (job: Job): Job => job
