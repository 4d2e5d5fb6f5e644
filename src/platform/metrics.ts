import type { Log } from './log.ts'

type Labels = Readonly<Record<string, string>>
/** One line of an answer; `part` names the part of a histogram. */
export type Sample = { value: number; labels?: Labels; part?: 'bucket' | 'sum' | 'count' }
/** A figure and all its lines, read on request. Labels have few values, and none of a firm or a person. */
type Metric = {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  collect: () => readonly Sample[] | Promise<readonly Sample[]>
}

export type Histogram = {
  observe(value: number): void
  /** Its lines, each with these labels. */
  samples(labels?: Labels): Sample[]
}

/** Counts values by size; prom-client's own makes objects for each value, which would slow requests. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0)
  let count = 0
  let sum = 0
  return {
    observe: (value) => {
      count += 1
      sum += value
      // a value is in one bucket here, and the buckets are added up on request
      for (let at = 0; at < bounds.length; at += 1) {
        if (value > (bounds[at] ?? 0)) continue
        counts[at] = (counts[at] ?? 0) + 1
        return
      }
    },
    samples: (labels = {}) => {
      let below = 0
      const buckets = bounds.map((bound, at): Sample => {
        below += counts[at] ?? 0
        return { part: 'bucket', labels: { ...labels, le: String(bound) }, value: below }
      })
      return [
        ...buckets,
        { part: 'bucket', labels: { ...labels, le: '+Inf' }, value: count },
        { part: 'sum', labels, value: sum },
        { part: 'count', labels, value: count },
      ]
    },
  }
}

export type Metrics = {
  /** Registers a metric; of two with one name the later one is reported. */
  add(metric: Metric): void
  /** Registers a single value that goes up and down: `gauge('replica_lag_seconds', 'How far …', () => lag)`. */
  gauge(name: string, help: string, value: () => number): void
  /** Registers a single value that only rises. */
  counter(name: string, help: string, value: () => number): void
  /** Registers a histogram without labels. */
  histogram(name: string, help: string, histogram: Histogram): void
  /** Everything in the text format of Prometheus. */
  text(): Promise<string>
}

const PREFIX = 'brokerbase_'

/**
 * The metrics of this server at /metrics. Parts keep plain numbers and register how to read them, so that counting
 * costs a request nothing more. Names get the prefix `brokerbase_`, except those that all programs share (`process_`).
 */
export function createMetrics(log: Log): Metrics {
  const known = new Map<string, Metric>()
  const toMetricName = (name: string): string => (name.startsWith('process_') ? name : `${PREFIX}${name}`)
  const add = (metric: Metric): void => void known.set(metric.name, metric)
  const single = (type: 'counter' | 'gauge') => (name: string, help: string, value: () => number) =>
    add({ name, help, type, collect: () => [{ value: value() }] })
  /** Reads a metric; one that cannot be read does not affect the others. */
  const read = async ({ name, collect }: Metric): Promise<readonly Sample[]> => {
    try {
      return await collect()
    } catch (error) {
      log.warn({ err: error, metric: name }, 'a metric could not be read')
      return []
    }
  }
  return {
    add,
    gauge: single('gauge'),
    counter: single('counter'),
    histogram: (name, help, { samples }) => add({ name, help, type: 'histogram', collect: () => samples() }),
    text: async () => {
      // loaded on the first request: most servers never get one, and all would start later
      const [{ default: Gauge }, { default: Registry }] = await Promise.all([
        import('prom-client/lib/gauge.js'),
        import('prom-client/lib/registry.js'),
      ])
      const registry = new Registry()
      for (const metric of known.values()) {
        const { help, type } = metric
        const name = toMetricName(metric.name)
        const values = (await read(metric)).map(({ value, labels = {}, part }) => ({
          value,
          labels,
          metricName: part === undefined ? name : `${name}_${part}`,
        }))
        const printed = new Gauge({ name, help, registers: [] })
        registry.registerMetric(Object.assign(printed, { get: async () => ({ name, help, type, values }) }))
      }
      return registry.metrics()
    },
  }
}
