import { SECOND } from '../../clock.ts'
import { createHistogram, type Histogram, type Metrics, type Sample } from '../../metrics.ts'
import { readMethod } from '../body/request-line.ts'

/** In seconds; most answers take less than the first bound. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5]
/** The labels of a request that was refused before a route was found: a path that a client wrote is never a label. */
const NO_ROUTE = { method: 'any', route: 'none' }

type Entry = { labels: { method: string; route: string }; seconds: Histogram; statuses: Map<number, number> }
const createEntry = (labels: Entry['labels']): Entry => ({
  labels,
  seconds: createHistogram(BOUNDS),
  statuses: new Map(),
})

/**
 * Counts requests by route and status, and measures how long their answers took to make. All counters are created
 * before the first request, so that a request costs three look-ups and an addition.
 */
export function createRequestMeter(metrics: Metrics) {
  const known = new Map<string, Map<string, Entry>>()
  const other = createEntry(NO_ROUTE)
  const used = (): Entry[] =>
    [other, ...[...known.values()].flatMap((methods) => [...methods.values()])].filter(
      ({ statuses }) => statuses.size > 0,
    )
  metrics.add({
    name: 'http_requests_total',
    help: 'Requests answered, by route and status.',
    type: 'counter',
    collect: () =>
      used().flatMap(({ labels, statuses }) =>
        [...statuses].map(([status, value]): Sample => ({ labels: { ...labels, status: String(status) }, value })),
      ),
  })
  metrics.add({
    name: 'http_request_seconds',
    help: 'Time from a request to its answer, without sending that.',
    type: 'histogram',
    collect: () => used().flatMap(({ labels, seconds }) => seconds.samples(labels)),
  })
  return {
    /** Called once with every route of the whole application. */
    learn: (routes: readonly { method: string; path: string }[]): void => {
      for (const { method, path } of routes) {
        const methods = known.get(path) ?? new Map<string, Entry>()
        methods.set(method, createEntry({ method, route: path }))
        known.set(path, methods)
      }
    },
    /** Notes an answer; `route` is the pattern, undefined if no route was found. */
    note: (request: Request, route: string | undefined, status: number, startedAt: number): void => {
      const { seconds, statuses } =
        (route === undefined ? undefined : known.get(route)?.get(readMethod(request))) ?? other
      seconds.observe((performance.now() - startedAt) / SECOND)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    },
  }
}
