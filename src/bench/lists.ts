import type { Dataset } from './dataset.ts'
import { median } from './rounds.ts'

/** The result of a list with `limit=50` and one more query. The client measures milliseconds over a kept connection. */
type ListFigure = { path: string; query: string; rows: number; median: number; worst: number; refused: string }

const WARM = 3
const TIMES = 31
/** A query that is slower than this is asked less often, so that it does not hold up the rest. */
const LIMIT_MS = 3000

/**
 * Returns the filters to measure besides the plain first page: those that staff use, and a value that few rows have,
 * for which a filter without an index must search.
 */
const listFilters = ({ traderIds, userId }: Dataset): Record<string, string[]> => {
  const trader = `traderId=${traderIds[Math.floor(traderIds.length / 2)]}`
  return {
    '/v1/traders': [
      'status=closed',
      'country=LU',
      `assignedTo=${userId}`,
      'segment=vip',
      'tag=webinar',
      'tag=nothing',
      'q=anna%20bauer',
    ],
    '/v1/accounts': [
      'status=suspended',
      'platform=terminal5&isDemo=true',
      'status=closed&currency=GBP',
      'currency=CHF',
      'platform=other&currency=CHF',
      trader,
      'q=50001234',
    ],
    '/v1/wallets': ['currency=EUR', 'currency=CHF', trader],
    '/v1/deposits': [
      'status=pending',
      'status=cancelled',
      'status=settled&currency=CHF',
      'method=card&currency=EUR',
      trader,
      'q=nothing',
      'currency=CHF',
    ],
    '/v1/withdrawals': [
      'status=requested',
      'status=paid&currency=GBP',
      'status=paid&currency=CHF',
      'currency=CHF',
      trader,
      'q=PAY-1200',
    ],
    '/v1/positions': ['status=open', 'symbol=EURUSD', 'symbol=XPDUSD', 'status=open&side=short&symbol=XPDUSD', trader],
    '/v1/transfers': ['kind=wallet_to_account', 'kind=wallet_to_wallet', trader],
    '/v1/leads': ['status=new', 'source=webinar', 'source=none', `assignedTo=${userId}`, 'country=LU', 'q=olga'],
    '/v1/support/tickets': [
      'status=open',
      'status=open&sort=nextDueAt',
      'sort=nextDueAt&category=none',
      'priority=urgent&status=open',
      'category=none',
      `assignedTo=${userId}`,
      trader,
    ],
    '/v1/kyc/submissions': ['status=requested', 'status=rejected&level=3', trader],
    '/v1/sanctions/hits': ['status=open'],
    '/v1/audit': [
      'action=trader.delete',
      'entity=trader',
      'entity=nothing',
      'actorKind=system',
      `actorId=${userId}`,
      trader,
    ],
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const within = (value: unknown, ...keys: string[]): unknown =>
  keys.reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value)

/** Returns every GET of the OpenAPI document without path parameters that answers `{data, nextCursor}` in pages. */
async function listPaths(base: string, headers: Record<string, string>): Promise<string[]> {
  const answer = await fetch(`${base}/docs/json`, { headers })
  if (!answer.ok) throw new Error(`/docs/json answered ${answer.status}`)
  const document: unknown = await answer.json()
  const paths = within(document, 'paths')
  /** Returns a value, or the component that it refers to. */
  const resolved = (value: unknown): unknown => {
    const reference = within(value, '$ref')
    return typeof reference === 'string' ? within(document, ...reference.split('/').slice(1)) : value
  }
  if (!isRecord(paths)) throw new Error('/docs/json names no paths')
  return Object.keys(paths).filter((path) => {
    if (path.includes('{')) return false
    const answered = within(paths[path], 'get', 'responses', '200', 'content', 'application/json', 'schema')
    const schema = within(resolved(answered), 'properties')
    const parameters = within(paths[path], 'get', 'parameters')
    const limited =
      Array.isArray(parameters) && parameters.some((parameter) => within(resolved(parameter), 'name') === 'limit')
    return limited && within(schema, 'data') !== undefined && within(schema, 'nextCursor') !== undefined
  })
}

async function measure(
  base: string,
  path: string,
  query: string,
  headers: Record<string, string>,
): Promise<ListFigure> {
  const url = `${base}${path}?limit=50${query === '' ? '' : `&${query}`}`
  const taken: number[] = []
  let rows = 0
  const until = performance.now() + LIMIT_MS
  for (let time = -WARM; time < TIMES && (taken.length < 3 || performance.now() < until); time += 1) {
    const started = performance.now()
    const answer = await fetch(url, { headers })
    const text = await answer.text()
    if (time >= 0) taken.push(performance.now() - started)
    if (!answer.ok) return { path, query, rows, median: 0, worst: 0, refused: String(answer.status) }
    const data = within(JSON.parse(text), 'data')
    rows = Array.isArray(data) ? data.length : 0
  }
  return { path, query, rows, median: median(taken), worst: Math.max(...taken), refused: '' }
}

/** Measures every list's first page of 50, plain and filtered, one request after another; the slowest comes first. */
export async function measureLists(set: Dataset, port: number): Promise<ListFigure[]> {
  const base = `http://127.0.0.1:${port}`
  const headers = { cookie: `crm_session=${set.token}` }
  const filters = listFilters(set)
  const figures: ListFigure[] = []
  const paths = await listPaths(base, headers)
  if (paths.length === 0) throw new Error('the document names no list')
  for (const path of paths) {
    for (const query of ['', ...(filters[path] ?? [])]) figures.push(await measure(base, path, query, headers))
  }
  return figures.toSorted((a, b) => b.median - a.median)
}
