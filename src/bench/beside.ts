import type { Dataset } from './dataset.ts'
import { type LoadResult, steadyGets } from './load-job.ts'
import { median } from './rounds.ts'

/** This many gets of one trader are sent each second, at even intervals, whether or not answers are late. */
const PER_SECOND = 500
const CLIENTS = 50
/** The rows of a data set end with the year 2025. */
const END = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000

/** A report or query of an owner. The number makes each request different, so that no cached answer is measured. */
type Work = { name: string; ask: (n: number) => { path: string; body?: object } }

/**
 * The median of the rounds for the time of a work, and for the p99 of gets beside it and without it; in milliseconds.
 */
type BesideFigure = {
  name: string
  times: number
  medianMs: number
  slowestMs: number
  quiet: number
  beside: number
  refused: string
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
const report = (name: string, path: string, days: number, more = ''): Work => ({
  name,
  ask: (n) => ({ path: `${path}?from=${day(END - (days + n) * DAY_MS)}&to=${day(END - n * DAY_MS)}${more}` }),
})
const query = (name: string, sql: string): Work => ({
  name,
  ask: (n) => ({ path: '/v1/admin/reports/sql', body: { sql: `${sql} -- ${n}` } }),
})

export const QUERIES: readonly Work[] = [
  query(
    'query without an end',
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
  ),
  query('query over all deposits', 'SELECT currency, status, count(*), sum(amount) FROM deposits GROUP BY 1, 2'),
]
export const REPORTS: readonly Work[] = [
  report('dashboard, a year, in one currency', '/v1/admin/reporting/dashboard', 360, '&currency=USD'),
  report('cohorts, five years', '/v1/admin/reporting/cohorts', 1800),
  report('revenue, five years', '/v1/admin/reporting/revenue-breakdown', 1800),
  report('tax of the firm, a year, as a page', '/v1/admin/tax-report', 360),
  report('tax of the firm, a year, as a file', '/v1/admin/tax-report', 360, '&format=csv'),
]

/**
 * Runs each work again and again for some seconds (at least once to its end, if it has one), with a steady load of gets
 * beside it. The same load alone is measured just before. Both are repeated `rounds` times.
 */
export async function measureBeside(
  set: Dataset,
  port: number,
  works: readonly Work[],
  { seconds, rounds }: { seconds: number; rounds: number },
  done: (figure: BesideFigure) => void,
): Promise<void> {
  const base = `http://127.0.0.1:${port}`
  const headers = { cookie: `crm_session=${set.token}`, origin: base, 'content-type': 'application/json' }
  const gets = (): Promise<LoadResult> =>
    steadyGets(set, { port, seconds, everyMs: 1000 / PER_SECOND, clients: CLIENTS })
  for (const { name, ask } of works) {
    let n = 0
    let refused = ''
    const taken: number[] = []
    const again = async (until: number, signal: AbortSignal): Promise<void> => {
      do {
        const { path, body } = ask(n)
        n += 1
        const started = performance.now()
        const posted = body ? { method: 'POST', body: JSON.stringify(body) } : {}
        const answer = await fetch(base + path, { headers, signal, ...posted })
        await answer.arrayBuffer()
        if (!answer.ok) refused = String(answer.status)
        taken.push(performance.now() - started)
      } while (performance.now() < until && refused === '')
    }
    const quiet: number[] = []
    const beside: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      quiet.push((await gets()).p99)
      const ending = new AbortController()
      const work = again(performance.now() + seconds * 1000, ending.signal).catch((error) => {
        // a query without an end is stopped when the load ends
        if (!ending.signal.aborted) throw error
      })
      beside.push((await gets()).p99)
      if (name === QUERIES[0]?.name) ending.abort()
      await work
    }
    const slowestMs = Math.max(0, ...taken)
    const times = taken.length
    done({ name, times, medianMs: median(taken), slowestMs, quiet: median(quiet), beside: median(beside), refused })
  }
}
