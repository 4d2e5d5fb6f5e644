import type { Dataset } from './dataset.ts'
import type { LoadRequest } from './load-job.ts'

/** One side of a comparison. Series that write send a fixed number, so that both databases grow alike. */
export type Series = { name: string; side: 'ours' | 'bare'; requests: LoadRequest[] }
export type Group = { name: string; writes: boolean; series: Series[] }
/** A line of the table: the ratio of one series to another. */
export type RatioLine = { label: string; series: string; against: string; target: number | null }

const SEARCHES = [
  'anna bauer',
  'olga',
  'nils meyer 77',
  'farid.haddad.1200@example.com',
  '+4915110012',
  'sven pet',
  'tara',
]

const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

/** Returns durable creates; each number makes another client. */
export const creates = (headers: Record<string, string>): LoadRequest[] => [
  {
    method: 'POST',
    path: '/v1/traders',
    headers,
    body: '{"email":"bench{n}@example.com","firstName":"Anna","lastName":"Bench","country":"DE"}',
  },
]

/** Returns the series that are measured and compared. `deepCursor` is the product's cursor of its hundredth page. */
export function workloads(
  set: Dataset,
  ports: { ours: number; bare: number },
  deepCursor: string,
): { groups: Group[]; ratioLines: RatioLine[] } {
  const session = { Cookie: `crm_session=${set.token}` }
  const staff = { ours: session, key: { 'X-API-Key': set.apiKey }, bare: {} }
  const get = (path: string, headers: Record<string, string>): LoadRequest => ({ method: 'GET', path, headers })
  const one = (headers: Record<string, string>) => set.traderIds.map((id) => get(`/v1/traders/${id}`, headers))
  const list = (headers: Record<string, string>) => [get('/v1/traders?limit=50', headers)]
  const search = (headers: Record<string, string>) =>
    SEARCHES.map((text) => get(`/v1/traders?limit=50&q=${encodeURIComponent(text)}`, headers))
  // the mix is 60 % get one, 20 % list, 20 % create
  const mixed = (headers: Record<string, string>, writing: Record<string, string>) => [
    ...one(headers),
    ...times(Math.round(set.traderIds.length / 3), list(headers)).flat(),
    ...times(Math.round(set.traderIds.length / 3), creates(writing)).flat(),
  ]
  const writing = { ...session, Origin: `http://127.0.0.1:${ports.ours}` }
  const deep = `/v1/traders?limit=50&cursor=${encodeURIComponent(deepCursor)}`
  const groups: Group[] = [
    {
      name: 'get',
      writes: false,
      series: [
        { name: 'get', side: 'ours', requests: one(staff.ours) },
        { name: 'get-key', side: 'ours', requests: one(staff.key) },
        { name: 'get-bare', side: 'bare', requests: one(staff.bare) },
      ],
    },
    {
      name: 'list',
      writes: false,
      series: [
        { name: 'list', side: 'ours', requests: list(staff.ours) },
        { name: 'list-deep', side: 'ours', requests: [get(deep, staff.ours)] },
        { name: 'list-bare', side: 'bare', requests: list(staff.bare) },
      ],
    },
    {
      name: 'search',
      writes: false,
      series: [
        { name: 'search', side: 'ours', requests: search(staff.ours) },
        { name: 'search-bare', side: 'bare', requests: search(staff.bare) },
      ],
    },
    {
      name: 'create',
      writes: true,
      series: [
        { name: 'create', side: 'ours', requests: creates(writing) },
        { name: 'create-bare', side: 'bare', requests: creates(staff.bare) },
      ],
    },
    {
      name: 'mixed',
      writes: true,
      series: [
        { name: 'mixed', side: 'ours', requests: mixed(staff.ours, writing) },
        { name: 'mixed-bare', side: 'bare', requests: mixed(staff.bare, {}) },
      ],
    },
  ]
  const ratioLines: RatioLine[] = [
    { label: 'get one trader, session', series: 'get', against: 'get-bare', target: 0.4 },
    { label: 'get one trader, API key', series: 'get-key', against: 'get-bare', target: 0.25 },
    { label: 'list 50 traders', series: 'list', against: 'list-bare', target: 0.6 },
    { label: 'page at the 100th cursor (to our first page)', series: 'list-deep', against: 'list', target: 0.8 },
    { label: 'search', series: 'search', against: 'search-bare', target: null },
    { label: 'durable create with audit and outbox', series: 'create', against: 'create-bare', target: 0.35 },
    { label: 'mixed: 60 % get, 20 % list, 20 % create', series: 'mixed', against: 'mixed-bare', target: null },
  ]
  return { groups, ratioLines }
}
