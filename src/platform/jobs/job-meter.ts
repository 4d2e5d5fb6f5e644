import { createHistogram, type Histogram, type Metrics } from '../metrics.ts'

const BOUNDS = [0.01, 0.1, 1, 10, 60]

/** Counts runs of jobs by their result, and how long they took. */
export function createJobMeter(metrics: Metrics) {
  const runs = new Map<string, Map<string, number>>()
  const seconds = new Map<string, Histogram>()
  metrics.add({
    name: 'job_runs_total',
    help: 'Runs of jobs, by what came of them.',
    type: 'counter',
    collect: () =>
      [...runs].flatMap(([job, results]) =>
        [...results].map(([result, value]) => ({ labels: { job, result }, value })),
      ),
  })
  metrics.add({
    name: 'job_run_seconds',
    help: 'How long runs of jobs took.',
    type: 'histogram',
    collect: () => [...seconds].flatMap(([job, each]) => each.samples({ job })),
  })
  return {
    /** Notes a run that is over. */
    note: (job: string, result: 'done' | 'failed' | 'nothing', took: number): void => {
      const results = runs.get(job) ?? new Map<string, number>()
      runs.set(job, results.set(result, (results.get(result) ?? 0) + 1))
      const each = seconds.get(job) ?? createHistogram(BOUNDS)
      seconds.set(job, each)
      each.observe(took)
    },
  }
}
