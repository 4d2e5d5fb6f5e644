import { type LoadResult, runLoad } from './load-job.ts'
import type { Server } from './servers.ts'
import type { Group, RatioLine, Series } from './workloads.ts'

const CONNECTIONS = 64

export type Servers = { ours: Server; bare: Server }
/** How long and how often each series is measured. */
export type Pace = { rounds: number; seconds: number }
export type Measured = Map<string, LoadResult[]>

/** Returns the median of some numbers; 0 if there are none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)] ?? 0
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? upper) + upper) / 2 : upper
}

/**
 * Measures the series of a group in turn, so that other load of the machine affects all alike; every other round goes
 * backwards. `numbers` keeps the next unused number of each side.
 */
export async function measureGroup(
  group: Group,
  servers: Servers,
  pace: Pace,
  numbers: Record<'ours' | 'bare', number>,
): Promise<Measured> {
  const results: Measured = new Map(group.series.map(({ name }) => [name, []]))
  const run = async (series: Series, seconds: number, count?: number): Promise<LoadResult> => {
    const result = await runLoad({
      port: servers[series.side].port,
      connections: CONNECTIONS,
      requests: series.requests,
      seconds,
      warmupSeconds: count === undefined ? 0.4 : 0,
      start: numbers[series.side],
      ...(count === undefined ? {} : { count }),
    })
    numbers[series.side] = result.next
    return result
  }
  // the first pass is not kept: code gets hot, caches fill, and it shows how long a fixed number of requests takes
  const paces: number[] = []
  for (const series of group.series) paces.push((await run(series, 1)).rps)
  const count = group.writes ? Math.ceil(Math.min(...paces) * pace.seconds) : undefined
  for (let round = 0; round < pace.rounds; round += 1) {
    const order = round % 2 === 0 ? group.series : group.series.toReversed()
    for (const series of order) {
      const result = await run(series, group.writes ? pace.seconds * 3 : pace.seconds, count)
      results.get(series.name)?.push(result)
    }
  }
  return results
}

/** Returns the cells of a figure; the ratio is the median of the rounds' ratios. Undefined if a side is missing. */
export function compare(
  ratioLine: RatioLine,
  measured: Measured,
): { ours: number; against: number; ratio: number; p50: number; p99: number; refused: string } | undefined {
  const ours = measured.get(ratioLine.series) ?? []
  const against = measured.get(ratioLine.against) ?? []
  if (ours.length === 0 || against.length === 0) return undefined
  const refused = [...ours, ...against].flatMap((result) => Object.entries(result.non2xx))
  return {
    ours: median(ours.map(({ rps }) => rps)),
    against: median(against.map(({ rps }) => rps)),
    ratio: median(ours.map(({ rps }, round) => rps / (against[round]?.rps ?? Number.NaN))),
    p50: median(ours.map(({ p50 }) => p50)),
    p99: median(ours.map(({ p99 }) => p99)),
    refused: [...new Set(refused.map(([status]) => status))].join(', '),
  }
}
