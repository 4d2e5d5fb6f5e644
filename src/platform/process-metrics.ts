import { SECOND } from './clock.ts'
import { build } from './embedded.ts'
import { createHistogram, type Metrics } from './metrics.ts'

const LOOK_EVERY = 500
/** The bounds of the buckets of lag, in seconds. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5]
const MICROSECONDS = 1e6

/** Registers the metrics of the process and measures the lag of its event loop. Returns a function that ends this. */
export function watchProcess(metrics: Metrics): () => void {
  const lag = createHistogram(BOUNDS)
  let expected = performance.now() + LOOK_EVERY
  const timer = setInterval(() => {
    const now = performance.now()
    lag.observe(Math.max(0, now - expected) / SECOND)
    expected = now + LOOK_EVERY
  }, LOOK_EVERY)
  timer.unref()
  const { version, commit } = build()
  metrics.add({
    name: 'build_info',
    help: 'Which program this is; always 1.',
    type: 'gauge',
    collect: () => [{ labels: { version, commit, runtime: `Bun ${Bun.version}` }, value: 1 }],
  })
  metrics.histogram('event_loop_lag_seconds', 'How late a timer came that looks twice a second.', lag)
  metrics.gauge('process_resident_memory_bytes', 'Memory that the process holds.', () => process.memoryUsage.rss())
  metrics.counter('process_cpu_seconds_total', 'Time of the processor that the process took.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / MICROSECONDS
  })
  const startedAt = performance.timeOrigin / SECOND
  metrics.gauge('process_start_time_seconds', 'When the process started, in seconds since 1970.', () => startedAt)
  return () => clearInterval(timer)
}
